import t from 'tap';
import { P2pDisconnectCode, P2pStatusMessage } from '../../../../src/codec/generated/messages.js';
import { encodeFrame } from '../../../../src/p2p/transport/frames.js';
import { decodeFramework, encodeKeepAlive, encodeStatus } from '../../../../src/p2p/transport/framework-message.js';
import { keepAlive } from '../../../../src/p2p/transport/keep-alive.js';
import { createNodeId, toEndpoint } from '../../../../src/p2p/transport/node-address.js';
import { toHex } from '../../../../src/primitives/bytes.js';
import { bytesOf, capture } from '../../../support/p2p/captures.js';
import { RawPeer } from '../../../support/p2p/raw-peer.js';
import { NETWORK, side } from '../../../support/p2p/side.js';
import { until } from '../../../support/until.js';

t.test('completes a handshake and exchanges messages of all sizes', async (t) => {
  const b = await side(t);
  const a = await side(t, { activeNodes: () => [{ host: '127.0.0.1', port: b.port }] });
  await a.wait(() => a.connected.length === 1);
  await b.wait(() => b.connected.length === 1);
  const [toB] = a.connected;
  const [toA] = b.connected;
  t.ok(toB?.isActive && !toA?.isActive);
  const messages = capture('tron-messages').map(([, hex]) => hex!);
  messages.push(`02${'ab'.repeat(3_000_000)}`);
  for (const hex of messages) toB?.send(bytesOf(hex));
  await b.wait(() => b.messages.length === messages.length);
  t.ok(
    messages.every((hex, at) => b.messages[at] === hex),
    'in order and complete',
  );
  toA?.send(bytesOf('22c0'));
  await a.wait(() => a.messages.length === 1);
  t.same(a.messages, ['22c0']);
  toA?.close();
  await a.wait(() => a.disconnected.length === 1);
  t.ok(a.transport.table.bans.isBanned('127.0.0.1'), 'the end of a connection bans the address on both sides');
  t.ok(b.transport.table.bans.isBanned('127.0.0.1'));
  t.equal(a.transport.table.size + b.transport.table.size, 0);
});

t.test('answers a rejected HELLO with its code, then closes', async (t) => {
  const full = await side(t, { maxConnections: 0 });
  const few = await side(t, { maxConnectionsWithSameIp: 0 });
  const open = await side(t, { isTrusted: () => true });
  const closed = await side(t);
  closed.transport.table.bans.ban('127.0.0.1', 60_000);
  const id = createNodeId();
  const duplicate = await RawPeer.dial(open.port);
  duplicate.hello({ id, networkId: NETWORK });
  t.equal((await duplicate.nextHello()).code, P2pDisconnectCode.NORMAL);
  const cases: readonly (readonly [port: number, networkId: number, code: keyof typeof P2pDisconnectCode])[] = [
    [full.port, NETWORK, 'TOO_MANY_PEERS'],
    [open.port, NETWORK, 'DUPLICATE_PEER'],
    [few.port, NETWORK, 'MAX_CONNECTION_WITH_SAME_IP'],
    [closed.port, NETWORK, 'TIME_BANNED'],
    [closed.port, 1, 'TIME_BANNED'],
  ];
  for (const [port, networkId, code] of cases) {
    const peer = await RawPeer.dial(port);
    peer.hello({ id, networkId });
    t.equal((await peer.nextHello()).code, P2pDisconnectCode[code], code);
    await peer.ended();
  }
  const foreign = await RawPeer.dial(open.port);
  foreign.hello({ id: createNodeId(), networkId: 1 });
  t.equal((await foreign.nextHello()).code, P2pDisconnectCode.DIFFERENT_VERSION);
  await foreign.ended();
  t.equal(open.connected.length, 1);
});

t.test('the dialling side closes a rejected connection, or one to itself, without an answer', async (t) => {
  const b = await side(t, { networkId: 1 });
  const a = await side(t, { activeNodes: () => [{ host: '127.0.0.1', port: b.port }] });
  await a.wait(() => a.disconnected.length === 1);
  t.equal(a.connected.length + b.connected.length, 0);
  const self = await side(t, { isTrusted: () => true });
  self.transport.connect({ host: '127.0.0.1', port: self.port }, createNodeId());
  await self.wait(() => self.disconnected.length === 2);
  t.equal(self.connected.length, 0);
});

t.test('closes on a second HELLO, unknown types and empty messages', async (t) => {
  const node = await side(t, { isTrusted: () => true });
  for (const what of ['hello', 'fb', '7f', '']) {
    const peer = await RawPeer.dial(node.port);
    const id = createNodeId();
    peer.hello({ id, networkId: NETWORK });
    await peer.nextHello();
    if (what === 'hello') peer.hello({ id, networkId: NETWORK });
    else if (what === '') peer.say(bytesOf('0801120100'));
    else peer.sayWrapped(bytesOf(what));
    await peer.ended();
    t.equal(peer.frames.length, 0, `no message is sent: ${what}`);
  }
});

t.test('does not wrap messages for a peer that sends application data before the handshake', async (t) => {
  const node = await side(t, { isTrusted: () => true });
  const peer = await RawPeer.dial(node.port);
  peer.say(bytesOf('22c0'));
  await node.wait(() => node.messages.length === 1);
  node.connected[0]?.send(bytesOf('23c0'));
  t.equal(toHex((await peer.next())!), '23c0');
  peer.close();
});

t.test('answers a ping with its clock and STATUS with its connections, without a ban', async (t) => {
  const node = await side(t);
  const peer = await RawPeer.dial(node.port);
  peer.hello({ id: createNodeId(), networkId: NETWORK });
  await peer.nextHello();
  peer.sayWrapped(encodeKeepAlive('ping', 1));
  const pong = decodeFramework((await peer.nextWrapped())!, Date.now());
  t.equal(pong.kind, 'pong');
  t.ok(pong.kind === 'pong' && pong.message.timestamp > 1n);
  const requester = await RawPeer.dial(node.port);
  requester.write(bytesOf(capture('tcp-status')[0]?.[1]));
  const answer = await requester.next();
  t.equal(answer?.[0], 0xfc);
  const { networkId, maxConnections, currentConnections } = P2pStatusMessage.decode(answer!.subarray(1));
  t.same(
    { networkId, maxConnections, currentConnections },
    { networkId: NETWORK, maxConnections: 30, currentConnections: 1 },
  );
  await requester.ended();
  t.notOk(node.transport.table.bans.isBanned('127.0.0.1'));
  peer.close();
});

// libp2p does not report the close of a connection that sent both a HELLO and a status request, and never frees its
// slot. An attacker could occupy all slots in this way.
t.test('closes a status connection without a ban and frees its slot', async (t) => {
  const node = await side(t, { maxConnections: 1 });
  const from = toEndpoint({ id: createNodeId(), ipv4: '127.0.0.1', ipv6: undefined, port: 1 });
  for (let times = 1; times <= 2; times++) {
    const peer = await RawPeer.dial(node.port);
    peer.hello({ id: createNodeId(), networkId: NETWORK });
    t.equal((await peer.nextHello()).code, P2pDisconnectCode.NORMAL);
    peer.sayWrapped(encodeStatus(Object.assign(new P2pStatusMessage(), { from })));
    t.equal((await peer.nextWrapped())?.[0], 0xfc);
    await peer.ended();
    await node.wait(() => node.disconnected.length === times);
    t.equal(node.transport.table.size, 0);
  }
});

t.test('pings a quiet connection after 20 s and closes it 20 s after an unanswered ping', async (t) => {
  const node = await side(t);
  const peer = await RawPeer.dial(node.port);
  peer.hello({ id: createNodeId(), networkId: NETWORK });
  await peer.nextHello();
  const [channel] = node.connected;
  const quiet = channel!.lastSendMs;
  keepAlive(channel!, quiet + 20_000);
  t.notOk(channel?.waitsForPong, 'not after exactly 20 s');
  keepAlive(channel!, quiet + 20_001);
  t.equal(toHex((await peer.nextWrapped())!).slice(0, 2), 'ff');
  keepAlive(channel!, quiet + 40_001);
  t.notOk(channel?.isClosed);
  keepAlive(channel!, quiet + 40_002);
  t.ok(channel?.isClosed);
  await peer.ended();
});

t.test('at most closes the connection on captured bytes with flipped bits', async (t) => {
  const node = await side(t, { isTrusted: () => true });
  const lines = capture('tcp-connection').filter(([, direction, label]) => direction === 'A>B' && label !== 'TCP_FIN');
  let seed = 20_260_101;
  const below = (limit: number): number => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((seed / 2 ** 32) * limit);
  };
  for (let round = 0; round < 200; round++) {
    const peer = await RawPeer.dial(node.port);
    const flipped = 1 + below(lines.length - 1);
    for (const [at, [, , label, hex]] of lines.entries()) {
      const bytes = Buffer.from(bytesOf(hex));
      // Gives each connection another node id, because a node id is accepted only once.
      if (label === 'HANDSHAKE_HELLO') bytes.writeUInt32BE(round + 1, 40);
      if (at === flipped)
        for (let count = 1 + below(4); count > 0; count--) bytes[below(bytes.length)]! ^= 1 << below(8);
      peer.write(bytes);
    }
    if (round % 2 === 0) await peer.nextHello();
    peer.close();
    await peer.ended();
  }
  const fine = await RawPeer.dial(node.port);
  fine.hello({ id: createNodeId(), networkId: NETWORK });
  t.equal((await fine.nextHello()).code, P2pDisconnectCode.NORMAL, 'the node still listens');
  fine.write(encodeFrame(new Uint8Array(0)));
  fine.close();
});

t.test('silent connections of one address do not block other addresses', async (t) => {
  const node = await side(t, { isTrusted: (host) => host === '127.0.0.9' });
  const silent = await Promise.all(Array.from({ length: 60 }, () => RawPeer.dial(node.port, '127.0.0.2')));
  t.teardown(() => {
    for (const peer of silent) peer.close();
  });
  for (const host of ['127.0.0.2', '127.0.0.3', '127.0.0.9']) {
    const honest = await RawPeer.dial(node.port, host);
    honest.hello({ id: createNodeId(), networkId: NETWORK });
    t.equal((await honest.nextHello()).code, P2pDisconnectCode.NORMAL, host);
    t.teardown(() => honest.close());
  }
  await until('forty connections are closed', () => silent.filter(({ isEnded }) => isEnded).length >= 40);
  t.notOk(node.transport.table.bans.isBanned('127.0.0.2'), 'the address is not banned');
});

t.test('limits the number of messages and the time before HELLO', async (t) => {
  let aheadMs = 0;
  const node = await side(t, { now: () => Date.now() + aheadMs });
  const large = await RawPeer.dial(node.port, '127.0.0.4');
  large.write(encodeFrame(new Uint8Array(4096)).subarray(0, 10));
  await large.ended();
  const slow = await RawPeer.dial(node.port, '127.0.0.5');
  slow.write(Uint8Array.of(200));
  aheadMs = 59_000;
  slow.write(Uint8Array.of(1));
  aheadMs = 61_000;
  slow.write(Uint8Array.of(1));
  await slow.ended();
  t.equal(node.connected.length, 0);
});

t.test('closes on the libp2p disconnect message of 4.8.2, before and after the handshake', async (t) => {
  const node = await side(t, { isTrusted: () => true });
  const early = await RawPeer.dial(node.port);
  early.say(bytesOf('fb'));
  await early.ended();
  const peer = await RawPeer.dial(node.port);
  peer.hello({ id: createNodeId(), networkId: NETWORK });
  await peer.nextHello();
  peer.sayWrapped(bytesOf('fb0807'));
  await peer.ended();
  t.equal(peer.frames.length, 0, 'no message is sent');
});
