import assert from 'node:assert/strict';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Measurement } from './run.js';
import { ResumingSubscriber, type SubscribedStream } from './support/resuming-subscriber.js';
import { startServedLedger } from './support/served-ledger.js';

/**
 * Number of subscribers per stream. The first one stays connected. The others repeatedly lose their connections, and
 * must receive the same events as the first one.
 */
const CLIENTS = 5;
const TRANSACTIONS = 3;
const MEMO_BYTES = 100;
/** Maximum time between two connection losses of a subscriber, in ms. */
const GAP_MS = 60;
const TIMEOUT_MS = 120_000;

const streams: readonly SubscribedStream[] = [
  { field: 'transactions', finality: 'APPLIED', selection: 'kind transaction { id blockNumber index }' },
  { field: 'transactions', finality: 'SOLIDIFIED', selection: 'kind transaction { id blockNumber index }' },
  { field: 'blocks', finality: 'APPLIED', selection: 'kind block { number id }' },
  { field: 'blocks', finality: 'SOLIDIFIED', selection: 'kind block { number id }' },
];

export const reconnectingSubscribers: Measurement = {
  title: 'resumes GraphQL subscribers by their last cursor after random disconnects',
  gate: 1000,
  night: 20_000,
  async run({ count, folder, random }) {
    const node = await startServedLedger(join(folder, 'data'), TRANSACTIONS, MEMO_BYTES);
    const groups = streams.map((stream) =>
      Array.from({ length: CLIENTS }, () => new ResumingSubscriber(node.port, stream)),
    );
    const clients = groups.flat();
    try {
      await until('all subscriptions', () => clients.every(({ isSubscribed }) => isSubscribed));
      // The subscription is not active yet when its acknowledgement arrives. Waits until it is active.
      await sleep(2000);
      await node.request('2');
      // Waits until every subscriber has a cursor.
      await until('the first events', () => clients.every(({ events }) => events.length > 0));
      const restless = groups.flatMap((group) => group.slice(1));
      let isOver = false;
      let head = 0;
      const growing = (async () => {
        while (!isOver) {
          ({ head } = await node.request(random() < 0.2 ? 'switch' : String(1 + Math.floor(random() * 3))));
          await sleep(random() * 20);
        }
        ({ head } = await node.request('settle'));
      })();
      const losses = { cut: 0, closed: 0, ended: 0 };
      for (let loss = 0; loss < count; loss++) {
        await sleep(random() * GAP_MS);
        const client = restless[Math.floor(random() * restless.length)]!;
        const how = (['cut', 'closed', 'ended'] as const)[Math.floor(random() * 3)]!;
        losses[how]++;
        client.lose(how);
      }
      isOver = true;
      await growing;
      const last = (place: string): boolean => place.includes(`"${head}"`);
      await until('the newest event everywhere', () =>
        groups.every(([steady, ...others]) =>
          [steady!, ...others].every(
            ({ events }) => last(events.at(-1) ?? '') && events.length === steady!.events.length,
          ),
        ),
      );
      let events = 0;
      for (const [at, [steady, ...others]] of groups.entries()) {
        const name = `${streams[at]!.field} ${streams[at]!.finality}`;
        assert.equal(steady!.connections, 1, `${name}: the subscriber without disconnects lost its connection`);
        for (const { events: received } of others) {
          assert.deepEqual(received, steady!.events, name);
          events += received.length;
        }
      }
      checkSolidified(groups[3]![0]!.events, head);
      const most = Math.max(...restless.map(({ connections }) => connections));
      return (
        `${losses.cut} connections cut, ${losses.closed} closed, ${losses.ended} subscriptions ended and resumed; ` +
        `${events} events at ${restless.length} subscribers (up to ${most} connections each), no gap, no repetition`
      );
    } finally {
      for (const client of clients) client.close();
      node.end();
    }
  },
};

/** Checks that the subscriber that stays connected has received every height once. */
function checkSolidified(events: readonly string[], head: number): void {
  const numbers = events.map((event) => Number((JSON.parse(event) as { block: { number: string } }).block.number));
  assert.deepEqual(
    numbers,
    Array.from({ length: head - numbers[0]! + 1 }, (_, at) => numbers[0]! + at),
  );
}

async function until(what: string, isTrue: () => boolean): Promise<void> {
  for (const limit = Date.now() + TIMEOUT_MS; Date.now() < limit; await sleep(10)) if (isTrue()) return;
  throw new Error(`waited ${TIMEOUT_MS / 1000} s for ${what}`);
}
