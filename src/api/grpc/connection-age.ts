import { constants, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import { TIMER_MS_MAX } from '../../primitives/units.js';

/**
 * Largest stream id of HTTP/2. With this id in the GOAWAY frame, the calls that the client has already sent are still
 * processed.
 */
const LAST_STREAM = 2 ** 31 - 1;
/**
 * Maximum random deviation from the configured maximum age, up or down, as a fraction of that age. Reference:
 * MaxConnectionIdleManager
 */
const JITTER = 0.1;

/** Closes a connection that has had no call for `idleMs` ms. A value of `TIMER_MS_MAX` or more means no limit. */
export function limitIdleTime(session: ServerHttp2Session, idleMs: number): void {
  if (idleMs >= TIMER_MS_MAX) return;
  let calls = 0;
  const timer = setTimeout(() => calls === 0 && closeGently(session, 'max_idle'), idleMs).unref();
  session.on('stream', (stream: ServerHttp2Stream) => {
    calls++;
    stream.once('close', () => {
      calls--;
      if (!session.closed) timer.refresh();
    });
  });
  session.once('close', () => clearTimeout(timer));
}

/** Closes a connection when its age is about `ageMs` ms. A value of `TIMER_MS_MAX` or more means no limit. */
export function limitAge(session: ServerHttp2Session, ageMs: number): void {
  if (ageMs >= TIMER_MS_MAX) return;
  const jittered = Math.min(TIMER_MS_MAX, ageMs * (1 - JITTER + 2 * JITTER * Math.random()));
  const timer = setTimeout(() => closeGently(session, 'max_age'), jittered).unref();
  session.once('close', () => clearTimeout(timer));
}

/** Closes a connection after its open calls have ended. */
function closeGently(session: ServerHttp2Session, reason: string): void {
  if (session.closed || session.destroyed) return;
  session.goaway(constants.NGHTTP2_NO_ERROR, LAST_STREAM, Buffer.from(reason));
  session.close();
}
