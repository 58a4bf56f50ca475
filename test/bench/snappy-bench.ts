import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { Transactions } from '../../src/codec/generated/messages.js';
import { unwrapMessage, wrapMessage } from '../../src/p2p/transport/compression.js';
import { encodeFrame } from '../../src/p2p/transport/frames.js';
import { encodeItems, encodeMessage } from '../../src/p2p/wire/messages.js';
import { toHex } from '../../src/primitives/bytes.js';
import { decodeBlock } from '../../src/state-transition/block/decoded-block.js';
import { readLines } from '../conformance/recording.js';
import type { Figures } from './figures.js';

interface Line {
  readonly block?: string;
}

/**
 * Functions that return the messages of a block as they are sent to a peer, before compression. The key is the kind of
 * message.
 */
const TRAFFIC: Record<string, (block: Uint8Array) => readonly Uint8Array[]> = {
  blocks: (block) => [encodeMessage('BLOCK', block)],
  'transactions, all of a block': (block) => {
    const messages = transactionsOf(block);
    return messages.length === 0 ? [] : [transactionsMessage(messages)];
  },
  'transactions, one by one': (block) => transactionsOf(block).map((message) => transactionsMessage([message])),
  inventories: (block) => {
    const ids = decodeBlock(block).transactions.map(({ id }) => toHex(id));
    return ids.length === 0 ? [] : [encodeItems('INVENTORY', { kind: 'transaction', ids })];
  },
};

/**
 * Maximum number of measured messages per kind, spread over the whole chain. If there are fewer, they are measured
 * repeatedly, because a p99 needs enough values.
 */
const MESSAGES_MAX = 4000;
const SAMPLES_MIN = 2000;
const WARM_UP = 200;
const BYTES_MAX = 5 * 1024 * 1024;

/**
 * Measures CPU time and saved bytes of snappy on recorded traffic, with the functions that the node uses for
 * messages. Only one kind of message is in memory at a time. Otherwise, the garbage collector would scan the others
 * during the measured time.
 */
export async function snappyBench(folder: string, name: string, figures: Figures): Promise<void> {
  console.log(`snappy, ${name}: size, saved, compressed in p50 and p99, decompressed in p50 and p99`);
  for (const [kind, messagesOf] of Object.entries(TRAFFIC)) {
    const measured = await measure(evenly(await readMessages(folder, messagesOf)));
    figures.note(`snappy, ${name}, ${kind}: compressed, p99`, at(measured.there, 0.99) * 1000, 'µs');
    figures.note(`snappy, ${name}, ${kind}: decompressed, p99`, at(measured.back, 0.99) * 1000, 'µs');
    figures.note(`snappy, ${name}, ${kind}: saved`, measured.saved, '%');
    console.log(`   ${kind}: ${describe(measured)}`);
  }
}

async function readMessages(folder: string, messagesOf: (block: Uint8Array) => readonly Uint8Array[]) {
  const messages: Uint8Array[] = [];
  for await (const { block: hex } of readLines<Line>(join(folder, 'blocks.ndjson.gz'))) {
    if (hex !== undefined) messages.push(...messagesOf(Buffer.from(hex, 'hex')));
  }
  return messages;
}

function transactionsOf(block: Uint8Array): Transactions['transactions'] {
  return decodeBlock(block).transactions.map(({ message }) => message);
}

function transactionsMessage(transactions: Transactions['transactions']): Uint8Array {
  return encodeMessage('TRXS', Transactions.encode(Object.assign(new Transactions(), { transactions })));
}

/** Returns at most `MESSAGES_MAX` messages at equal distances, starting with the first one. */
function evenly(messages: readonly Uint8Array[]): readonly Uint8Array[] {
  const step = Math.max(1, messages.length / MESSAGES_MAX);
  return Array.from({ length: Math.min(messages.length, MESSAGES_MAX) }, (_, i) => messages[Math.floor(i * step)]!);
}

/**
 * Measures one message per turn of the event loop, as if it arrived from a socket. So the memory of snappy is freed
 * between messages. Compression and decompression are measured separately, because a node never decompresses its own
 * messages. Each time then includes only the garbage collection that it causes.
 */
async function measure(messages: readonly Uint8Array[]): Promise<Measured> {
  for (const message of messages.slice(0, WARM_UP)) unwrapMessage(wrapped(message), BYTES_MAX);
  const packed = messages.map(wrapped);
  const there = await timed(messages, (message) => encodeFrame(...wrapMessage(message)));
  const back = await timed(packed, (frame) => unwrapMessage(frame, BYTES_MAX));
  const plain = bytesOf(messages);
  return {
    count: messages.length,
    kib: plain / messages.length / 1024,
    saved: 100 * (1 - bytesOf(packed) / plain),
    there,
    back,
  };
}

interface Measured {
  /** Number of messages. */
  readonly count: number;
  /** Mean size of a message, in KiB. */
  readonly kib: number;
  /** Share of the size that compression saves, in percent. */
  readonly saved: number;
  /** Compression times of the messages in ms, ascending. */
  readonly there: readonly number[];
  /** Decompression times of the messages in ms, ascending. */
  readonly back: readonly number[];
}

function describe({ count, kib, saved, there, back }: Measured): string {
  return `${count} of ${kib.toFixed(1)} KiB, ${saved.toFixed(1)} % saved, ${times(there)}, ${times(back)}`;
}

/** Returns a compressed message without the length prefix of its frame. */
function wrapped(message: Uint8Array): Uint8Array {
  const body = Buffer.concat(wrapMessage(message));
  if (unwrapMessage(body, BYTES_MAX).length !== message.length)
    throw new Error('the decompressed message has another length than the original');
  return body;
}

async function timed(
  inputs: readonly Uint8Array[],
  work: (input: Uint8Array) => Uint8Array,
): Promise<readonly number[]> {
  const ms: number[] = [];
  while (ms.length < SAMPLES_MIN) {
    for (const input of inputs) {
      await turn();
      const started = performance.now();
      work(input);
      ms.push(performance.now() - started);
    }
  }
  return ms.sort((a, b) => a - b);
}

function bytesOf(messages: readonly Uint8Array[]): number {
  return messages.reduce((sum, { length }) => sum + length, 0);
}

function times(ms: readonly number[]): string {
  const shown = (share: number): string => `${(at(ms, share) * 1000).toFixed(0)} µs`;
  return `${shown(0.5)} and ${shown(0.99)}`;
}

function at(sorted: readonly number[], share: number): number {
  return sorted[Math.floor(share * (sorted.length - 1))]!;
}
