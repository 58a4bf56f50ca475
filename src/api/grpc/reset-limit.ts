import { constants, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';

/** Calls that a connection may reset within a window. */
export interface ResetLimit {
  readonly max: number;
  readonly windowMs: number;
}

/**
 * Counts resets: a window begins with the first one after the last window.
 * Reference: Netty's Http2MaxRstFrameListener.
 */
export class ResetCounter {
  private readonly limit: ResetLimit;
  private sinceMs = Number.NEGATIVE_INFINITY;
  private count = 0;

  constructor(limit: ResetLimit) {
    this.limit = limit;
  }

  /** Counts one reset. @returns whether it is one too many */
  isTooMany(nowMs: number): boolean {
    const isOver = nowMs - this.sinceMs >= this.limit.windowMs;
    if (isOver) this.sinceMs = nowMs;
    this.count = isOver ? 1 : this.count + 1;
    return this.count > this.limit.max;
  }
}

/** Ends a connection that takes back more calls than it may: each of them costs a turn that nobody pays for. */
export function limitResets(session: ServerHttp2Session, limit: ResetLimit): void {
  const counter = new ResetCounter(limit);
  session.on('stream', (stream: ServerHttp2Stream) => {
    stream.once('close', () => {
      if (stream.rstCode === constants.NGHTTP2_NO_ERROR || session.destroyed) return;
      if (!counter.isTooMany(performance.now())) return;
      session.goaway(constants.NGHTTP2_ENHANCE_YOUR_CALM);
      setImmediate(() => session.destroy());
    });
  });
}
