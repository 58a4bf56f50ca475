import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startServedLedger } from '../reliability/support/served-ledger.js';
import { WebSocket } from '../support/web-socket.js';
import type { Figures } from './figures.js';

const SUBSCRIBERS = 200;
const BLOCKS = 100;
const TRANSACTIONS = 10;
/** Blocks before the measurement, so that the server runs compiled code. */
const WARM_UP_BLOCKS = 20;
/** Number of rounds. In each round, all checkouts are measured in turns. The result is the median of the ratios. */
const ROUNDS = 7;
const TIMEOUT_MS = 60_000;
const QUERY = 'subscription { transactions(finality: APPLIED) { cursor transaction { id blockNumber index } } }';

interface FanOut {
  /** CPU time of the server per event that a subscriber received, in µs. */
  readonly cpuUs: number;
  /** Received events of all subscribers per second. */
  readonly perSecond: number;
}

/**
 * Measures a server that sends each transaction to 200 GraphQL subscribers.
 * @param other folder of another checkout with its dependencies. It is measured in turns with this one
 */
export async function fanOutBench(figures: Figures, other?: string): Promise<void> {
  const ours: FanOut[] = [];
  const theirs: FanOut[] = [];
  const turns = [async () => ours.push(await measure())];
  if (other !== undefined) turns.push(async () => theirs.push(await measure(other)));
  for (let round = 0; round < ROUNDS; round++) {
    // The order changes each round, because the speed of a machine changes during a run.
    for (const turn of round % 2 === 0 ? turns : turns.toReversed()) await turn();
    console.log(`   fan-out, round ${round + 1}: ${shown(ours[round])}; other checkout ${shown(theirs[round])}`);
  }
  const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1]!;
  const cpuUs = median(ours.map((found) => found.cpuUs));
  const ratio = other === undefined ? undefined : median(theirs.map((found, at) => ours[at]!.cpuUs / found.cpuUs));
  console.log(`fan-out: ${cpuUs.toFixed(1)} µs of CPU time per event, ratio ${ratio?.toFixed(2) ?? 'not measured'}`);
  figures.note('fan-out: CPU time per event', cpuUs, 'µs', ratio);
}

function shown(found: FanOut | undefined): string {
  return found === undefined ? '-' : `${found.cpuUs.toFixed(1)} µs, ${Math.round(found.perSecond)} events/s`;
}

async function measure(checkout?: string): Promise<FanOut> {
  const folder = mkdtempSync(join(tmpdir(), 'tronicle-bench-'));
  const node = await startServedLedger(join(folder, 'data'), TRANSACTIONS, 0, checkout);
  const subscribers = Array.from({ length: SUBSCRIBERS }, () => new CountingSubscriber(node.port));
  try {
    await Promise.all(subscribers.map(({ subscribed }) => subscribed));
    // The subscription is not active yet when its acknowledgement arrives.
    await sleep(2000);
    const append = async (blocks: number): Promise<void> => {
      const expected = subscribers[0]!.events + blocks * TRANSACTIONS;
      for (let block = 0; block < blocks; block++) await node.request('1');
      await until(() => subscribers.every(({ events }) => events >= expected));
    };
    await append(WARM_UP_BLOCKS);
    const [startedMs, cpuBefore] = [performance.now(), node.cpuMs()];
    await append(BLOCKS);
    const events = BLOCKS * TRANSACTIONS * SUBSCRIBERS;
    return {
      cpuUs: ((node.cpuMs() - cpuBefore) * 1000) / events,
      perSecond: (events * 1000) / (performance.now() - startedMs),
    };
  } finally {
    for (const subscriber of subscribers) subscriber.close();
    node.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** GraphQL subscriber that only counts its events, so that this process uses little CPU time. */
class CountingSubscriber {
  events = 0;
  readonly subscribed: Promise<void>;
  private readonly socket: WebSocket;

  constructor(port: number) {
    this.socket = new WebSocket(`ws://127.0.0.1:${port}/graphql`, 'graphql-transport-ws');
    const send = (message: object): void => this.socket.send(JSON.stringify(message));
    this.socket.on('open', () => send({ type: 'connection_init' }));
    this.subscribed = new Promise((resolve, reject) => {
      this.socket.on('error', reject);
      this.socket.on('message', (data) => {
        if (data.includes('"errors"')) throw new Error(String(data));
        if (data.includes('"next"')) this.events++;
        else if (data.includes('"connection_ack"')) {
          send({ id: '1', type: 'subscribe', payload: { query: QUERY } });
          resolve();
        }
      });
    });
  }

  close(): void {
    this.socket.terminate();
  }
}

async function until(isTrue: () => boolean): Promise<void> {
  const started = performance.now();
  while (!isTrue()) {
    if (performance.now() - started > TIMEOUT_MS) throw new Error('not all events arrived');
    await sleep(1);
  }
}
