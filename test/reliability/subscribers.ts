import assert from 'node:assert/strict';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from '../support/web-socket.js';
import type { Measurement } from './run.js';
import { startServedLedger } from './support/served-ledger.js';

const LIVE = 500;
/** Subscribers that stop reading right after their subscription. */
const STALLED = 500;
const TRANSACTIONS = 2;
/**
 * Size in bytes of the memo of each transaction. The unread events of a stalled client must exceed its socket buffers.
 */
const MEMO_BYTES = 12_000;
const GROWTH_MIB_MAX = 512;
/** Maximum time in ms until a slow subscription is closed, including a margin. */
const STALL_MS = 12_000;
/**
 * Maximum CPU time per block with stalled subscribers, as a multiple of the CPU time without them. A subscriber whose
 * buffers are full must cause no CPU time. The margin is for garbage collection.
 */
const CPU_RATIO_MAX = 1.5;
/**
 * Maximum median time until the last live subscriber has a block, as a multiple of the time without stalled
 * subscribers. Another load of the machine changes this ratio, but a wait for a stalled subscriber would take 10 s,
 * which is much more.
 */
const TIME_RATIO_MAX = 4;
const TIMEOUT_MS = 300_000;

export const subscribers: Measurement = {
  title: `sends blocks to ${LIVE} GraphQL subscribers next to ${STALLED} stalled ones`,
  gate: 200,
  night: 2000,
  async run({ count, folder }) {
    const node = await startServedLedger(join(folder, 'data'), TRANSACTIONS, MEMO_BYTES);
    const live = await subscribe(node.port, LIVE, 'live');
    const before = (await node.request('usage')).anonymousMiB;
    const quiet = await appendBlocks(node, live, Math.floor(count / 2));
    const stalled = await subscribe(node.port, STALLED, 'heavy');
    for (const client of stalled) client.pause();
    const first = quiet.length + 1;
    const busy = await appendBlocks(node, live, count - quiet.length);
    await sleep(STALL_MS);
    const most = Math.max(...[...quiet, ...busy, await node.request('usage')].map((usage) => usage.anonymousMiB));
    for (const client of stalled) client.resume();
    await until('the end of the stalled subscriptions', () =>
      stalled.every(({ places }) => places.length >= busy.length * TRANSACTIONS),
    );
    for (const { places } of live) assert.deepEqual(places, placesOf(1, count));
    for (const { places } of stalled) assert.deepEqual(places, placesOf(first, count));
    const tooSlow = stalled.filter(({ resumptions }) => resumptions > 0).length;
    const peak = node.memoryPeak();
    for (const client of [...live, ...stalled]) client.close();
    node.end();
    const growth = Math.round(most - before);
    // Compares the second halves of both runs, because code is compiled during the first blocks, and the buffers of
    // stalled subscribers are filled during the first blocks.
    const [usual, slowed] = [secondHalf(quiet), secondHalf(busy)];
    const figures =
      `${count * TRANSACTIONS} events at each, ${tooSlow} of ${STALLED} stalled were closed and resumed at their cursor; ` +
      `a block at all live subscribers: ${middle(slowed, 'ms').toFixed(1)} ms, ${middle(slowed, 'cpuMs').toFixed(1)} ms of CPU time ` +
      `(without stalled ones ${middle(usual, 'ms').toFixed(1)} and ${middle(usual, 'cpuMs').toFixed(1)}); +${growth} MiB anonymous, ${peak}`;
    assert.equal(tooSlow, STALLED, `not every stalled subscriber was too slow: ${figures}`);
    assert.ok(middle(slowed, 'cpuMs') < CPU_RATIO_MAX * middle(usual, 'cpuMs'), figures);
    assert.ok(middle(slowed, 'ms') < TIME_RATIO_MAX * middle(usual, 'ms'), figures);
    assert.ok(growth < GROWTH_MIB_MAX, figures);
    return figures;
  },
};

type ServedLedger = Awaited<ReturnType<typeof startServedLedger>>;

/** A block that all live subscribers have received. */
interface ServedBlock {
  /** Time in ms until the last live subscriber has received the events of the block. */
  readonly ms: number;
  /** CPU time of the server in ms. */
  readonly cpuMs: number;
  readonly anonymousMiB: number;
}

async function subscribe(port: number, count: number, kind: ClientKind): Promise<Client[]> {
  const clients = Array.from({ length: count }, () => new Client(port, kind));
  await Promise.all(clients.map((client) => client.subscribed));
  // The subscription is not active yet when its acknowledgement arrives. Waits until it is active.
  await sleep(2000);
  return clients;
}

/** Appends blocks. Waits after each block until the live subscribers have all its events. */
async function appendBlocks(node: ServedLedger, live: readonly Client[], count: number): Promise<ServedBlock[]> {
  const blocks: ServedBlock[] = [];
  for (let before = await node.request('usage'); blocks.length < count; ) {
    const started = performance.now();
    const { head } = await node.request('1');
    await until(`block ${head} at the live subscribers`, () =>
      live.every(({ places }) => places.length >= head * TRANSACTIONS),
    );
    const ms = performance.now() - started;
    const after = await node.request('usage');
    blocks.push({ ms, cpuMs: after.cpuMs - before.cpuMs, anonymousMiB: after.anonymousMiB });
    before = after;
  }
  return blocks;
}

/** Returns height and index of each transaction of the blocks. */
function placesOf(first: number, last: number): string[] {
  return Array.from(
    { length: (last - first + 1) * TRANSACTIONS },
    (_, at) => `${first + Math.floor(at / TRANSACTIONS)}/${at % TRANSACTIONS}`,
  );
}

function secondHalf(blocks: readonly ServedBlock[]): readonly ServedBlock[] {
  return blocks.slice(blocks.length >> 1);
}

/** Returns the median of a figure. */
function middle(blocks: readonly ServedBlock[], figure: 'ms' | 'cpuMs'): number {
  return blocks.map((block) => block[figure]).sort((a, b) => a - b)[blocks.length >> 1] ?? 0;
}

/** A heavy client selects the memo of each transaction. */
type ClientKind = 'live' | 'heavy';

/** One subscriber. When its subscription or its connection ends, the subscriber subscribes again at its cursor. */
class Client {
  /** Height of the block and index of each event, in the order of arrival. */
  readonly places: string[] = [];
  readonly subscribed: Promise<void>;
  resumptions = 0;
  private readonly port: number;
  private readonly kind: ClientKind;
  private socket: WebSocket | undefined;
  private cursor: string | undefined;
  private isClosed = false;

  constructor(port: number, kind: ClientKind) {
    this.port = port;
    this.kind = kind;
    this.subscribed = new Promise((resolve) => this.connect(resolve));
  }

  pause(): void {
    this.socket?.pause();
  }

  resume(): void {
    this.socket?.resume();
  }

  close(): void {
    this.isClosed = true;
    this.socket?.close();
  }

  private connect(onSubscribed: () => void): void {
    const socket = new WebSocket(`ws://127.0.0.1:${this.port}/graphql`, 'graphql-transport-ws');
    this.socket = socket;
    const send = (message: object): void => socket.send(JSON.stringify(message));
    const fields = `id blockNumber index ${this.kind === 'heavy' ? 'data' : ''}`;
    const query = `subscription ($after: Cursor) { transactions(finality: APPLIED, after: $after) { cursor transaction { ${fields} } } }`;
    socket.on('open', () => send({ type: 'connection_init' }));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      if (this.isClosed || this.socket !== socket) return;
      this.resumptions++;
      this.connect(() => undefined);
    });
    socket.on('message', (data) => {
      const { type, payload } = JSON.parse(String(data)) as Message;
      if (type === 'connection_ack') {
        send({ id: '1', type: 'subscribe', payload: { query, variables: { after: this.cursor } } });
        onSubscribed();
      }
      // The server has closed the subscription, for example because it was too slow. A new connection starts after the
      // last event.
      if (type === 'error' || type === 'complete') socket.close();
      const event = type === 'next' ? payload?.data?.transactions : undefined;
      if (type === 'next' && event === undefined) socket.close();
      if (event === undefined) return;
      this.cursor = event.cursor;
      this.places.push(`${event.transaction.blockNumber}/${event.transaction.index}`);
    });
  }
}

interface Message {
  readonly type: string;
  readonly payload?: {
    readonly data?: {
      readonly transactions?: {
        readonly cursor: string;
        readonly transaction: { readonly blockNumber: string; readonly index: number };
      };
    };
  };
}

async function until(what: string, isTrue: () => boolean): Promise<void> {
  for (const limit = Date.now() + TIMEOUT_MS; Date.now() < limit; await sleep(5)) if (isTrue()) return;
  throw new Error(`waited ${TIMEOUT_MS / 1000} s for ${what}`);
}
