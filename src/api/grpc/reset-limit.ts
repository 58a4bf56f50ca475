import { constants, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';

/** Maximum number of calls that a connection may reset within a time window. */
export interface ResetLimit {
  readonly max: number;
  readonly windowMs: number;
}

/**
 * Counts the calls that a connection resets. After the end of a time window, the next reset starts a new time window.
 * Reference: Netty's Http2MaxRstFrameListener.
 */
export class ResetCounter {
  private readonly limit: ResetLimit;
  private sinceMs = Number.NEGATIVE_INFINITY;
  private count = 0;

  constructor(limit: ResetLimit) {
    this.limit = limit;
  }

  /** Counts a reset. @returns true if the connection must be closed */
  isTooMany(nowMs: number): boolean {
    const isOver = nowMs - this.sinceMs >= this.limit.windowMs;
    if (isOver) this.sinceMs = nowMs;
    this.count = isOver ? 1 : this.count + 1;
    return this.count > this.limit.max;
  }
}

/** Closes a connection that resets more calls than allowed. This prevents the HTTP/2 rapid reset attack. */
export function limitResets(session: ServerHttp2Session, limit: ResetLimit): void {
  const counter = new ResetCounter(limit);
  session.on('stream', (stream: ServerHttp2Stream) => {
    stream.once('close', () => {
      // A reset without an error and a complete answer both have code 0. Only the reset sets `aborted`.
      const isReset = stream.rstCode !== constants.NGHTTP2_NO_ERROR || stream.aborted;
      if (!isReset || session.destroyed) return;
      if (!counter.isTooMany(performance.now())) return;
      session.goaway(constants.NGHTTP2_ENHANCE_YOUR_CALM);
      session.destroy();
    });
  });
}
