import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import {
  callFields,
  END_HEADERS,
  END_STREAM,
  FrameType,
  field,
  frame,
  PREFACE,
  readFrames,
  settings,
  uint32,
} from '../../support/grpc/http2-frames.js';
import { createRandom } from '../random.js';

/**
 * Sends frames of one kind to a gRPC port for some seconds, as fast as the server reads them. If the server closes a
 * connection, opens a new one. Writes raw bytes, because a client library would limit the rate. Prints `Flooded`.
 * Without a name, prints the kinds.
 */
const [, , port = '', name = '', seconds = '', seed = ''] = process.argv;
const random = createRandom(Number(seed));
const below = (limit: number): number => Math.floor(random() * limit);

/** Result of a flood. */
export interface Flooded {
  readonly connections: number;
  readonly frames: number;
  /** Number of connections that the server has closed. */
  readonly closed: number;
  /** Longest lifetime of a connection, in ms. Connections that are open at the end of the flood count too. */
  readonly longestMs: number;
  /** Error codes of the GOAWAY frames received. */
  readonly codes: readonly number[];
}

/** Name of a flood. If `closes` is true, the server must close the connections of this flood. */
export interface FloodKind {
  readonly name: string;
  readonly closes: boolean;
}

interface Flood {
  /** True if the server must close the connection. */
  readonly closes?: boolean;
  /** True if the client never reads from the connection. */
  readonly isDeaf?: boolean;
  /** Number of simultaneous connections. Default: 1. */
  readonly connections?: number;
  /** Bytes that are sent after the preface. */
  readonly first?: Buffer;
  /** Returns the next frames of a connection. @param at number of earlier calls of `next` for this connection */
  next(at: number): readonly Buffer[];
}

const BATCH = 100;
const NO_MESSAGE = Buffer.alloc(5);
const NOW_BLOCK = callFields('protocol.Wallet/GetNowBlock');
/** Header fields of a call with a large answer that does not depend on the state. */
const LARGE = callFields('protocol.Wallet/GetChainParameters');
const WINDOW_MAX = 2 ** 31 - 1;
const [HEADER_TABLE_SIZE, MAX_CONCURRENT, INITIAL_WINDOW, MAX_FRAME] = [1, 3, 4, 5] as const;
const many = (one: (index: number) => readonly Buffer[]): Buffer[] =>
  Array.from({ length: BATCH }, (_, i) => one(i)).flat();
const streamOf = (at: number, index: number): number => 2 * (at * BATCH + index) + 1;
const call = (stream: number, fields: Buffer): Buffer[] => [
  frame(FrameType.HEADERS, END_HEADERS, stream, fields),
  frame(FrameType.DATA, END_STREAM, stream, NO_MESSAGE),
];

/**
 * Returns a function that opens calls which the client resets, or which the server must reset.
 * @param reset returns the frame after the start of a call
 */
const resetCalls =
  (reset: (stream: number) => Buffer) =>
  (at: number): readonly Buffer[] =>
    many((index) => {
      const stream = streamOf(at, index);
      return [frame(FrameType.HEADERS, END_HEADERS, stream, NOW_BLOCK), reset(stream)];
    });

const floods: Readonly<Record<string, Flood>> = {
  'rapid reset': {
    closes: true,
    // Sends an incomplete or a complete call, and then resets it with any error code.
    next: (at) =>
      many((index) => {
        const stream = streamOf(at, index);
        const [head, data] = call(stream, NOW_BLOCK) as [Buffer, Buffer];
        const reset = frame(FrameType.RST_STREAM, 0, stream, uint32(below(14)));
        return random() < 0.5 ? [head, reset] : [head, data, reset];
      }),
  },
  'rapid reset without an error code': {
    closes: true,
    next: resetCalls((stream) => frame(FrameType.RST_STREAM, 0, stream, uint32(0))),
  },
  'reset by the server': {
    closes: true,
    // A window update of 0 is an error of the stream, so the server must reset the call.
    next: resetCalls((stream) => frame(FrameType.WINDOW_UPDATE, 0, stream, uint32(0))),
  },
  CONTINUATION: {
    closes: true,
    first: frame(FrameType.HEADERS, 0, 1, NOW_BLOCK),
    next: () =>
      many(() => [
        frame(FrameType.CONTINUATION, 0, 1, random() < 0.5 ? Buffer.alloc(0) : field('x', 'y'.repeat(below(100)))),
      ]),
  },
  PING: {
    closes: true,
    first: Buffer.concat(call(1, NOW_BLOCK)),
    next: () => many(() => [frame(FrameType.PING, 0, 0, Buffer.alloc(8))]),
  },
  SETTINGS: {
    next: () =>
      many(() => [
        frame(
          FrameType.SETTINGS,
          0,
          0,
          settings(
            random() < 0.5
              ? []
              : [
                  [HEADER_TABLE_SIZE, below(4096)],
                  [MAX_CONCURRENT, below(1000)],
                  [INITIAL_WINDOW, below(WINDOW_MAX)],
                  [MAX_FRAME, 16_384 + below(1000)],
                ],
          ),
        ),
      ]),
  },
  'unread acknowledgements': {
    isDeaf: true,
    connections: 20,
    next: () => many(() => [frame(FrameType.SETTINGS, 0, 0)]),
  },
  'unread answers': {
    isDeaf: true,
    connections: 60,
    first: Buffer.concat([
      frame(FrameType.SETTINGS, 0, 0, settings([[INITIAL_WINDOW, WINDOW_MAX]])),
      frame(FrameType.WINDOW_UPDATE, 0, 0, uint32(WINDOW_MAX - 65_535)),
    ]),
    next: (at) => many((index) => call(streamOf(at, index), LARGE)),
  },
};

if (name === '') {
  const kinds: FloodKind[] = Object.entries(floods).map(([name, { closes = false }]) => ({ name, closes }));
  process.stdout.write(`${JSON.stringify(kinds)}\n`);
  process.exit(0);
}
const flood = floods[name]!;
const end = performance.now() + 1000 * Number(seconds);
let [connections, frames, closed, longestMs] = [0, 0, 0, 0];
const codes = new Set<number>();
await Promise.all(Array.from({ length: flood.connections ?? 1 }, floodOn));
const flooded: Flooded = { connections, frames, closed, longestMs, codes: [...codes].sort((a, b) => a - b) };
process.stdout.write(`${JSON.stringify(flooded)}\n`);
process.exit(0);

/** Sends the flood. When a connection is closed, continues on a new one. */
async function floodOn(): Promise<void> {
  while (performance.now() < end) {
    const socket = connect(Number(port), '127.0.0.1');
    const started = performance.now();
    const over = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    socket.on('error', () => undefined);
    if (flood.isDeaf) socket.pause();
    else listen(socket);
    connections++;
    await Promise.race([once(socket, 'connect').catch(() => undefined), over]);
    socket.write(Buffer.concat([PREFACE, flood.first ?? Buffer.alloc(0)]));
    for (let at = 0; !socket.destroyed && performance.now() < end; at++) {
      const next = flood.next(at);
      frames += next.length;
      const isFree = socket.write(Buffer.concat(next));
      // Waits until the server reads again, or closes the connection.
      if (!isFree) await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), over, ended()]);
      else await new Promise((resolve) => setImmediate(resolve));
    }
    if (socket.destroyed) closed++;
    longestMs = Math.max(longestMs, performance.now() - started);
    socket.destroy();
  }
}

function ended(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, end - performance.now())).unref());
}

function listen(socket: Socket): void {
  let rest: Buffer = Buffer.alloc(0);
  socket.on('data', (bytes: Buffer) => {
    const read = readFrames(Buffer.concat([rest, bytes]));
    rest = read.rest;
    for (const { type, payload } of read.frames) if (type === FrameType.GOAWAY) codes.add(payload.readUInt32BE(4));
  });
}
