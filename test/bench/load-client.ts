import { connect as connectHttp2 } from 'node:http2';
import { connect } from 'node:net';

// A load generator in a process of its own: `connections` clients, each with one request under way. Prints one line of JSON.

export interface LoadJob {
  readonly port: number;
  readonly connections: number;
  readonly ms: number;
  /** HTTP: path and body; without a body a GET. */
  readonly path?: string;
  readonly body?: string;
  /** gRPC: full name of a method and its request, hex. */
  readonly method?: string;
  readonly request?: string;
}

export interface LoadResult {
  readonly perSecond: number;
  /** ms */
  readonly p50: number;
  readonly p99: number;
  readonly failed: number;
}

/** Asks once, and calls back with whether the answer was good; then may be asked again. */
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

/** One session for each client, straight on HTTP/2: what is measured is the server, not a client's library. */
function grpcClient({ port, method = '', request = '' }: LoadJob): Promise<Ask> {
  const session = connectHttp2(`http://127.0.0.1:${port}`);
  const message = Buffer.from(request, 'hex');
  const frame = Buffer.alloc(5 + message.length);
  frame.writeUInt32BE(message.length, 1);
  frame.set(message, 5);
  const head = { ':method': 'POST', ':path': `/${method}`, 'content-type': 'application/grpc', te: 'trailers' };
  return new Promise((resolve, reject) => {
    session.on('error', reject);
    session.on('connect', () =>
      resolve((done) => {
        const stream = session.request(head);
        let bytes = 0;
        let status: unknown;
        stream.on('response', (headers) => {
          status = headers['grpc-status'];
        });
        stream.on('trailers', (trailers) => {
          status = trailers['grpc-status'];
        });
        stream.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
        });
        stream.on('close', () => done(status === '0' && bytes > 5));
        stream.end(frame);
      }),
    );
  });
}

async function run(job: LoadJob): Promise<LoadResult> {
  const times: number[] = [];
  let failed = 0;
  const started = performance.now();
  const end = started + job.ms;
  const clients = await Promise.all(
    Array.from({ length: job.connections }, () => (job.method === undefined ? httpClient(job) : grpcClient(job))),
  );
  await Promise.all(
    clients.map(
      (ask) =>
        new Promise<void>((resolve) => {
          const next = (): void => {
            const asked = performance.now();
            if (asked > end) resolve();
            else
              ask((isGood) => {
                times.push(performance.now() - asked);
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

const [job] = process.argv.slice(2);
if (job !== undefined) {
  console.log(JSON.stringify(await run(JSON.parse(job) as LoadJob)));
  process.exit(0);
}
