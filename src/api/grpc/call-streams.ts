import { constants, type IncomingHttpHeaders, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import type { Logger } from 'pino';
import type { ByteShare, DropReason } from '../../primitives/byte-budget.js';
import { TIMER_MS_MAX } from '../../primitives/units.js';
import { CONNECTION_BYTES_MAX, type MemoryBudgets } from '../middleware/memory-budgets.js';
import type { ApiRelease } from '../releases/api-release.js';
import { type CallHead, echoOf, httpRefusal, readHead } from './call-head.js';
import { CallTurns, type Connection, createConnection } from './call-turns.js';
import { GrpcStatusError } from './grpc-method.js';
import { type GrpcReply, GrpcStatus, refusal } from './grpc-reply.js';
import { MessageReader, unpack } from './message-reader.js';
import type { RateLimitedCalls } from './rate-limited-handler.js';
import { ALONE, type CallEnd, type CallMethod, GOOD, ServerCall } from './server-call.js';
import { UnreadAnswers } from './unread-answers.js';

interface CallStreamsOptions {
  /** Methods of the services for health and reflection, by name. java-tron does not have all of these services. */
  readonly methods: ReadonlyMap<string, CallMethod>;
  /** Runs the methods of java-tron's services. */
  readonly answers: RateLimitedCalls;
  /** Maximum size of a request, in bytes. */
  readonly messageBytesMax: number;
  /** Maximum size of request headers, in bytes. */
  readonly headBytesMax: number;
  readonly release: Pick<ApiRelease, 'grpc' | 'grpcUnknownText'>;
  readonly budgets: MemoryBudgets;
  readonly log: Logger;
}

/** A call whose headers are valid. */
interface OpenCall {
  readonly call: ServerCall;
  readonly method: CallMethod;
  readonly name: string;
  /** Time in ms at which the call expires; undefined if the client sets no time limit. */
  readonly dueMs: number | undefined;
  readonly reader: MessageReader;
}

/** Time within which a complete request must arrive, in milliseconds. It limits the memory for incomplete requests. */
const REQUEST_TIMEOUT_MS = 60_000;
/** Interval in milliseconds between the checks for requests that have not arrived completely in time. */
const LATE_CHECK_MS = 5_000;
/** Memory in bytes of the objects that represent a queued message, in addition to its content. */
const QUEUED_BYTES = 512;
/** Minimum timeout of a call in ms. A call with a shorter timeout expires before the node can reply. */
const SHORTEST_MS = 1;

const { NGHTTP2_CANCEL } = constants;
const DROPPED: Readonly<Record<DropReason, GrpcReply>> = {
  full: refusal(GrpcStatus.RESOURCE_EXHAUSTED, 'too many unfinished requests'),
  stalled: refusal(GrpcStatus.DEADLINE_EXCEEDED, 'request did not arrive in time'),
};
const NO_MESSAGE = refusal(GrpcStatus.INTERNAL, 'Half-closed without a request');
const SECOND_MESSAGE = refusal(GrpcStatus.INTERNAL, 'Too many requests');
const CUT_OFF = refusal(GrpcStatus.INTERNAL, 'Encountered end-of-stream mid-frame');

/**
 * Receives calls on HTTP/2 streams. Starts a limited number of methods per turn of the event loop. Limits the memory of
 * requests and answers.
 */
export class CallStreams {
  private readonly options: CallStreamsOptions;
  /** Incomplete requests, and the time in ms at which each of them expires. */
  private readonly arriving = new Map<ServerCall, number>();
  private readonly unread: UnreadAnswers;
  private readonly connections = new WeakMap<ServerHttp2Session, Connection>();
  private readonly turns = new CallTurns();
  private readonly timer: NodeJS.Timeout;

  constructor(options: CallStreamsOptions) {
    this.options = options;
    this.unread = new UnreadAnswers(options.budgets.answers);
    this.timer = setInterval(() => this.dropLate(), LATE_CHECK_MS);
    this.timer.unref();
  }

  close(): void {
    clearInterval(this.timer);
  }

  /** Serves a call on a stream. @param pairs headers as received: names and values, alternating */
  serve(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, pairs: readonly string[]): void {
    const { headBytesMax, release, methods, answers } = this.options;
    const { unread, turns } = this;
    // If the client closes the connection early, it needs no reply, so the error is ignored.
    stream.on('error', () => undefined);
    const invalid = httpRefusal(headers, pairs, headBytesMax);
    if (invalid !== undefined) {
      stream.respond(invalid, ALONE);
      stream.resume();
      return;
    }
    const call = new ServerCall({ stream, connection: this.connectionOf(stream), unread, turns });
    const head = readHead(headers, release.grpc);
    if (!isHead(head)) {
      call.end(head);
      return;
    }
    const name = String(headers[':path']).slice(1);
    const own = methods.get(name);
    const refused = own === undefined ? answers.refusalOf(name) : undefined;
    if (refused !== undefined) call.end(refused, refused.echoes && echoOf(headers));
    else if (head.timeoutMs !== undefined && head.timeoutMs < SHORTEST_MS) call.end(NGHTTP2_CANCEL);
    else this.receive(this.openCall(call, head, name, own ?? this.methodOf(name)));
  }

  private openCall(call: ServerCall, { isPacked, timeoutMs }: CallHead, name: string, method: CallMethod): OpenCall {
    const dueMs = timeoutMs === undefined ? undefined : performance.now() + timeoutMs;
    const bytesMax = method.requestBytesMax ?? this.options.messageBytesMax;
    return { call, method, name, dueMs, reader: new MessageReader({ bytesMax, isPacked }) };
  }

  /** Returns a method of java-tron's services as a handler of calls. */
  private methodOf(name: string): CallMethod {
    const send = (call: ServerCall, reply: GrpcReply): void => {
      const { status, details } = reply;
      if (status !== GrpcStatus.OK) this.options.log.debug({ method: name, status, details }, 'grpc call refused');
      call.answer(reply);
    };
    return {
      takesMany: false,
      handle: (request, call) => {
        const reply = this.options.answers.answer(name, request, call.connection.address);
        return reply instanceof Promise ? reply.then((later) => send(call, later)) : send(call, reply);
      },
    };
  }

  private receive(open: OpenCall): void {
    const { call, method, dueMs, reader } = open;
    const { stream, connection } = call;
    const expire = (): void => {
      const latestMs = performance.now() + REQUEST_TIMEOUT_MS;
      this.arriving.set(call, dueMs === undefined ? latestMs : Math.min(dueMs, latestMs));
    };
    const share = this.options.budgets.requests.open({
      drop: (reason) => {
        this.arriving.delete(call);
        call.abandon(DROPPED[reason]);
      },
      group: connection.requests,
    });
    const fail = (how: CallEnd): void => {
      this.arriving.delete(call);
      share.close();
      call.end(how);
    };
    let message: Buffer | undefined;
    expire();
    stream.on('close', () => {
      // Returns the memory of an incomplete request to the budget. The memory of a complete request is returned after
      // its method has run.
      if (this.arriving.delete(call)) share.close();
      call.closed();
    });
    stream.on('data', (chunk: Buffer) => {
      // The request was already rejected, so its remaining bytes are ignored.
      if (call.isOver) return;
      try {
        for (const next of reader.add(chunk)) {
          if (method.takesMany) this.queueMessage(open, next);
          else if (message !== undefined) return fail(SECOND_MESSAGE);
          else message = next;
        }
      } catch (error) {
        return fail(this.faultOf(error));
      }
      if (method.takesMany) expire();
      share.set(reader.bufferedBytes + (message?.length ?? 0), chunk.length);
    });
    stream.on('end', () => {
      this.arriving.delete(call);
      if (call.isOver) share.close();
      else if (reader.hasPart) fail(this.options.release.grpc.reportsFaults ? CUT_OFF : NGHTTP2_CANCEL);
      else if (method.takesMany) {
        share.close();
        this.turns.add(connection, () => call.end(GOOD));
      } else if (message === undefined) fail(NO_MESSAGE);
      else this.queue(open, message, share);
    });
  }

  /** Queues a request message of a call that may send several. Each message has its own part of the memory budget. */
  private queueMessage(open: OpenCall, message: Buffer): void {
    const { call } = open;
    const share = this.options.budgets.requests.open({
      drop: (reason) => call.abandon(DROPPED[reason]),
      group: call.connection.requests,
    });
    share.set(message.length + QUEUED_BYTES);
    this.queue(open, message, share);
  }

  /** Queues a request message. @param share part of the memory budget that the message uses */
  private queue(open: OpenCall, message: Buffer, share: ByteShare): void {
    share.stopClock();
    this.turns.add(open.call.connection, () => {
      if (open.call.isOver) share.close();
      else this.start(open, message, share);
    });
  }

  private start({ call, method, name, dueMs }: OpenCall, message: Buffer, share: ByteShare): void {
    const { messageBytesMax, release, log } = this.options;
    const finish = (): void => share.close();
    try {
      const done = method.handle(unpack(message, method.requestBytesMax ?? messageBytesMax), call);
      if (done instanceof Promise) void done.then(finish);
      else finish();
    } catch (error) {
      finish();
      log.debug({ method: name, err: error }, 'grpc call failed');
      call.end(refusal(GrpcStatus.UNKNOWN, release.grpcUnknownText));
    }
    if (dueMs !== undefined && !call.isOver && !method.takesMany) endAt(call, dueMs);
  }

  private faultOf(error: unknown): CallEnd {
    if (!(error instanceof GrpcStatusError)) throw error;
    return this.options.release.grpc.reportsFaults ? refusal(error.status, error.message) : NGHTTP2_CANCEL;
  }

  private connectionOf({ session }: ServerHttp2Stream): Connection {
    const key = session as ServerHttp2Session;
    const known = this.connections.get(key);
    if (known !== undefined) return known;
    // Stores the address, because access to the socket of an HTTP/2 session is slow.
    const address = key.socket.remoteAddress ?? '';
    const connection = createConnection(CONNECTION_BYTES_MAX + this.options.messageBytesMax, address);
    this.connections.set(key, connection);
    return connection;
  }

  private dropLate(): void {
    const now = performance.now();
    for (const [call, dueMs] of this.arriving) if (dueMs < now) call.end(NGHTTP2_CANCEL);
    this.unread.setTimers(now);
  }
}

function isHead(read: CallHead | CallEnd): read is CallHead {
  return typeof read === 'object' && 'isPacked' in read;
}

/** Resets a call at its deadline. */
function endAt(call: ServerCall, dueMs: number): void {
  const timer = setTimeout(() => call.end(NGHTTP2_CANCEL), Math.min(TIMER_MS_MAX, dueMs - performance.now()));
  call.stream.once('close', () => clearTimeout(timer));
}
