import { constants, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';

/**
 * ms between two pings that a peer may send, with calls and without.
 * Reference: NettyServerBuilder, KeepAliveEnforcer.
 */
const WITH_CALLS_MS = 300_000;
const WITHOUT_CALLS_MS = 7_200_000;
/** Pings that come earlier and are answered all the same. */
const STRIKES_MAX = 2;

/**
 * Counts the pings of a connection that come too early. What was answered to a call lets the next one come at any time.
 */
export class PingCounter {
  private lastMs = Number.NEGATIVE_INFINITY;
  private strikes = 0;

  /** Counts one ping. @returns whether it is one too many */
  isTooMany(nowMs: number, hasCalls: boolean): boolean {
    if (nowMs - this.lastMs >= (hasCalls ? WITH_CALLS_MS : WITHOUT_CALLS_MS)) {
      this.lastMs = nowMs;
      return false;
    }
    this.strikes++;
    return this.strikes > STRIKES_MAX;
  }

  answered(): void {
    this.lastMs = Number.NEGATIVE_INFINITY;
    this.strikes = 0;
  }
}

/** Ends a connection that pings more often than it may. */
export function limitPings(session: ServerHttp2Session): void {
  const counter = new PingCounter();
  let [calls, newest] = [0, 0];
  session.on('stream', (stream: ServerHttp2Stream) => {
    calls++;
    newest = Math.max(newest, stream.id ?? 0);
    stream.once('close', () => {
      calls--;
      if (stream.headersSent) counter.answered();
    });
  });
  session.on('ping', () => {
    if (session.destroyed || !counter.isTooMany(performance.now(), calls > 0)) return;
    session.goaway(constants.NGHTTP2_ENHANCE_YOUR_CALM, newest, Buffer.from('too_many_pings'));
    setImmediate(() => session.destroy());
  });
}
