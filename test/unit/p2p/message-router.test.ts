import t from 'tap';
import { MessageRouter, type RouterParts } from '../../../src/p2p/message-router.js';
import { P2pError } from '../../../src/p2p/p2p-error.js';
import { IdleClock } from '../../../src/p2p/peers/idle-clock.js';
import { WireMessageType } from '../../../src/p2p/wire/message-types.js';
import { fakePeer, observer, older, setOf } from '../../support/p2p/fake-peer.js';

t.test('logs an internal error as an error, and the rejection of a message as information', (t) => {
  for (const [error, expected] of [
    [new Error('the disk failed'), 'error'],
    [new P2pError('BAD_MESSAGE', 'invalid'), 'info'],
  ] as const) {
    const lines: string[] = [];
    const log = { error: () => lines.push('error'), info: () => lines.push('info') };
    const peer = fakePeer({ release: older });
    const now = (): number => 0;
    const hello = (): never => {
      throw error;
    };
    const parts = { peers: setOf([peer]), release: older, now, waitClock: new IdleClock(now), observer, log, hello };
    void new MessageRouter(parts as unknown as RouterParts).take(peer.peer, Uint8Array.of(WireMessageType.P2P_HELLO));
    t.same(lines, [expected]);
  }
  t.end();
});
