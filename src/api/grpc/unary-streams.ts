import {
  constants,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { Logger } from 'pino';
import { TIMER_MS_MAX } from '../../primitives/units.js';
import type { GrpcFaultRules } from '../releases/api-release.js';
import { type CallHead, echoOf, headExcess, noCall, readHead } from './call-head.js';
import { type GrpcReply, GrpcStatus } from './grpc-reply.js';
import { type Fault, IncomingMessage, PREFIX_BYTES } from './incoming-message.js';
import type { RateLimitedCalls } from './rate-limited-handler.js';

interface UnaryStreamsOptions {
  readonly answers: RateLimitedCalls;
  /** Maximum size of a request, in bytes. */
  readonly messageBytesMax: number;
  /** Maximum size of request headers, in bytes. */
  readonly headBytesMax: number;
  readonly rules: GrpcFaultRules;
  readonly log: Logger;
}

/** Time within which a complete request must arrive, in milliseconds. Frees the resources of incomplete requests. */
export const REQUEST_TIMEOUT_MS = 60_000;
/** Time between two checks for late requests, in milliseconds. */
const LOOK_MS = 5_000;

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
const { NGHTTP2_CANCEL, NGHTTP2_INTERNAL_ERROR, NGHTTP2_PROTOCOL_ERROR } = constants;
/** Shortest timeout of a call, in milliseconds. A shorter one expires before any reply. */
const SHORTEST_MS = 1;

/**
 * Answers calls directly on HTTP/2. The gRPC library would spend half of its time on call objects, metadata and queues
 * that unary methods do not need. Protocol errors are answered as java-tron's gRPC library does.
 */
export class UnaryStreams {
  private readonly options: UnaryStreamsOptions;
  /** Incomplete requests, with the time in milliseconds at which each expires. */
  private readonly arriving = new Map<ServerHttp2Stream, number>();
  private readonly timer: NodeJS.Timeout;

  constructor(options: UnaryStreamsOptions) {
    this.options = options;
    this.timer = setInterval(() => this.dropLate(), LOOK_MS);
    this.timer.unref();
  }

  close(): void {
    clearInterval(this.timer);
  }

  /** @param pairs headers as received: names and values alternating */
  serve(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, pairs: readonly string[]): void {
    const { headBytesMax, rules } = this.options;
    // A client that closes the connection early needs no reply.
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
    const started = performance.now();
    const finished = (): void => void this.arriving.delete(stream);
    const dueMs = timeoutMs === undefined ? undefined : started + timeoutMs;
    this.arriving.set(stream, Math.min(dueMs ?? Number.POSITIVE_INFINITY, started + REQUEST_TIMEOUT_MS));
    stream.on('close', finished);
    stream.on('data', (chunk: Buffer) => {
      const fault = request.add(chunk);
      if (fault === undefined) return;
      finished();
      end(stream, fault);
    });
    stream.on('end', () => {
      finished();
      if (isOver(stream)) return;
      const message = request.endFault() ?? request.message();
      if (Buffer.isBuffer(message)) this.answer(stream, name, message, dueMs);
      else end(stream, message);
    });
  }

  /** @param dueMs time at which the call expires; only replies that are computed asynchronously can miss it */
  private answer(stream: ServerHttp2Stream, name: string, request: Buffer, dueMs: number | undefined): void {
    const answer = this.options.answers.answer(name, request, addressOf(stream.session as ServerHttp2Session));
    if (!(answer instanceof Promise)) {
      this.send(stream, name, answer);
      return;
    }
    const timer = dueMs === undefined ? undefined : endLater(stream, dueMs - performance.now());
    void answer.then((later) => {
      clearTimeout(timer);
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
  }

  private dropLate(): void {
    const now = performance.now();
    for (const [stream, dueMs] of this.arriving) if (dueMs < now) end(stream, 'dropped');
  }
}

function isHead(read: ReturnType<typeof readHead>): read is CallHead {
  return typeof read === 'object' && 'isPacked' in read;
}

function endLater(stream: ServerHttp2Stream, timeoutMs: number): NodeJS.Timeout {
  return setTimeout(() => end(stream, 'dropped'), Math.min(TIMER_MS_MAX, timeoutMs));
}

/** Refuses a call with too large headers. Reference: Netty's DefaultHttp2ConnectionDecoder, HpackDecoder. */
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

/** Ends a call with a status only, or drops it. @param echo request headers to repeat in the response */
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

/** Percent-encodes characters that a header cannot contain. */
function headerText(details: string): string {
  return details.replace(/[^ -$&-}]+/gu, (odd) => Buffer.from(odd).toString('hex').toUpperCase().replace(/../g, '%$&'));
}

function isOver(stream: ServerHttp2Stream): boolean {
  return stream.destroyed || stream.closed || stream.headersSent;
}

const addresses = new WeakMap<ServerHttp2Session, string>();

/** Returns the peer's address. Cached, because access to the socket of an HTTP/2 session goes through a slow proxy. */
function addressOf(session: ServerHttp2Session): string {
  const known = addresses.get(session);
  if (known !== undefined) return known;
  const address = session.socket.remoteAddress ?? '';
  addresses.set(session, address);
  return address;
}
