import t from 'tap';
import type { Channel } from '../../../../src/p2p/transport/channel.js';
import { FrameworkType } from '../../../../src/p2p/transport/framework-message.js';
import { keepAlive, takeKeepAlive } from '../../../../src/p2p/transport/keep-alive.js';

function quietChannel() {
  const happened: string[] = [];
  const channel = {
    isClosed: false,
    isHandshaken: true,
    waitsForPong: false,
    pingSentMs: 0,
    lastSendMs: 0,
    send: (bytes: Uint8Array) => happened.push(bytes[0] === FrameworkType.ping ? 'ping' : 'pong'),
    sayGoodbye: (name: string) => happened.push(name),
    close: () => happened.push('closed'),
    noteLatency: (ms: number) => happened.push(`${ms} ms`),
  };
  // Contains only the channel methods that keep-alive calls.
  return { channel: channel as unknown as Channel, happened };
}

t.test('pings after 20 s without output and closes after 20 s without an answer', async (t) => {
  const { channel, happened } = quietChannel();
  keepAlive(channel, 20_000);
  t.same(happened, []);
  keepAlive(channel, 20_001);
  t.same(happened, ['ping']);
  keepAlive(channel, 40_001);
  t.same(happened, ['ping']);
  keepAlive(channel, 40_002);
  t.same(happened, ['ping', 'PING_TIMEOUT', 'closed']);
});

t.test('answers a ping and measures latency by a pong', async (t) => {
  const { channel, happened } = quietChannel();
  takeKeepAlive(channel, 'ping', 5);
  keepAlive(channel, 30_000);
  takeKeepAlive(channel, 'pong', 30_042);
  t.same(happened, ['pong', 'ping', '42 ms']);
  t.notOk(channel.waitsForPong);
});

t.test('sends nothing before the handshake or after close', async (t) => {
  for (const state of [{ isHandshaken: false }, { isClosed: true }]) {
    const { channel, happened } = quietChannel();
    keepAlive(Object.assign(channel, state), 99_999);
    t.same(happened, []);
  }
});
