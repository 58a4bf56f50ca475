import { connect } from 'node:net';
import { json } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

// A load generator in a separate process. It has `connections` clients, each with one pending request. It reads a job
// from standard input and prints one line of JSON.

export interface LoadJob {
  readonly port: number;
  readonly connections: number;
  readonly ms: number;
  /** For HTTP: path and body; GET if there is no body. */
  readonly path?: string;
  readonly body?: string;
  /**
   * For gRPC: full name of a method, and its requests (hex), all of the same length. They are sent one after the other,
   * repeatedly.
   */
  readonly method?: string;
  readonly requests?: readonly string[];
}

export interface LoadResult {
  readonly perSecond: number;
  /** Median response time, in ms. */
  readonly p50: number;
  readonly p99: number;
  readonly failed: number;
}

/** Sends one request and reports whether the response was good. The caller may then send the next. */
type Ask = (done: (isGood: boolean) => void) => void;

function httpClient({ port, path = '/', body }: LoadJob): Promise<Ask> {
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

/** Types and flags of HTTP/2 frames (RFC 9113, section 6). */
const Frame = { DATA: 0, HEADERS: 1, RST_STREAM: 3, SETTINGS: 4, PING: 6, WINDOW_UPDATE: 8 } as const;
const END_STREAM = 1;
const ACK = 1;
const END_HEADERS = 4;
const FRAME_HEAD_BYTES = 9;
/** Size of the prefix of a gRPC message: a flag, and the length in 4 bytes. */
const PREFIX_BYTES = 5;
/** Received bytes before a window update: half of the window. */
const WINDOW_BYTES = 32_768;

function frame(type: number, flags: number, stream: number, payload: Uint8Array): Buffer {
  const bytes = Buffer.alloc(FRAME_HEAD_BYTES + payload.length);
  bytes.writeUIntBE(payload.length, 0, 3);
  bytes[3] = type;
  bytes[4] = flags;
  bytes.writeUInt32BE(stream, 5);
  bytes.set(payload, FRAME_HEAD_BYTES);
  return bytes;
}

/**
 * Encodes a header without adding it to the compression table (RFC 7541, 6.2.2), so that each request has the same
 * bytes.
 */
function literal(name: string, value: string): Buffer {
  return Buffer.concat([
    Buffer.from([0, name.length]),
    Buffer.from(name),
    Buffer.from([value.length]),
    Buffer.from(value),
  ]);
}

/**
 * Creates a gRPC connection for one client. It prepares its frames once, so that mainly the server is measured: Node's
 * own client needs more time for a call than the server. An answer is good if it contains a message; an error contains
 * none.
 * @param first index of the call to send first
 */
function grpcClient({ port }: LoadJob, calls: readonly Call[], first: number): Promise<Ask> {
  return new Promise((resolve, reject) => {
    let done: (isGood: boolean) => void = () => undefined;
    let received: Buffer = Buffer.alloc(0);
    let [stream, bytes, unacknowledged, turn] = [-1, 0, 0, first];
    const take = (type: number, flags: number, payload: Buffer): void => {
      if (type === Frame.SETTINGS && (flags & ACK) === 0) socket.write(frame(Frame.SETTINGS, ACK, 0, Buffer.alloc(0)));
      if (type === Frame.PING && (flags & ACK) === 0) socket.write(frame(Frame.PING, ACK, 0, payload));
      if (type === Frame.DATA) {
        bytes += payload.length;
        unacknowledged += payload.length;
      }
      if (unacknowledged >= WINDOW_BYTES) {
        const more = Buffer.alloc(4);
        more.writeUInt32BE(unacknowledged);
        socket.write(frame(Frame.WINDOW_UPDATE, 0, 0, more));
        unacknowledged = 0;
      }
      const isEnd = (type === Frame.HEADERS || type === Frame.DATA) && (flags & END_STREAM) !== 0;
      if (isEnd || type === Frame.RST_STREAM) done(isEnd && bytes > PREFIX_BYTES);
    };
    const socket = connect(port, '127.0.0.1', () => {
      socket.setNoDelay(true);
      socket.write(
        Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), frame(Frame.SETTINGS, 0, 0, Buffer.alloc(0))]),
      );
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
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
      while (received.length >= FRAME_HEAD_BYTES) {
        const end = FRAME_HEAD_BYTES + received.readUIntBE(0, 3);
        if (received.length < end) return;
        const [type, flags, payload] = [received[3]!, received[4]!, received.subarray(FRAME_HEAD_BYTES, end)];
        received = received.subarray(end);
        take(type, flags, payload);
      }
    });
  });
}

/** Frames of one request, and the offsets of its stream number in them. */
interface Call {
  readonly bytes: Buffer;
  readonly idPlaces: readonly number[];
}

function grpcCalls({ method = '', requests = [''] }: LoadJob): Call[] {
  const headers = Buffer.concat([
    literal(':method', 'POST'),
    literal(':scheme', 'http'),
    literal(':path', `/${method}`),
    literal(':authority', '127.0.0.1'),
    literal('content-type', 'application/grpc'),
    literal('te', 'trailers'),
  ]);
  const head = frame(Frame.HEADERS, END_HEADERS, 0, headers);
  const idPlaces = [5, head.length + 5];
  return requests.map((request) => {
    const message = Buffer.from(request, 'hex');
    const prefix = Buffer.alloc(PREFIX_BYTES);
    prefix.writeUInt32BE(message.length, 1);
    return {
      idPlaces,
      bytes: Buffer.concat([head, frame(Frame.DATA, END_STREAM, 0, Buffer.concat([prefix, message]))]),
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
      (ask) =>
        new Promise<void>((resolve) => {
          const next = (): void => {
            const sentMs = performance.now();
            if (sentMs > end) resolve();
            else
              ask((isGood) => {
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
