import { connect } from 'node:net';
import { Client, credentials } from '@grpc/grpc-js';

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

async function grpcClient({ port, method = '', request = '' }: LoadJob): Promise<Ask> {
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure(), { 'grpc.use_local_subchannel_pool': 1 });
  const bytes = Buffer.from(request, 'hex');
  const asItIs = (value: Buffer): Buffer => value;
  return (done) => void client.makeUnaryRequest(`/${method}`, asItIs, asItIs, bytes, (error) => done(error === null));
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
