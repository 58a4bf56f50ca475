import assert from 'node:assert/strict';
import { join } from 'node:path';
import { present } from '../../src/primitives/assert.js';
import { Broker, KILLED } from '../support/streams/broker.js';
import { brokenLinks, consumeAll } from '../support/streams/consume.js';
import type { Measurement } from './run.js';
import { ForwardingNode } from './support/forwarding-node.js';

/** Number of transactions per block. */
const TRANSACTIONS = 10;
const BLOCK_MS = 100;
/** Time with a working broker at the start, in seconds. The import rate in this time is the baseline. */
const BEFORE_S = 10;
/** Minimum rate of block import without a broker, as a share of the baseline. */
const PACE_MIN = 0.95;
/** Minimum rate of sending the records of the outage, as a multiple of the rate at which they were created. */
const CATCH_UP_MIN = 10;
/** Maximum time in ms that the first transaction needs after the restart of the broker. */
const FIRST_MS = 5000;

export const brokerAway: Measurement = {
  title: 'survives a broker outage of N seconds at 100 events per second',
  gate: 10,
  night: 600,
  async run({ count: seconds, folder }) {
    const broker = await Broker.start(KILLED);
    const node = new ForwardingNode({ dataDir: join(folder, 'data'), bootstrap: broker.bootstrap });
    const shape = { transactions: TRANSACTIONS, everyMs: BLOCK_MS };
    try {
      await node.grow({ to: 1, ...shape });
      await node.forwarded(1);
      const blocks = (forSeconds: number): number => (forSeconds * 1000) / BLOCK_MS;
      let height = 1 + blocks(BEFORE_S);
      const before = await timed(() => node.grow({ to: height, ...shape }));
      await node.forwarded(height);
      broker.crash();
      height += blocks(seconds);
      const away = await timed(() => node.grow({ to: height, ...shape }));
      await node.until('the alarm while the broker is away', () => node.status?.state === 'retrying');
      const unsent = height - present(node.status, 'a sink with an alarm has a status').number;
      broker.start();
      const returned = performance.now();
      // New blocks arrive while the records of the outage are sent.
      node.growOn({ to: height + blocks(BEFORE_S), ...shape });
      const since = node.statuses.length;
      await node.until('the open sink', () => node.statuses.slice(since).some(({ state }) => state === 'forwarding'));
      const opened = performance.now();
      await node.forwarded(height);
      const caughtUp = performance.now();
      height += blocks(BEFORE_S);
      await node.forwarded(height);
      await node.drain();
      const records = await consumeAll(broker.client(), ['tronicle.transaction']);
      assert.deepEqual(brokenLinks(records), []);
      assert.equal(records.length, height * TRANSACTIONS, 'no record is missing or repeated');
      const pace = (blocks(seconds) * BLOCK_MS) / away.ms;
      const speed = (unsent * BLOCK_MS) / Math.max(1, caughtUp - opened);
      const figures =
        `ingest at ${(pace * 100).toFixed(1)} % of its pace (with a broker ${((BEFORE_S * 1e5) / before.ms).toFixed(1)} %), ` +
        `block median ${median(away.blockMs).toFixed(2)} ms (${median(before.blockMs).toFixed(2)}), ` +
        `open ${((opened - returned) / 1000).toFixed(1)} s after the broker's return, then caught up at ${speed.toFixed(0)}x real time, ` +
        `${records.length} records, each once, in order`;
      assert.ok(pace >= PACE_MIN && caughtUp - opened <= FIRST_MS + (unsent * BLOCK_MS) / CATCH_UP_MIN, figures);
      return figures;
    } finally {
      await node.kill();
      broker.close();
    }
  },
};

async function timed(grow: () => Promise<{ readonly blockMs: readonly number[] }>) {
  const started = performance.now();
  const { blockMs } = await grow();
  return { ms: performance.now() - started, blockMs };
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
