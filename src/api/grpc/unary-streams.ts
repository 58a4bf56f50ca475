import type { IncomingHttpHeaders, ServerHttp2Session, ServerHttp2Stream } from 'node:http2';
import type { Logger } from 'pino';
import { TIMER_MS_MAX } from '../../domain/units.js';
import type { GatedAnswers } from './gated-answers.js';
import { type GrpcReply, refusal, Status } from './grpc-reply.js';

interface UnaryStreamsOptions {
  readonly answers: GatedAnswers;
  /** Bytes of a request. */
  readonly messageBytesMax: number;
  readonly log: Logger;
}

/** A flag for compression and four bytes of length stand before each message. */
const PREFIX_BYTES = 5;
/** A request must arrive within this time, ms: half of one may not hold its place for ever. */
const REQUEST_TIMEOUT_MS = 60_000;
/** Requests that take too long are looked for at this pace, ms. */
const LOOK_MS = 5_000;

const HEAD = {
  ':status': 200,
  'content-type': 'application/grpc',
  'grpc-accept-encoding': 'identity,deflate,gzip',
  'grpc-encoding': 'identity',
} as const;
const WITH_TRAILERS = { waitForTrailers: true } as const;
const GOOD = { 'grpc-status': '0' } as const;
const REFUSED = { ':status': 200, 'content-type': 'application/grpc' } as const;
/** Code of HTTP/2 with which the reference drops a call that breaks off inside a message. */
const CANCEL = 8;

const TIMEOUT = /(?<count>\d{1,8})\s*(?<unit>[HMSmun])/;
const UNIT_MS = { H: 3_600_000, M: 60_000, S: 1000, m: 1, u: 0.001, n: 0.000_001 } as const;

/**
 * Answers unary calls straight on HTTP/2: of the time that the library takes for one, half goes into calls, metadata and queues
 * that no method here needs. What it answers is what the reference's library answers; calls with anything unusual about them are left to it.
 */
export class UnaryStreams {
  private readonly options: UnaryStreamsOptions;
  /** Requests that are not complete, with the ms when they began. */
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

  /** Whether a request is one of these: not compressed, its headers as they should be. */
  isPlain(headers: IncomingHttpHeaders): boolean {
    const encoding = headers['grpc-encoding'];
    const timeout = headers['grpc-timeout'];
    return (
      headers['content-type']?.startsWith('application/grpc') === true &&
      (encoding === undefined || encoding === 'identity') &&
      (timeout === undefined || TIMEOUT.test(String(timeout)))
    );
  }

  /** @param path `/<service>/<method>` */
  serve(stream: ServerHttp2Stream, path: string, headers: IncomingHttpHeaders): void {
    const request = new ArrivingMessage(this.options.messageBytesMax);
    const finished = (): void => void this.arriving.delete(stream);
    this.arriving.set(stream, performance.now());
    // A peer that breaks off has no use for an answer.
    stream.on('error', () => undefined);
    stream.on('close', finished);
    stream.on('data', (chunk: Buffer) => {
      request.add(chunk);
      const excess = request.excess();
      if (excess === undefined) return;
      finished();
      refuse(stream, excess);
    });
    stream.on('end', () => {
      finished();
      if (stream.headersSent) return;
      if (request.isWhole) this.answer(stream, path.slice(1), request.message, headers['grpc-timeout']);
      else if (request.isEmpty) refuse(stream, NO_MESSAGE);
      else stream.close(CANCEL);
    });
  }

  private answer(
    stream: ServerHttp2Stream,
    name: string,
    request: Buffer,
    timeout: string | string[] | undefined,
  ): void {
    const answer = this.options.answers.answer(name, request, addressOf(stream.session as ServerHttp2Session));
    if (!(answer instanceof Promise)) {
      this.send(stream, name, answer);
      return;
    }
    const timer =
      timeout === undefined ? undefined : setTimeout(() => refuse(stream, TOO_LATE), timeoutMs(String(timeout)));
    void answer.then((later) => {
      clearTimeout(timer);
      this.send(stream, name, later);
    });
  }

  private send(stream: ServerHttp2Stream, name: string, reply: GrpcReply): void {
    const { status, details, bytes } = reply;
    if (status !== Status.OK) {
      this.options.log.debug({ method: name, status, details }, 'grpc refusal');
      refuse(stream, reply);
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
    const oldest = performance.now() - REQUEST_TIMEOUT_MS;
    for (const [stream, started] of this.arriving) {
      // In the order of their beginning.
      if (started > oldest) return;
      stream.destroy();
    }
  }
}

/** The bytes of a request as they come: exactly one message. */
class ArrivingMessage {
  private readonly bytesMax: number;
  private readonly chunks: Buffer[] = [];
  private size = 0;
  /** Bytes of message and prefix, once that is known. */
  private whole: number | undefined;

  constructor(bytesMax: number) {
    this.bytesMax = bytesMax;
  }

  add(chunk: Buffer): void {
    this.size += chunk.length;
    if (this.whole !== undefined && this.size > this.whole) return;
    this.chunks.push(chunk);
    if (this.whole === undefined && this.size >= PREFIX_BYTES) {
      this.whole = PREFIX_BYTES + this.joined().readUInt32BE(1);
    }
  }

  /** The message without what stands before it. */
  get message(): Buffer {
    return this.joined().subarray(PREFIX_BYTES);
  }

  /** Answer to a request that is too long, or goes on behind its message. */
  excess(): GrpcReply | undefined {
    if (this.whole === undefined) return undefined;
    const length = this.whole - PREFIX_BYTES;
    if (length > this.bytesMax) {
      const text = `Received message larger than max (${length} vs ${this.bytesMax})`;
      return refusal(Status.RESOURCE_EXHAUSTED, text);
    }
    return this.size > this.whole ? SECOND_MESSAGE : undefined;
  }

  get isWhole(): boolean {
    return this.size === this.whole;
  }

  get isEmpty(): boolean {
    return this.size === 0;
  }

  private joined(): Buffer {
    if (this.chunks.length > 1) this.chunks.splice(0, this.chunks.length, Buffer.concat(this.chunks));
    return this.chunks[0] as Buffer;
  }
}

const NO_MESSAGE = refusal(Status.INTERNAL, 'Half-closed without a request');
const SECOND_MESSAGE = refusal(Status.INTERNAL, 'Too many requests');
const TOO_LATE = refusal(Status.DEADLINE_EXCEEDED, 'Deadline exceeded');

/** Answers with a status alone. */
function refuse(stream: ServerHttp2Stream, { status, details }: GrpcReply): void {
  if (isOver(stream)) return;
  const text = details === '' ? undefined : { 'grpc-message': headerText(details) };
  stream.respond({ ...REFUSED, 'grpc-status': status, ...text }, { endStream: true });
  stream.resume();
}

/** What a header cannot hold is written as its bytes. */
function headerText(details: string): string {
  return details.replace(/[^ -$&-}]+/gu, (odd) => Buffer.from(odd).toString('hex').toUpperCase().replace(/../g, '%$&'));
}

function isOver(stream: ServerHttp2Stream): boolean {
  return stream.destroyed || stream.closed || stream.headersSent;
}

function timeoutMs(text: string): number {
  const { count = '', unit = '' } = TIMEOUT.exec(text)?.groups ?? {};
  return Math.min(TIMER_MS_MAX, Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS]); // the pattern lets no other through
}

const addresses = new WeakMap<ServerHttp2Session, string>();

/** Looked up once: behind a session's socket stands a proxy that is slow to ask. */
function addressOf(session: ServerHttp2Session): string {
  const known = addresses.get(session);
  if (known !== undefined) return known;
  const address = session.socket.remoteAddress ?? '';
  addresses.set(session, address);
  return address;
}
