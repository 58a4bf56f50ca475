import assert from 'node:assert/strict';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from '../support/web-socket.js';
import type { Measurement } from './run.js';
import { startServedLedger } from './support/served-ledger.js';

const SUBSCRIBERS = 1000;
/** One in N subscribers stops reading while blocks arrive. */
const STALLED_EACH = 10;
const TRANSACTIONS = 2;
/**
 * Size in bytes of the memo of each transaction. The unread events of a stalled client must exceed the socket buffer of
 * about 10 MB.
 */
const MEMO_BYTES = 20_000;
const GROWTH_MIB_MAX = 512;
/** Maximum time in ms until a slow subscription is closed, including a margin. */
const STALL_MS = 12_000;
const TIMEOUT_MS = 300_000;

export const subscribers: Measurement = {
  title: `sends blocks to ${SUBSCRIBERS} GraphQL subscribers, one in ${STALLED_EACH} stalled`,
  gate: 200,
  night: 2000,
  async run({ count, folder }) {
    const node = await startServedLedger(join(folder, 'data'), TRANSACTIONS, MEMO_BYTES);
    const clients = Array.from({ length: SUBSCRIBERS }, (_, at) => new Client(node.port, at % STALLED_EACH === 0));
    await Promise.all(clients.map((client) => client.subscribed));
    // The subscription is not active yet when its acknowledgement arrives. Waits until it is active.
    await sleep(2000);
    const before = (await node.request('memory')).anonymousMiB;
    let most = before;
    const stalled = clients.filter(({ isHeavy }) => isHeavy);
    const live = clients.filter(({ isHeavy }) => !isHeavy);
    for (const client of stalled) client.pause();
    const first = 1;
    let head = 0;
    while (head < count) {
      const now = await node.request('1');
      head = now.head;
      most = Math.max(most, now.anonymousMiB);
      const expected = (head - first + 1) * TRANSACTIONS;
      await until(`block ${head} at the live ones`, () => live.every(({ places }) => places.length >= expected));
    }
    await sleep(STALL_MS);
    most = Math.max(most, (await node.request('memory')).anonymousMiB);
    for (const client of stalled) client.resume();
    const all = Array.from(
      { length: head * TRANSACTIONS },
      (_, at) => `${first + Math.floor(at / TRANSACTIONS)}/${at % TRANSACTIONS}`,
    );
    await until('the stalled ones', () => stalled.every(({ places }) => places.length >= all.length));
    for (const { places } of clients) assert.deepEqual(places, all);
    const tooSlow = stalled.filter(({ resumptions }) => resumptions > 0).length;
    assert.ok(tooSlow > 0, 'no client was ever too slow: nothing was measured');
    const peak = node.memoryPeak();
    for (const client of clients) client.close();
    node.end();
    const growth = Math.round(most - before);
    assert.ok(growth < GROWTH_MIB_MAX, `anonymous memory grew by ${growth} MiB`);
    return `${all.length} events at each, ${tooSlow} of ${stalled.length} stalled were told and went on by cursor, +${growth} MiB anonymous, ${peak}`;
  },
};

/** One subscriber. When its subscription or its connection ends, the subscriber subscribes again at its cursor. */
class Client {
  readonly isHeavy: boolean;
  /** Height of the block and index of each event, in the order of arrival. */
  readonly places: string[] = [];
  readonly subscribed: Promise<void>;
  resumptions = 0;
  private readonly port: number;
  private socket: WebSocket | undefined;
  private cursor: string | undefined;
  private isClosed = false;

  constructor(port: number, isHeavy: boolean) {
    this.port = port;
    this.isHeavy = isHeavy;
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
    const fields = `id blockNumber index ${this.isHeavy ? 'data' : ''}`;
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
