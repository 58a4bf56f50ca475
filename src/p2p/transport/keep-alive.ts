import type { Channel } from './channel.js';
import { encodeKeepAlive } from './framework-message.js';

/** Interval of the check of all connections, in ms. */
export const KEEP_ALIVE_PERIOD_MS = 2000;
/** Time in ms without a sent message after which a ping is sent. Reference: Parameter.KEEP_ALIVE_TIMEOUT. */
const QUIET_MS = 20_000;
/** Time limit for a pong, in ms. Reference: Parameter.PING_TIMEOUT. */
const ANSWER_MS = 20_000;

/**
 * Pings a connection on which nothing was sent for 20 s, and closes it if the pong is late. Reference: KeepAliveService
 * of TRON's Java library libp2p.
 */
export function keepAlive(channel: Channel, nowMs: number): void {
  if (channel.isClosed || !channel.isHandshaken) return;
  if (channel.waitsForPong) {
    if (nowMs - channel.pingSentMs <= ANSWER_MS) return;
    channel.sayGoodbye('PING_TIMEOUT');
    channel.close();
    return;
  }
  if (nowMs - channel.lastSendMs <= QUIET_MS) return;
  channel.send(encodeKeepAlive('ping', nowMs));
  channel.waitsForPong = true;
  channel.pingSentMs = nowMs;
}

export function takeKeepAlive(channel: Channel, kind: 'ping' | 'pong', nowMs: number): void {
  if (kind === 'ping') {
    channel.send(encodeKeepAlive('pong', nowMs));
    return;
  }
  channel.noteLatency(nowMs - channel.pingSentMs);
  channel.waitsForPong = false;
}
