import { constants, type OutgoingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import type { ByteShare } from '../../primitives/byte-budget.js';
import type { CallTurns, Connection } from './call-turns.js';
import { type GrpcReply, GrpcStatus, refusal } from './grpc-reply.js';
import { PREFIX_BYTES } from './message-reader.js';
import type { UnreadAnswers } from './unread-answers.js';

/** End of a call without a message. It is either a status, or the code of an HTTP/2 reset as a number. */
export type CallEnd = GrpcReply | number;

/** A method that receives messages as bytes. It sends messages and the status through the call. */
export interface CallMethod {
  /**
   * True if a call may have several request messages, which are handled one after another. False if a call has
   * exactly one request message.
   */
  readonly takesMany: boolean;
  /** Maximum size of a request message, in bytes. Default: the limit of the server. */
  readonly requestBytesMax?: number;
  /**
   * Handles a request message. The message uses the memory budget until this method returns, or until its promise
   * settles.
   * @throws {Error} the message is malformed
   */
  handle(request: Buffer, call: ServerCall): void | Promise<void>;
}

const { NGHTTP2_ENHANCE_YOUR_CALM, NGHTTP2_NO_ERROR } = constants;
const HEAD = {
  ':status': 200,
  'content-type': 'application/grpc',
  'grpc-encoding': 'identity',
  'grpc-accept-encoding': 'gzip',
} as const;
const WITH_TRAILERS = { waitForTrailers: true, sendDate: false } as const;
export const ALONE = { endStream: true, sendDate: false } as const;
const REFUSED = { ':status': 200, 'content-type': 'application/grpc' } as const;
export const GOOD = refusal(GrpcStatus.OK, '');
const GOOD_TRAILERS = { 'grpc-status': '0' } as const;

interface CallParts {
  readonly stream: ServerHttp2Stream;
  readonly connection: Connection;
  readonly unread: UnreadAnswers;
  /** Starts further calls of the connection after the client has read answers. */
  readonly turns: CallTurns;
}

/** Sends the messages and the status of a call. After the end of the call, its methods do nothing. */
export class ServerCall {
  readonly stream: ServerHttp2Stream;
  readonly connection: Connection;
  private readonly unread: UnreadAnswers;
  private readonly turns: CallTurns;
  private share: ByteShare | undefined;
  private trailers: OutgoingHttpHeaders = GOOD_TRAILERS;
  private hasEnded = false;

  constructor({ stream, connection, unread, turns }: CallParts) {
    this.stream = stream;
    this.connection = connection;
    this.unread = unread;
    this.turns = turns;
  }

  /** True if the status was sent, or the call was reset. */
  get isOver(): boolean {
    return this.hasEnded || this.stream.destroyed || this.stream.closed;
  }

  /** Sends the only message of a call, and its status. If the status is not OK, sends no message. */
  answer(reply: GrpcReply): void {
    if (reply.status !== GrpcStatus.OK) {
      this.end(reply);
      return;
    }
    if (this.isOver) return;
    this.hasEnded = true;
    this.begin();
    const frame = frameOf(reply.bytes);
    this.stream.end(frame);
    this.sent().set(frame.length);
  }

  /** Sends a message. More messages may follow. */
  send(message: Uint8Array): void {
    if (this.isOver) return;
    if (!this.stream.headersSent) this.begin();
    const frame = frameOf(message);
    const share = this.sent();
    share.set(share.bytes + frame.length);
    this.stream.write(frame, () => {
      share.set(share.bytes - frame.length);
      if (share.bytes === 0) this.unread.read(this.stream);
      this.turns.read(this.connection);
    });
  }

  /** Ends the call. @param echo request headers that the response repeats */
  end(how: CallEnd, echo?: OutgoingHttpHeaders): void {
    if (this.isOver) return;
    this.hasEnded = true;
    if (typeof how === 'number') this.stream.close(how);
    else if (this.stream.headersSent) {
      this.trailers = trailersOf(how);
      this.stream.end();
    } else {
      this.stream.respond({ ...echo, ...REFUSED, ...trailersOf(how) }, ALONE);
      this.stream.resume();
    }
  }

  /** Ends a call whose request exceeds the limit of memory or time. Ignores all further bytes of the request. */
  abandon(reply: GrpcReply): void {
    if (this.stream.headersSent) {
      // The client does not read answers. A status would arrive only after these answers, so the call is reset instead.
      this.end(NGHTTP2_ENHANCE_YOUR_CALM);
      return;
    }
    this.end(reply);
    setImmediate(() => this.stream.close(NGHTTP2_NO_ERROR));
  }

  /** Must be called when the stream is closed. */
  closed(): void {
    if (this.share === undefined) return;
    this.unread.read(this.stream);
    this.share.close();
    this.turns.read(this.connection);
  }

  private begin(): void {
    this.stream.respond(HEAD, WITH_TRAILERS);
    this.stream.on('wantTrailers', () => this.stream.sendTrailers(this.trailers));
  }

  private sent(): ByteShare {
    this.unread.sent(this.stream);
    this.share ??= this.unread.share(this.stream, this.connection.answers);
    return this.share;
  }
}

function frameOf(message: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(PREFIX_BYTES + message.length);
  frame[0] = 0;
  frame.writeUInt32BE(message.length, 1);
  frame.set(message, PREFIX_BYTES);
  return frame;
}

function trailersOf({ status, details }: GrpcReply): OutgoingHttpHeaders {
  return { 'grpc-status': status, ...(details !== '' && { 'grpc-message': headerText(details) }) };
}

/** Returns a text with percent escapes for characters that a header cannot contain. */
function headerText(details: string): string {
  return details.replace(/[^ -$&-}]+/gu, (odd) => Buffer.from(odd).toString('hex').toUpperCase().replace(/../g, '%$&'));
}
