import { createServer, type Socket } from 'node:net';
import t, { type Test } from 'tap';
import { P2pStatusMessage } from '../../../../src/codec/generated/messages.js';
import { libp2p120, libp2p228 } from '../../../../src/p2p/releases/transport-rules.js';
import { encodeStatus } from '../../../../src/p2p/transport/framework-message.js';
import { createNodeId, type NodeAddress, toEndpoint } from '../../../../src/p2p/transport/node-address.js';
import { NodeDetect } from '../../../../src/p2p/transport/node-detect.js';
import { bytesOf } from '../../../support/p2p/captures.js';
import { RawPeer } from '../../../support/p2p/raw-peer.js';
import { side } from '../../../support/p2p/side.js';

const nodeAt = (at: number, port = 1): NodeAddress => ({
  id: createNodeId(),
  ipv4: `10.0.${at >> 8}.${at & 0xff}`,
  ipv6: undefined,
  port,
});
const targetOf = ({ ipv4, port }: NodeAddress) => ({ host: ipv4!, port });

t.test('queries 100 new nodes per round and prefers nodes with many free connections', async (t) => {
  let time = 1_000_000;
  const nodes = Array.from({ length: 350 }, (_, at) => nodeAt(at));
  const queried: string[] = [];
  const detect = new NodeDetect({
    candidates: () => nodes,
    targetOf,
    request: ({ host }) => void queried.push(host),
    now: () => time,
  });
  const round = (): readonly string[] => {
    queried.length = 0;
    detect.round();
    return [...queried];
  };
  t.equal(round().length, 100, 'a round queries at most 100 nodes');
  t.equal(new Set([...round(), ...round()]).size, 100, 'at most 200 queries are outstanding');
  nodes.slice(0, 200).forEach((node, at) => {
    detect.answered(targetOf(node), at);
  });
  t.equal(detect.nodes().length, 199, 'a full node is not dialled');
  t.equal(detect.nodes()[0], nodes[199], 'the node with most free connections is first');
  time += 31_000;
  t.equal(round().length, 100 + 3, 'three more nodes are queried after 30 s');
  time += 2000;
  detect.answered(targetOf(nodes[250]!), 7);
  time += 1;
  detect.answered(targetOf(nodes[251]!), 7);
  detect.disconnected(targetOf(nodes[252]!));
  t.same(
    [250, 251].map((at) => detect.nodes().includes(nodes[at]!)),
    [true, false],
    'a node that answers late is not dialled',
  );
  const again = round();
  t.ok(again.length > 0);
  t.notOk(
    [251, 252].some((at) => again.includes(nodes[at]!.ipv4!)),
    'a slow or silent node is not queried again for an hour',
  );
});

/** Accepts one status connection of a node. @param says sends a message in place of the status */
async function queriedHosts(t: Test, rules: typeof libp2p120, says: (peer: RawPeer) => void) {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, resolve));
  t.teardown(() => server.close());
  const { port } = server.address() as { port: number };
  const connected = new Promise<Socket>((resolve) => server.once('connection', resolve));
  const other = { ...nodeAt(0, port), ipv4: '127.0.0.1' };
  const node = await side(t, { rules, detects: true, candidates: () => [other] });
  const peer = RawPeer.of(await connected);
  t.equal((await peer.next())?.[0], 0xfc, 'the node requests the status');
  says(peer);
  await peer.ended();
  return { node, peer };
}

const statusOf = (maxConnections: number): Uint8Array =>
  encodeStatus(
    Object.assign(new P2pStatusMessage(), {
      from: toEndpoint({ ...nodeAt(0), ipv4: '127.0.0.1' }),
      networkId: 11111,
      maxConnections,
      currentConnections: 1,
      timestamp: 1n,
    }),
  );

t.test('accepts only a status message on a detection connection', async (t) => {
  const answered = await queriedHosts(t, libp2p228, (peer) => peer.say(statusOf(30)));
  t.equal(answered.peer.frames.length, 0, 'the node answers nothing to a status');
  t.notOk(answered.node.transport.table.bans.isBanned('127.0.0.1'));
  const spoken = await queriedHosts(t, libp2p228, (peer) => peer.say(bytesOf('22c0')));
  t.same(spoken.peer.frames, [bytesOf('fb0808')], 'DISCOVER_MODE');
  t.same([spoken.node.messages, spoken.node.connected], [[], []]);
  const silent = await queriedHosts(t, libp2p120, (peer) => peer.say(bytesOf('22c0')));
  t.same(silent.peer.frames, [], 'libp2p 1.2.0 sends no disconnect message');
  for (const [rules, frames] of [
    [libp2p120, 0],
    [libp2p228, 1],
  ] as const) {
    const odd = await queriedHosts(t, rules, (peer) => peer.say(bytesOf('7f01')));
    t.equal(odd.peer.frames.length, frames, 'libp2p sends a disconnect message since 2.2.8');
    t.ok(odd.node.transport.table.bans.isBanned('127.0.0.1'), 'an unknown type bans the address');
  }
  const leaving = await queriedHosts(t, libp2p228, (peer) => peer.say(bytesOf('fb')));
  t.equal(leaving.peer.frames.length, 0);
});
