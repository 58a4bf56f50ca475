import { createConnection, createServer, type Server } from 'node:net';
import t, { type Test } from 'tap';
import {
  P2pDisconnectCode,
  P2pDisconnectMessage,
  type P2pHelloMessage,
} from '../../../src/codec/generated/messages.js';
import { libp2p120, libp2p228 } from '../../../src/p2p/releases/transport-rules.js';
import { unwrapMessage, wrapMessage } from '../../../src/p2p/transport/compression.js';
import { encodeFrame, FRAME_BYTES_MAX } from '../../../src/p2p/transport/frames.js';
import { encodeGoodbye, encodeKeepAlive, goodbyeName } from '../../../src/p2p/transport/framework-message.js';
import { keepAlive } from '../../../src/p2p/transport/keep-alive.js';
import { createNodeId } from '../../../src/p2p/transport/node-address.js';
import { toHex } from '../../../src/primitives/bytes.js';
import { bytesOf, capture } from '../../support/p2p/captures.js';
import { RawPeer } from '../../support/p2p/raw-peer.js';
import { NETWORK, type Side, side } from '../../support/p2p/side.js';

const statusHex = capture('tcp-status')[0]?.[1];
const [, , , helloHex = ''] = capture('tcp-connection').find(([, , label]) => label === 'HANDSHAKE_HELLO') ?? [];
/** A recorded HELLO of the connection layer without its length prefix of one byte. */
const helloBytes = bytesOf(helloHex).subarray(1);

const isTrusted = (): boolean => true;
const later = (t: Test, options = {}): Promise<Side> => side(t, { rules: libp2p228, isTrusted, ...options });

async function known(node: Side, id = createNodeId()): Promise<RawPeer> {
  const peer = await RawPeer.dial(node.port);
  peer.hello({ id, networkId: NETWORK });
  await peer.nextHello();
  return peer;
}

/** Returns the reason in the last message of the node. */
function reasonIn(message: Uint8Array | undefined): string {
  if (message?.[0] !== 0xfb) return 'nothing';
  return goodbyeName(P2pDisconnectMessage.decode(message.subarray(1)).reason);
}

const goodbye = async (peer: RawPeer): Promise<string> => {
  const reason = reasonIn(await peer.nextWrapped());
  await peer.ended();
  return reason;
};

t.test('adds a reason after the type of a disconnect message', async (t) => {
  t.equal(toHex(encodeGoodbye('PEER_QUITING')), 'fb');
  t.equal(toHex(encodeGoodbye('PING_TIMEOUT')), 'fb0807');
  t.equal(toHex(encodeGoodbye('UNKNOWN')), 'fb08ff01');
  t.equal(goodbyeName(9), 'UNKNOWN');
});

t.test(
  'sends the disconnect message unwrapped before the handshake and wrapped after it, and closes on receipt',
  async (t) => {
    const node = await later(t);
    const early = await RawPeer.dial(node.port);
    early.say(bytesOf('fa'));
    t.equal(reasonIn(await early.next()), 'NO_SUCH_MESSAGE');
    await early.ended();
    const wrapped = await known(node);
    wrapped.sayWrapped(bytesOf('fa'));
    t.equal(await goodbye(wrapped), 'NO_SUCH_MESSAGE');
    const leaving = await known(node);
    leaving.sayWrapped(bytesOf('fb'));
    await leaving.ended();
    t.equal(leaving.frames.length, 0, 'no response');
  },
);

t.test('sends the expected disconnect reasons', async (t) => {
  const node = await later(t);
  const cases: readonly (readonly [what: string, reason: string, say: (peer: RawPeer) => void])[] = [
    ['an empty message', 'EMPTY_MESSAGE', (peer) => peer.say(bytesOf('0801120100'))],
    ['a type without a handler', 'NO_SUCH_MESSAGE', (peer) => peer.sayWrapped(bytesOf('7f'))],
    ['a malformed envelope', 'BAD_MESSAGE', (peer) => peer.say(bytesOf('ffff'))],
    ['a malformed ping', 'BAD_MESSAGE', (peer) => peer.sayWrapped(bytesOf('ffff'))],
    ['a ping without a time', 'BAD_MESSAGE', (peer) => peer.sayWrapped(bytesOf('ff'))],
    [
      'a ping with the time of the next day',
      'BAD_MESSAGE',
      (peer) => peer.sayWrapped(encodeKeepAlive('ping', Date.now() + 86_400_000)),
    ],
    ['a frame of 5 MiB', 'BAD_MESSAGE', (peer) => peer.write(bytesOf('8080c002'))],
    ['a frame without length', 'nothing', (peer) => peer.write(bytesOf('ffffffffff'))],
    ['a message that is not compressed', 'nothing', (peer) => peer.say(bytesOf('0801120305ffff'))],
    ['a second HELLO', 'DUP_HANDSHAKE', (peer) => peer.sayWrapped(helloBytes)],
  ];
  for (const [what, reason, say] of cases) {
    const peer = await known(node);
    say(peer);
    t.equal(await goodbye(peer), reason, what);
  }
});

t.test('sends no reason in release 4.7.2', async (t) => {
  const node = await side(t, { rules: libp2p120, isTrusted });
  const peer = await known(node);
  peer.sayWrapped(bytesOf('7f'));
  t.equal(await goodbye(peer), 'nothing');
});

t.test('rejects the younger of two connections to one node, and one to itself, as duplicates', async (t) => {
  const node = await later(t);
  const id = createNodeId();
  const older = await known(node);
  const younger = await known(node);
  const [first, second] = node.connected;
  node.transport.table.updateNodeId(first!, id);
  node.transport.table.updateNodeId(second!, id);
  t.equal(await goodbye(younger), 'DUPLICATE_PEER');
  const own = node.transport.table;
  t.notOk(older.isEnded);
  const itself = await later(t);
  const peer = await known(itself);
  itself.transport.table.updateNodeId(itself.connected[0]!, itself.id);
  t.equal(await goodbye(peer), 'DUPLICATE_PEER');
  t.equal(own.size, 1);
});

t.test('notifies a peer that ignores a ping, and all peers when the node stops', async (t) => {
  const node = await later(t);
  const silent = await known(node);
  const [channel] = node.connected;
  keepAlive(channel!, channel!.lastSendMs + 20_001);
  t.equal((await silent.nextWrapped())?.[0], 0xff);
  keepAlive(channel!, channel!.pingSentMs + 20_001);
  t.equal(await goodbye(silent), 'PING_TIMEOUT');
  const other = await known(node);
  await node.transport.close();
  t.equal(await goodbye(other), 'PEER_QUITING');
});

t.test('sends the reason of the rejection to a peer that starts without a handshake', async (t) => {
  const full = await later(t, { isTrusted: () => false, maxConnections: 0 });
  const peer = await RawPeer.dial(full.port);
  peer.say(bytesOf('22c0'));
  t.equal(reasonIn(await peer.next()), 'TOO_MANY_PEERS');
  await peer.ended();
});

/**
 * Accepts one connection and answers its HELLO with an invalid HELLO. Collects the messages that the node then sends.
 */
async function dialled(t: Test, rules: typeof libp2p120): Promise<{ first: P2pHelloMessage; count: number }> {
  const id = createNodeId();
  const server: Server = createServer();
  await new Promise<void>((resolve) => server.listen(0, resolve));
  t.teardown(() => server.close());
  const { port } = server.address() as { port: number };
  const node = await side(t, { rules, isTrusted: () => false });
  const duplicate = await known(node, id);
  const connected = new Promise<RawPeer>((resolve) =>
    server.once('connection', (socket) => resolve(RawPeer.of(socket))),
  );
  node.transport.connect({ host: '127.0.0.1', port }, createNodeId());
  const peer = await connected;
  const first = await peer.nextHello();
  peer.hello({ id, networkId: NETWORK });
  await peer.ended();
  duplicate.close();
  return { first, count: peer.frames.length };
}

t.test('rejects HELLO silently on the dialling side, where release 4.7.2 answers it', async (t) => {
  t.equal((await dialled(t, libp2p228)).count, 0);
  t.equal((await dialled(t, libp2p120)).count, 1);
});

t.test('answers a rejected HELLO with the reason code on the accepting side', async (t) => {
  const node = await later(t, { isTrusted: () => false, maxConnections: 0 });
  const peer = await RawPeer.dial(node.port);
  peer.hello({ id: createNodeId(), networkId: NETWORK, timestamp: 77n });
  const { code, timestamp } = await peer.nextHello();
  t.same([code, timestamp], [P2pDisconnectCode.TOO_MANY_PEERS, 77n]);
  await peer.ended();
  t.equal(peer.frames.length, 0, 'no message after HELLO');
});

t.test('answers HELLO with the timestamp of the received HELLO', async (t) => {
  const node = await later(t);
  const peer = await RawPeer.dial(node.port);
  peer.hello({ id: createNodeId(), networkId: NETWORK, timestamp: 1234n });
  t.equal((await peer.nextHello()).timestamp, 1234n);
  peer.close();
  const older = await side(t, { isTrusted });
  const other = await RawPeer.dial(older.port);
  other.hello({ id: createNodeId(), networkId: NETWORK, timestamp: 1234n });
  t.ok((await other.nextHello()).timestamp > 1234n, 'release 4.7.2 sends its own time');
  other.close();
});

t.test('rejects a message of 5 MiB after decompression', async (t) => {
  t.equal(libp2p228.messageBytesMax, 5 * 1024 * 1024);
  const whole = Buffer.concat(wrapMessage(new Uint8Array(FRAME_BYTES_MAX)));
  t.throws(() => unwrapMessage(whole, libp2p228.messageBytesMax), { code: 'BIG_MESSAGE' });
  t.equal(unwrapMessage(whole, libp2p120.messageBytesMax).length, FRAME_BYTES_MAX);
  const fitting = Buffer.concat(wrapMessage(new Uint8Array(FRAME_BYTES_MAX - 1)));
  t.equal(unwrapMessage(fitting, libp2p228.messageBytesMax).length, FRAME_BYTES_MAX - 1);
  const node = await later(t);
  const peer = await known(node);
  peer.say(whole);
  t.equal(await goodbye(peer), 'UNKNOWN');
});

t.test('does not ping a connection before its handshake', async (t) => {
  const node = await later(t);
  const unknown = createConnection({ host: '127.0.0.1', port: node.port });
  t.teardown(() => unknown.destroy());
  const peer = await known(node);
  const [channel] = node.connected;
  const sent: unknown[] = [];
  // A channel object with only those fields that `keepAlive` reads before the handshake.
  const early = { isClosed: false, isHandshaken: false, waitsForPong: false, lastSendMs: 0, send: () => sent.push(1) };
  keepAlive(early as unknown as NonNullable<typeof channel>, 100_000);
  t.equal(sent.length, 0);
  keepAlive({ ...early, isHandshaken: true } as unknown as NonNullable<typeof channel>, 100_000);
  t.equal(sent.length, 1);
  peer.close();
});

t.test('accepts no other message on a status connection', async (t) => {
  const node = await later(t);
  const requester = await RawPeer.dial(node.port);
  requester.write(Buffer.concat([bytesOf(statusHex), encodeFrame(bytesOf('22c0'))]));
  t.equal((await requester.next())?.[0], 0xfc);
  await requester.ended();
  t.same([node.messages, node.connected], [[], []]);
});

t.test('ignores a malformed IPv6 address', async (t) => {
  const node = await later(t);
  const peer = await RawPeer.dial(node.port);
  peer.hello({ id: createNodeId(), networkId: NETWORK, ipv6: 'example.org' });
  t.equal((await peer.nextHello()).code, P2pDisconnectCode.NORMAL);
  t.equal(node.connected[0]?.announced?.ipv6, undefined);
  peer.close();
  const older = await side(t, { isTrusted });
  const other = await RawPeer.dial(older.port);
  other.hello({ id: createNodeId(), networkId: NETWORK, ipv6: 'example.org' });
  await other.ended();
  t.equal(older.connected.length, 0, 'release 4.7.2 drops the message');
});
