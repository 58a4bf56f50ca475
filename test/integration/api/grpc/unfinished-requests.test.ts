import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  createServer,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import t, { type Test } from 'tap';
import { CallStreams } from '../../../../src/api/grpc/call-streams.js';
import { GrpcStatus } from '../../../../src/api/grpc/grpc-reply.js';
import type { RateLimitedCalls } from '../../../../src/api/grpc/rate-limited-handler.js';
import type { CallMethod } from '../../../../src/api/grpc/server-call.js';
import { createMemoryBudgets, type MemoryBudgets } from '../../../../src/api/middleware/memory-budgets.js';
import { apiRelease } from '../../../../src/api/releases/releases.js';
import { ByteBudget } from '../../../../src/primitives/byte-budget.js';
import { until } from '../../../support/until.js';

const MESSAGE_BYTES = 100_000;
const MIB = 1024 * 1024;

interface Served {
  readonly port: number;
  /** Names of the calls that the server has started, in order. */
  readonly started: string[];
}

/** Starts a server whose responses have `answerBytes` bytes. */
async function serve(t: Test, { budgets = createMemoryBudgets(), answerBytes = 0 }): Promise<Served> {
  const many: CallMethod = { takesMany: true, handle: (_, call) => call.send(new Uint8Array(answerBytes)) };
  const started: string[] = [];
  const answers: Pick<RateLimitedCalls, 'refusalOf' | 'answer'> = {
    refusalOf: () => undefined,
    answer: (name) => {
      started.push(name);
      return { status: GrpcStatus.OK, details: '', bytes: new Uint8Array(answerBytes) };
    },
  };
  const streams = new CallStreams({
    methods: new Map([['many', many]]),
    answers: answers as RateLimitedCalls,
    messageBytesMax: MESSAGE_BYTES,
    headBytesMax: 8192,
    release: apiRelease('4.8.2'),
    budgets,
    log: pino({ level: 'silent' }),
  });
  const server = createServer();
  server.on('sessionError', () => undefined);
  const take = (stream: ServerHttp2Stream, headers: IncomingHttpHeaders, _: number, pairs: string[]): void =>
    streams.serve(stream, headers, pairs);
  server.on('stream', take);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    streams.close();
    server.close();
  });
  return { started, port: (server.address() as AddressInfo).port };
}

async function client(t: Test, port: number, settings = {}): Promise<ClientHttp2Session> {
  const session = connect(`http://127.0.0.1:${port}`, { settings });
  session.on('error', () => undefined);
  t.teardown(() => session.destroy());
  return session;
}

interface Call {
  readonly stream: ClientHttp2Stream;
  /** gRPC status; undefined until it has arrived. */
  status: string | undefined;
}

/** Sends a call whose message has `MESSAGE_BYTES` bytes, but omits the last `missing` bytes. */
function call(session: ClientHttp2Session, missing: number, name = 'a'): Call {
  const head = { ':method': 'POST', ':path': `/${name}`, 'content-type': 'application/grpc', te: 'trailers' };
  const stream = session.request(head);
  const made: Call = { stream, status: undefined };
  stream.on('error', () => undefined);
  const read = (headers: Readonly<Record<string, unknown>>): void => {
    made.status ??= headers['grpc-status'] as string | undefined;
  };
  stream.on('response', read).on('trailers', read);
  stream.resume();
  const bytes = Buffer.alloc(5 + MESSAGE_BYTES);
  bytes.writeUInt32BE(MESSAGE_BYTES, 1);
  if (missing === 0) stream.end(bytes);
  else stream.write(bytes.subarray(0, bytes.length - missing));
  return made;
}

function endedWith(calls: readonly Call[], status: number): number {
  return calls.filter((each) => each.status === String(status)).length;
}

t.test('refuses unfinished requests of a connection that exceed 4 MiB plus one message', async (t) => {
  const budgets = createMemoryBudgets();
  const { port, started } = await serve(t, { budgets });
  const session = await client(t, port);
  const calls = Array.from({ length: 60 }, () => call(session, 1));
  const kept = Math.floor((4 * MIB + MESSAGE_BYTES) / (MESSAGE_BYTES + 5));
  await until('the refusals', () => endedWith(calls, GrpcStatus.RESOURCE_EXHAUSTED) === 60 - kept);
  t.ok(budgets.requests.bytes <= 4 * MIB + MESSAGE_BYTES, `${budgets.requests.bytes} bytes`);
  const good = call(await client(t, port), 0);
  await until('the answer of another client', () => good.status === '0');
  t.equal(started.length, 1);
  session.destroy();
  await until('the end of all shares', () => budgets.requests.bytes === 0);
});

t.test('ends a request that does not arrive in time with a status', async (t) => {
  let now = 0;
  const requests = new ByteBudget({ bytesMax: MIB, stallMs: 10_000, now: () => now });
  const { port } = await serve(t, { budgets: { ...createMemoryBudgets(), requests } });
  const session = await client(t, port);
  const half = call(session, 50_000);
  await until('the first half', () => requests.bytes >= 50_000);
  now = 10_001;
  requests.dropStalled();
  await until('the status', () => half.status === String(GrpcStatus.DEADLINE_EXCEEDED));
  t.equal(requests.bytes, 0);
});

t.test(
  'drops the largest unfinished requests of the connection that stores the most, if the total is too large',
  async (t) => {
    const budgets: MemoryBudgets = { ...createMemoryBudgets(), requests: new ByteBudget({ bytesMax: MIB }) };
    const { port } = await serve(t, { budgets });
    const good = call(await client(t, port), 50_000);
    await until('the first half', () => budgets.requests.bytes >= 50_000);
    const session = await client(t, port);
    const calls = Array.from({ length: 20 }, () => call(session, 1));
    await until('the refusals', () => endedWith(calls, GrpcStatus.RESOURCE_EXHAUSTED) >= 10);
    good.stream.end(Buffer.alloc(50_000));
    await until('the answer of the other client', () => good.status === '0');
    t.ok(budgets.requests.bytes <= MIB);
  },
);

t.test('starts no more calls of a connection that does not read its answers', async (t) => {
  const budgets = createMemoryBudgets();
  const { port, started } = await serve(t, { budgets, answerBytes: MIB });
  const session = await client(t, port, { initialWindowSize: 0 });
  for (let at = 0; at < 30; at++) call(session, 0, 'unread');
  await until('the first calls', () => started.length >= 4);
  await sleep(100);
  t.ok(started.length <= 5, `${started.length} calls`);
  t.ok(budgets.answers.bytes < 6 * MIB, `${budgets.answers.bytes} bytes`);
  const good = call(await client(t, port), 0, 'good');
  await until('the answer of another client', () => good.status === '0');
  session.settings({ initialWindowSize: 65_535 });
  session.setLocalWindowSize(100 * MIB);
  await until('all calls, after the client reads', () => started.length === 31);
  await until('the end of all shares', () => budgets.answers.bytes + budgets.requests.bytes === 0);
});

t.test('limits the unread answers and the queued messages of a streaming call', async (t) => {
  const budgets = createMemoryBudgets();
  const { port } = await serve(t, { budgets, answerBytes: MIB });
  const open = async () => {
    const session = await client(t, port, { initialWindowSize: 0 });
    const { stream } = call(session, MESSAGE_BYTES + 5, 'many');
    let status: unknown;
    stream.on('response', (headers) => (status = headers['grpc-status']));
    stream.on('trailers', (headers) => (status = headers['grpc-status']));
    return { session, stream, status: () => status };
  };
  const slow = await open();
  slow.stream.end(Buffer.alloc(10 * 5));
  await until('the first answers', () => budgets.answers.bytes > 4 * MIB);
  t.ok(budgets.answers.bytes < 6 * MIB, `${budgets.answers.bytes} bytes`);
  slow.session.settings({ initialWindowSize: 65_535 });
  slow.session.setLocalWindowSize(100 * MIB);
  await until('the status, after all answers', () => slow.status() === '0');
  const flood = await open();
  flood.stream.write(Buffer.alloc(20_000 * 5));
  await until('the reset', () => flood.stream.closed);
  t.ok(budgets.answers.bytes + budgets.requests.bytes < 10 * MIB);
});
