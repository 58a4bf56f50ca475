import { constants, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';

/**
 * Minimum time between two pings of a client that has open calls, in ms. Reference: NettyServerBuilder,
 * KeepAliveEnforcer.
 */
const WITH_CALLS_MS = 300_000;
/** Minimum time between two pings of a client without open calls, in ms. Reference: KeepAliveEnforcer. */
const WITHOUT_CALLS_MS = 7_200_000;
/** Number of too early pings that are accepted. */
const STRIKES_MAX = 2;

/**
 * Counts the pings of a connection that arrive too early: less than the minimum time after the last ping that was not
 * too early. When a call ends after the server has sent an answer, the counter starts again at 0 and accepts the next
 * ping.
 */
export class PingCounter {
  private lastMs = Number.NEGATIVE_INFINITY;
  private strikes = 0;

  /** Counts a ping. @returns true if the connection must be closed */
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

/** Closes a connection that sends pings more often than allowed. */
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
