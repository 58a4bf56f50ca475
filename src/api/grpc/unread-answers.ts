import { constants, type ServerHttp2Stream } from 'node:http2';
import type { ByteBudget, ByteGroup, ByteShare } from '../../primitives/byte-budget.js';

/** Time in ms within which a client must read a part of an answer. Otherwise, the call is reset. */
const UNREAD_TIMEOUT_MS = 30_000;
/** Time in ms after which an unread answer gets a timer. Most clients read an answer earlier. */
const TIMED_AFTER_MS = 5_000;
/** Time in ms within which a client must acknowledge the reset of a call. Otherwise, the connection is closed. */
const CUT_MS = 5_000;

/**
 * Answers that clients have not read. Limits the size of these answers, and the time in which a client reads nothing.
 */
export class UnreadAnswers {
  private readonly budget: ByteBudget;
  /** Calls with unread answers that have no timer yet, with the time in ms since which their answers are unread. */
  private readonly since = new Map<ServerHttp2Stream, number>();

  constructor(budget: ByteBudget) {
    this.budget = budget;
  }

  /**
   * Reserves a part of the memory budget for the answers of a call. If the budget drops this part, for example
   * because it is full, the call is reset.
   */
  share(stream: ServerHttp2Stream, group: ByteGroup): ByteShare {
    return this.budget.open({ drop: () => cut(stream), group });
  }

  /** Must be called after an answer of a call was sent. */
  sent(stream: ServerHttp2Stream): void {
    if (!this.since.has(stream)) this.since.set(stream, performance.now());
  }

  /** Must be called when the client has read all answers of a call. */
  read(stream: ServerHttp2Stream): void {
    if (!this.since.delete(stream) && !stream.destroyed) stream.setTimeout(0);
  }

  /** Sets timers for answers that have been unread for some time. Must be called regularly. */
  setTimers(nowMs: number): void {
    for (const [stream, sinceMs] of this.since) {
      if (sinceMs > nowMs - TIMED_AFTER_MS) break;
      this.since.delete(stream);
      // The timeout starts again whenever the client reads a part of the answer.
      stream.setTimeout(UNREAD_TIMEOUT_MS - TIMED_AFTER_MS, () => cut(stream));
    }
  }
}

/**
 * Resets a call whose answer the client does not read. If the client does not read the reset either, closes the
 * connection.
 */
function cut(stream: ServerHttp2Stream): void {
  const { session } = stream;
  stream.close(constants.NGHTTP2_CANCEL);
  setTimeout(() => {
    if (!stream.destroyed) session?.destroy();
  }, CUT_MS).unref();
}
