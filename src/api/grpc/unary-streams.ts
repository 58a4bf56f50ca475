import {
  constants,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { Logger } from 'pino';
import type { ByteShare, DropReason } from '../../primitives/byte-budget.js';
import { TIMER_MS_MAX } from '../../primitives/units.js';
import { CONNECTION_BYTES_MAX, type MemoryBudgets } from '../middleware/memory-budgets.js';
import type { GrpcFaultRules } from '../releases/api-release.js';
import { type CallHead, echoOf, headExcess, noCall, readHead } from './call-head.js';
import { CallTurns, type Connection, createConnection } from './call-turns.js';
import { type GrpcReply, GrpcStatus, refusal } from './grpc-reply.js';
import { type Fault, IncomingMessage, PREFIX_BYTES } from './incoming-message.js';
import type { RateLimitedCalls } from './rate-limited-handler.js';

interface UnaryStreamsOptions {
  readonly answers: RateLimitedCalls;
  /** Maximum size of a request, in bytes. */
  readonly messageBytesMax: number;
  /** Maximum size of request headers, in bytes. */
  readonly headBytesMax: number;
  readonly rules: GrpcFaultRules;
  readonly budgets: MemoryBudgets;
  readonly log: Logger;
}

/** A call whose request has arrived. */
interface WholeCall {
  readonly stream: ServerHttp2Stream;
  readonly name: string;
  readonly request: Buffer;
  /** Time in ms at which the call expires. Only a reply that is computed asynchronously can be late. */
  readonly dueMs: number | undefined;
  /** Share of the request in the memory budget. */
  readonly share: ByteShare;
}

/** Time within which a complete request must arrive, in milliseconds. It limits the memory for incomplete requests. */
export const REQUEST_TIMEOUT_MS = 60_000;
/** Interval of the checks for late requests, in milliseconds. */
const LOOK_MS = 5_000;
/** Time within which a client must accept a part of an answer, in milliseconds. */
const UNREAD_TIMEOUT_MS = 30_000;

const HEAD = {
  ':status': 200,
  'content-type': 'application/grpc',
  'grpc-encoding': 'identity',
  'grpc-accept-encoding': 'gzip',
} as const;
const WITH_TRAILERS = { waitForTrailers: true, sendDate: false } as const;
const ALONE = { endStream: true, sendDate: false } as const;
const WITH_BODY = { endStream: false, sendDate: false } as const;
const GOOD = { 'grpc-status': '0' } as const;
const REFUSED = { ':status': 200, 'content-type': 'application/grpc' } as const;
const { NGHTTP2_CANCEL, NGHTTP2_INTERNAL_ERROR, NGHTTP2_NO_ERROR, NGHTTP2_PROTOCOL_ERROR } = constants;
const DROPPED: Readonly<Record<DropReason, GrpcReply>> = {
  full: refusal(GrpcStatus.RESOURCE_EXHAUSTED, 'too many unfinished requests'),
  stalled: refusal(GrpcStatus.DEADLINE_EXCEEDED, 'request did not arrive in time'),
};
/** Shortest timeout of a call in milliseconds. A call with a shorter timeout expires before any reply. */
const SHORTEST_MS = 1;

/**
 * Answers calls directly on HTTP/2. The gRPC library would spend half of its time on call objects, metadata and queues
 * that unary methods do not need. Protocol errors are answered as java-tron's gRPC library does.
 */
export class UnaryStreams {
  private readonly options: UnaryStreamsOptions;
  /** Incomplete requests, with the time in milliseconds at which each expires. */
  private readonly arriving = new Map<ServerHttp2Stream, number>();
  /** Unread answers, with the start time of the call in milliseconds. */
  private readonly unread = new Map<ServerHttp2Stream, number>();
  private readonly connections = new WeakMap<ServerHttp2Session, Connection>();
  private readonly turns = new CallTurns();
  private readonly timer: NodeJS.Timeout;

  constructor(options: UnaryStreamsOptions) {
    this.options = options;
    this.timer = setInterval(() => this.dropLate(), LOOK_MS);
    this.timer.unref();
  }

  close(): void {
    clearInterval(this.timer);
  }

  /**
   * Answers a call on a stream.
   * @param pairs headers as received: names and values, alternating
   */
  serve(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, pairs: readonly string[]): void {
    const { headBytesMax, rules } = this.options;
    // Ignores the error if the client closes the connection early, because no reply is needed then.
    stream.on('error', () => undefined);
    const excess = headExcess(pairs, headBytesMax);
    if (excess !== undefined) {
      refuseHead(stream, excess);
      return;
    }
    const refused = noCall(headers, rules);
    if (refused !== undefined) {
      stream.respond(refused.headers, WITH_BODY);
      stream.end(refused.body);
      stream.resume();
      return;
    }
    const head = readHead(headers, rules);
    if (isHead(head)) this.receive(stream, headers, head);
    else if (head === 'failed') stream.close(NGHTTP2_INTERNAL_ERROR);
    else end(stream, head);
  }

  private receive(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, { isPacked, timeoutMs }: CallHead): void {
    const { messageBytesMax: bytesMax, rules, answers } = this.options;
    const name = String(headers[':path']).slice(1);
    const refused = answers.refusalOf(name);
    const isLate = timeoutMs !== undefined && timeoutMs < SHORTEST_MS;
    if (isLate && (refused === undefined || !rules.tellsFaults)) {
      stream.close(NGHTTP2_CANCEL);
      return;
    }
    if (refused !== undefined) {
      end(stream, refused, refused.echoes === true ? echoOf(headers) : undefined);
      return;
    }
    const request = new IncomingMessage({ tellsFaults: rules.tellsFaults, bytesMax, isPacked });
    const connection = this.connectionOf(stream);
    const started = performance.now();
    const finished = (): void => void this.arriving.delete(stream);
    const share = this.options.budgets.requests.open({
      drop: (reason) => {
        finished();
        refuseRest(stream, DROPPED[reason]);
      },
      group: connection.requests,
    });
    const dueMs = timeoutMs === undefined ? undefined : started + timeoutMs;
    this.arriving.set(stream, Math.min(dueMs ?? Number.POSITIVE_INFINITY, started + REQUEST_TIMEOUT_MS));
    stream.on('close', () => {
      // Ends the memory share of an incomplete request. If an answer is being computed, the share ends with the answer
      // instead.
      if (this.arriving.delete(stream)) share.close();
    });
    stream.on('data', (chunk: Buffer) => {
      // Ignores the remaining bytes of a request that was already rejected.
      if (isOver(stream)) return;
      const fault = request.add(chunk);
      if (fault === undefined) {
        share.set(request.keptBytes, chunk.length);
        return;
      }
      finished();
      share.close();
      end(stream, fault);
    });
    stream.on('end', () => {
      finished();
      const message = isOver(stream) ? undefined : (request.endFault() ?? request.message());
      if (Buffer.isBuffer(message)) {
        share.stopClock();
        this.turns.add(connection, () => this.answer({ stream, name, request: message, dueMs, share }));
        return;
      }
      share.close();
      if (message !== undefined) end(stream, message);
    });
  }

  private connectionOf({ session }: ServerHttp2Stream): Connection {
    const key = session as ServerHttp2Session;
    const known = this.connections.get(key);
    if (known !== undefined) return known;
    const connection = createConnection(CONNECTION_BYTES_MAX + this.options.messageBytesMax);
    this.connections.set(key, connection);
    return connection;
  }

  private answer({ stream, name, request, dueMs, share }: WholeCall): void {
    if (isOver(stream)) {
      share.close();
      return;
    }
    const answer = this.options.answers.answer(name, request, addressOf(stream.session as ServerHttp2Session));
    if (!(answer instanceof Promise)) {
      share.close();
      this.send(stream, name, answer);
      return;
    }
    const timer = dueMs === undefined ? undefined : endLater(stream, dueMs - performance.now());
    void answer.then((later) => {
      clearTimeout(timer);
      share.close();
      this.send(stream, name, later);
    });
  }

  private send(stream: ServerHttp2Stream, name: string, reply: GrpcReply): void {
    const { status, details, bytes } = reply;
    if (status !== GrpcStatus.OK) {
      this.options.log.debug({ method: name, status, details }, 'grpc call refused');
      end(stream, reply);
      return;
    }
    if (isOver(stream)) return;
    const frame = Buffer.allocUnsafe(PREFIX_BYTES + bytes.length);
    frame[0] = 0;
    frame.writeUInt32BE(bytes.length, 1);
    frame.set(bytes, PREFIX_BYTES);
    stream.respond(HEAD, WITH_TRAILERS);
    stream.on('wantTrailers', () => stream.sendTrailers(GOOD));
    stream.end(frame);
    this.countUnread(stream, frame.length);
  }

  /**
   * Counts an answer in the memory budget until the client has accepted it. If the budget drops the answer, ends the
   * call.
   */
  private countUnread(stream: ServerHttp2Stream, bytes: number): void {
    const connection = this.connectionOf(stream);
    const share = this.options.budgets.answers.open({ drop: () => cut(stream), group: connection.answers });
    this.unread.set(stream, performance.now());
    stream.once('close', () => {
      this.unread.delete(stream);
      share.close();
      this.turns.read(connection);
    });
    share.set(bytes);
  }

  private dropLate(): void {
    const now = performance.now();
    for (const [stream, dueMs] of this.arriving) if (dueMs < now) end(stream, 'dropped');
    for (const [stream, sinceMs] of this.unread) {
      if (sinceMs > now - LOOK_MS) break;
      this.unread.delete(stream);
      // This timeout starts again whenever the client accepts a part of the answer.
      stream.setTimeout(UNREAD_TIMEOUT_MS - LOOK_MS, () => cut(stream));
    }
  }
}

function isHead(read: ReturnType<typeof readHead>): read is CallHead {
  return typeof read === 'object' && 'isPacked' in read;
}

function endLater(stream: ServerHttp2Stream, timeoutMs: number): NodeJS.Timeout {
  return setTimeout(() => end(stream, 'dropped'), Math.min(TIMER_MS_MAX, timeoutMs));
}

/** Rejects a call whose headers are too large. Reference: Netty's DefaultHttp2ConnectionDecoder, HpackDecoder. */
function refuseHead(stream: ServerHttp2Stream, excess: 'call' | 'connection'): void {
  if (excess === 'connection') {
    const session = stream.session as ServerHttp2Session;
    session.goaway(NGHTTP2_PROTOCOL_ERROR);
    setImmediate(() => session.destroy());
    return;
  }
  stream.respond({ ':status': 431 }, ALONE);
  stream.resume();
}

/**
 * Ends a call with a status and no message, or drops it without a reply.
 * @param echo request headers to repeat in the response
 */
function end(stream: ServerHttp2Stream, fault: Fault, echo?: OutgoingHttpHeaders): void {
  if (isOver(stream)) return;
  if (fault === 'dropped') {
    stream.close(NGHTTP2_CANCEL);
    return;
  }
  const { status, details } = fault;
  const text = details === '' ? undefined : { 'grpc-message': headerText(details) };
  stream.respond({ ...echo, ...REFUSED, 'grpc-status': status, ...text }, ALONE);
  stream.resume();
}

/** Rejects a request that has not arrived completely. Ignores the remaining bytes of the request. */
function refuseRest(stream: ServerHttp2Stream, reply: GrpcReply): void {
  end(stream, reply);
  setImmediate(() => stream.close(NGHTTP2_NO_ERROR));
}

/**
 * Resets a call whose answer the client does not read. If the client does not accept the reset either, closes the
 * connection.
 */
function cut(stream: ServerHttp2Stream): void {
  const { session } = stream;
  stream.close(NGHTTP2_CANCEL);
  setTimeout(() => {
    if (!stream.destroyed) session?.destroy();
  }, LOOK_MS).unref();
}

/** Percent-encodes characters that a header cannot contain. */
function headerText(details: string): string {
  return details.replace(/[^ -$&-}]+/gu, (odd) => Buffer.from(odd).toString('hex').toUpperCase().replace(/../g, '%$&'));
}

function isOver(stream: ServerHttp2Stream): boolean {
  return stream.destroyed || stream.closed || stream.headersSent;
}

const addresses = new WeakMap<ServerHttp2Session, string>();

/** Returns the address of the client. It is cached, because access to the socket of an HTTP/2 session is slow. */
function addressOf(session: ServerHttp2Session): string {
  const known = addresses.get(session);
  if (known !== undefined) return known;
  const address = session.socket.remoteAddress ?? '';
  addresses.set(session, address);
  return address;
}
