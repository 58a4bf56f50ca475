import assert from 'node:assert/strict';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Broker } from '../support/streams/broker.js';
import { brokenLinks, consumeAll } from '../support/streams/consume.js';
import type { Measurement } from './run.js';
import { ForwardingNode } from './support/forwarding-node.js';

const TRANSACTIONS = 3;
const BLOCK_MS = 30;
/** A height that no round reaches, so that blocks are appended until the process ends. */
const NEVER = 1e9;
/**
 * Number of blocks that the new process sends. It is larger than the number of blocks that the stopped process can
 * have sent without receiving an acknowledgement.
 */
const AHEAD = 500;
/** In every Nth round, the old process is stopped for longer than the transaction timeout of the broker. */
const LONG_EACH = 5;
const LONG_MS = 61_000;
const SHORT_MS = 1500;

export const lateProducers: Measurement = {
  title: 'fences a stopped process after another one takes over its sink',
  gate: 10,
  night: 50,
  async run({ count, folder, random }) {
    const broker = await Broker.start();
    // Both processes have the same chain, but separate folders, because only one process can use a folder.
    const start = (at: number): ForwardingNode =>
      new ForwardingNode({ dataDir: join(folder, `data-${at % 2}`), bootstrap: broker.bootstrap });
    let old = start(0);
    let young = old;
    try {
      const shape = { transactions: TRANSACTIONS, everyMs: BLOCK_MS };
      old.growOn({ to: NEVER, ...shape });
      for (let round = 0; round < count; round++) {
        await old.forwarded(1);
        await sleep(random() * SHORT_MS);
        old.signal('SIGSTOP');
        young = start(round + 1);
        const { head } = await young.grow({ to: (old.status?.number ?? 0) + AHEAD, transactions: TRANSACTIONS });
        await young.forwarded(head);
        young.growOn({ to: NEVER, ...shape });
        await sleep(round % LONG_EACH === 0 ? LONG_MS : random() * SHORT_MS);
        const since = young.statuses.length;
        old.signal('SIGCONT');
        assert.match(await old.refused(), /another process uses the same sink name/, `round ${round}`);
        const then = young.status?.number ?? 0;
        await young.forwarded(then + 1);
        const states = new Set(young.statuses.slice(since).map(({ state }) => state));
        assert.deepEqual([...states], ['forwarding'], `round ${round}: the new process continues without an error`);
        await old.kill();
        old = young;
      }
      await young.kill();
      young = start(count);
      const { head: height } = await young.grow({ to: 1 });
      await young.drain();
      const records = await consumeAll(broker.client(), ['tronicle.transaction']);
      assert.deepEqual(brokenLinks(records), []);
      assert.equal(records.length, height * TRANSACTIONS);
      assert.equal(new Set(records.map(({ value }) => value)).size, records.length);
      return `${count} old processes fenced and stopped; ${records.length} records, each once, in order`;
    } finally {
      await old.kill();
      await young.kill();
      broker.close();
    }
  },
};
