import { connect } from 'node:net';
import { json } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import {
  ACK,
  callFields,
  END_HEADERS,
  END_STREAM,
  FrameType,
  frame,
  type Http2Frame,
  PREFACE,
  readFrames,
  settings,
  uint32,
} from '../support/grpc/http2-frames.js';

// A load generator, which runs in a separate process. It has `connections` clients. Each has one request under way. It
// reads a job from standard input and prints the result as one line of JSON.

export interface LoadJob {
  readonly port: number;
  readonly connections: number;
  readonly ms: number;
  /** For HTTP: path of the request. */
  readonly path?: string;
  /** For HTTP: body of the request. Without a body, it is a GET request. */
  readonly body?: string;
  /** For gRPC: full name of the method. */
  readonly method?: string;
  /** For gRPC: requests in hex, which are sent in order, repeatedly. */
  readonly requests?: readonly string[];
}

export interface LoadResult {
  readonly perSecond: number;
  /** Median response time, in ms. */
  readonly p50: number;
  readonly p99: number;
  readonly failed: number;
}

/** Sends one request and reports if the response was good. The caller may then send the next request. */
type Send = (done: (isGood: boolean) => void) => void;

function httpClient({ port, path = '/', body }: LoadJob): Promise<Send> {
  const head = [
    `${body === undefined ? 'GET' : 'POST'} ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    ...(body === undefined ? [] : ['content-type: application/json', `content-length: ${Buffer.byteLength(body)}`]),
  ];
  const request = `${head.join('\r\n')}\r\n\r\n${body ?? ''}`;
  return new Promise((resolve, reject) => {
    let done: (isGood: boolean) => void = () => undefined;
    let received = Buffer.alloc(0);
    const socket = connect(port, '127.0.0.1', () => {
      socket.setNoDelay(true);
      resolve((then) => {
        done = then;
        socket.write(request);
      });
    });
    socket.on('error', reject);
    socket.on('data', (chunk) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
      const end = received.indexOf('\r\n\r\n');
      if (end < 0) return;
      const headers = received.toString('latin1', 0, end);
      const length = Number(/content-length: *(\d+)/i.exec(headers)?.[1] ?? 0);
      if (received.length < end + 4 + length) return;
      received = received.subarray(end + 4 + length);
      done(headers.startsWith('HTTP/1.1 200'));
    });
  });
}

/** Size in bytes of the prefix of a gRPC message: a flag, and the length in 4 bytes. */
const PREFIX_BYTES = 5;
/**
 * Number of received bytes after which the client updates the flow-control window of the connection: half of this
 * window.
 */
const WINDOW_BYTES = 32_768;
/** Window of a stream, in bytes. It is the maximum, because the client updates only the window of the connection. */
const STREAM_WINDOW_BYTES = 2 ** 31 - 1;
const SETTINGS_INITIAL_WINDOW_SIZE = 4;

/**
 * Creates a client with its own gRPC connection. It encodes its frames once, because Node's own client needs more CPU
 * time for a call than the server. An answer is good if it contains a message; errors contain none.
 * @param first index of the request that is sent first
 */
function grpcClient({ port }: LoadJob, calls: readonly Call[], first: number): Promise<Send> {
  return new Promise((resolve, reject) => {
    let done: (isGood: boolean) => void = () => undefined;
    let received: Buffer = Buffer.alloc(0);
    let [stream, bytes, unacknowledged, turn] = [-1, 0, 0, first];
    const take = ({ type, flags, payload }: Http2Frame): void => {
      if (type === FrameType.SETTINGS && (flags & ACK) === 0) socket.write(frame(FrameType.SETTINGS, ACK, 0));
      if (type === FrameType.PING && (flags & ACK) === 0) socket.write(frame(FrameType.PING, ACK, 0, payload));
      if (type === FrameType.DATA) {
        bytes += payload.length;
        unacknowledged += payload.length;
      }
      if (unacknowledged >= WINDOW_BYTES) {
        socket.write(frame(FrameType.WINDOW_UPDATE, 0, 0, uint32(unacknowledged)));
        unacknowledged = 0;
      }
      const isEnd = (type === FrameType.HEADERS || type === FrameType.DATA) && (flags & END_STREAM) !== 0;
      if (isEnd || type === FrameType.RST_STREAM) done(isEnd && bytes > PREFIX_BYTES);
    };
    const socket = connect(port, '127.0.0.1', () => {
      socket.setNoDelay(true);
      socket.write(PREFACE);
      const window = settings([[SETTINGS_INITIAL_WINDOW_SIZE, STREAM_WINDOW_BYTES]]);
      socket.write(frame(FrameType.SETTINGS, 0, 0, window));
      resolve((then) => {
        done = then;
        stream += 2;
        bytes = 0;
        const call = calls[turn++ % calls.length]!;
        const sent = Buffer.from(call.bytes);
        for (const place of call.idPlaces) sent.writeUInt32BE(stream, place);
        socket.write(sent);
      });
    });
    socket.on('error', reject);
    socket.on('data', (chunk) => {
      const { frames, rest } = readFrames(received.length === 0 ? chunk : Buffer.concat([received, chunk]));
      received = rest;
      frames.forEach(take);
    });
  });
}

/** HTTP/2 frames of one request. `idPlaces` are the byte offsets of the stream id, which differs for each request. */
interface Call {
  readonly bytes: Buffer;
  readonly idPlaces: readonly number[];
}

function grpcCalls({ method = '', requests = [''] }: LoadJob): Call[] {
  const head = frame(FrameType.HEADERS, END_HEADERS, 0, callFields(method));
  const idPlaces = [5, head.length + 5];
  return requests.map((request) => {
    const message = Buffer.from(request, 'hex');
    const prefix = Buffer.alloc(PREFIX_BYTES);
    prefix.writeUInt32BE(message.length, 1);
    return {
      idPlaces,
      bytes: Buffer.concat([head, frame(FrameType.DATA, END_STREAM, 0, Buffer.concat([prefix, message]))]),
    };
  });
}

async function run(job: LoadJob): Promise<LoadResult> {
  const times: number[] = [];
  let failed = 0;
  const calls = job.method === undefined ? [] : grpcCalls(job);
  const clients = await Promise.all(
    Array.from({ length: job.connections }, (_, client) => {
      const first = Math.floor((client * calls.length) / job.connections);
      return job.method === undefined ? httpClient(job) : grpcClient(job, calls, first);
    }),
  );
  const started = performance.now();
  const end = started + job.ms;
  await Promise.all(
    clients.map(
      (send) =>
        new Promise<void>((resolve) => {
          const next = (): void => {
            const sentMs = performance.now();
            if (sentMs > end) resolve();
            else
              send((isGood) => {
                times.push(performance.now() - sentMs);
                if (!isGood) failed++;
                next();
              });
          };
          next();
        }),
    ),
  );
  const seconds = (performance.now() - started) / 1000;
  times.sort((a, b) => a - b);
  const at = (share: number): number => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return { perSecond: times.length / seconds, p50: at(0.5), p99: at(0.99), failed };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log(JSON.stringify(await run((await json(process.stdin)) as LoadJob)));
  process.exit(0);
}
