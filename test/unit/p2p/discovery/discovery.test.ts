import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { Discovery } from '../../../../src/p2p/discovery/discovery.js';
import {
  DATAGRAM_BYTES_MAX,
  decodeDiscovery,
  encodeDiscovery,
} from '../../../../src/p2p/discovery/discovery-message.js';
import { createKnownNode, isSilent } from '../../../../src/p2p/discovery/known-node.js';
import { distance, NodeTable } from '../../../../src/p2p/discovery/node-table.js';
import { libp2p120, libp2p228 } from '../../../../src/p2p/releases/transport-rules.js';
import { createNodeId, type NodeAddress } from '../../../../src/p2p/transport/node-address.js';
import { toHex } from '../../../../src/primitives/bytes.js';
import { freePort } from '../../../support/free-port.js';
import { bytesOf, capture } from '../../../support/p2p/captures.js';
import { silentLog } from '../../../support/p2p/silent-log.js';
import { until } from '../../../support/until.js';

const NETWORK = 11111;

t.test('decodes and encodes captured datagrams byte for byte', async (t) => {
  for (const [label, , hex] of capture('udp-discovery'))
    t.equal(toHex(encodeDiscovery(decodeDiscovery(bytesOf(hex)))), hex, label);
});

t.test('rejects datagrams that java-tron drops', async (t) => {
  const [ping] = capture('udp-discovery');
  const from = { id: '61'.repeat(64), ipv4: '10.0.0.1', ipv6: undefined, port: 1 };
  const tooMany = encodeDiscovery({
    kind: 'neighbours',
    from,
    nodes: Array.from({ length: 17 }, () => from),
    timeMs: 1,
  });
  const wrong: Readonly<Record<string, Uint8Array>> = {
    'a single byte': bytesOf('01'),
    'too long': Buffer.alloc(DATAGRAM_BYTES_MAX, 1),
    'an unknown type': bytesOf('0900'),
    'no sender': bytesOf('0118e756'),
    'a short target': encodeDiscovery({ kind: 'findNode', from, target: '61'.repeat(63), timeMs: 1 }),
    '17 neighbours': tooMany,
    'a neighbour without address': encodeDiscovery({
      kind: 'neighbours',
      from,
      nodes: [{ ...from, ipv4: undefined }],
      timeMs: 1,
    }),
    'an invalid port': encodeDiscovery({ kind: 'neighbours', from, nodes: [{ ...from, port: 65_536 }], timeMs: 1 }),
    'a negative port': encodeDiscovery({ kind: 'pong', from: { ...from, port: -1 }, networkId: 1, timeMs: 1 }),
    'a truncated ping': bytesOf(ping?.[2]).subarray(0, 60),
  };
  for (const [what, bytes] of Object.entries(wrong)) t.throws(() => decodeDiscovery(bytes), what);
});

t.test('measures distance by the common prefix of ids', async (t) => {
  const id = (hex: string): string => hex.padEnd(128, '0');
  t.equal(distance(id('80'), id('00')), 17);
  t.equal(distance(id('01'), id('00')), 10);
  t.equal(distance(id('0001'), id('00')), 2);
  t.equal(distance(id('000080'), id('00')), 1);
  t.equal(distance(id('000001'), id('00')), -6);
});

t.test('returns the last seen node of a full bucket, stores an address once and never its own', async (t) => {
  let time = 0;
  const now = (): number => time++;
  const table = new NodeTable({ ownId: '00'.repeat(64), ownHost: () => '10.0.0.99', now });
  const node = (at: number) =>
    createKnownNode(
      { id: `80${at.toString(16).padStart(126, '0')}`, ipv4: `10.0.0.${at}`, ipv6: undefined, port: 1 },
      1,
      0,
      true,
    );
  const nodes = Array.from({ length: 16 }, (_, at) => node(at + 1));
  for (const one of nodes) t.equal(table.add(one, one.ipv4!), undefined);
  t.equal(table.add(nodes[3]!, '10.0.0.4'), undefined, 'the node was seen again');
  t.equal(table.add(node(17), '10.0.0.17'), nodes[3]);
  table.drop('10.0.0.4');
  t.equal(table.add(node(17), '10.0.0.17'), undefined);
  t.equal(table.add(node(18), '10.0.0.99'), undefined);
  t.equal(table.nodes().length, 16);
  t.equal(table.closest('80'.padEnd(128, '0')).length, 16);
});

async function discover(
  t: Test,
  host: string,
  seeds: readonly NodeAddress[],
  networkId = NETWORK,
): Promise<{ self: NodeAddress; discovery: Discovery }> {
  const self = { id: createNodeId(), ipv4: host, ipv6: undefined, port: await freePort() };
  const discovery = new Discovery({
    rules: libp2p228,
    self: () => self,
    port: self.port,
    host,
    networkId,
    seeds: seeds.map(({ ipv4, port }) => ({ host: ipv4!, port })),
    log: silentLog,
    now: Date.now,
  });
  await discovery.start();
  t.teardown(() => discovery.close());
  return { self, discovery };
}

t.test('connects nodes that have a common seed, and excludes nodes of another network', async (t: Test) => {
  const seed = await discover(t, '127.0.0.2', []);
  const a = await discover(t, '127.0.0.3', [seed.self]);
  const b = await discover(t, '127.0.0.4', [seed.self]);
  await discover(t, '127.0.0.5', [seed.self], 1);
  const hosts = (of: Discovery): string[] =>
    of
      .connectable()
      .map(({ ipv4 }) => ipv4!)
      .sort();
  await until('the seed has stored both nodes', () => hosts(seed.discovery).length === 2);
  await until(
    'both nodes have stored each other',
    () => hosts(a.discovery).length === 2 && hosts(b.discovery).length === 2,
  );
  t.same(hosts(a.discovery), ['127.0.0.2', '127.0.0.4']);
  t.same(hosts(b.discovery), ['127.0.0.2', '127.0.0.3']);
  t.equal(b.discovery.connectable().find(({ ipv4 }) => ipv4 === '127.0.0.3')?.id, a.self.id);
});

t.test('still answers after captured datagrams with flipped bits', async (t: Test) => {
  const { self } = await discover(t, '127.0.0.2', []);
  const socket = createSocket('udp4').bind(0, '127.0.0.9');
  t.teardown(() => socket.close());
  await once(socket, 'listening');
  const lines = capture('udp-discovery');
  let seed = 7;
  const below = (limit: number): number => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((seed / 2 ** 32) * limit);
  };
  for (let at = 0; at < 500; at++) {
    const bytes = Buffer.from(bytesOf(lines[below(lines.length)]?.[2]));
    for (let flips = below(4); flips > 0; flips--) bytes[below(bytes.length)]! ^= 1 << below(8);
    socket.send(bytes, self.port, '127.0.0.2');
  }
  const from = { id: createNodeId(), ipv4: '127.0.0.9', ipv6: undefined, port: socket.address().port };
  const pong = new Promise<number>((resolve) => {
    socket.on('message', (bytes) => {
      const answer = decodeDiscovery(bytes);
      const proof = encodeDiscovery({ kind: 'pong', from, networkId: NETWORK, timeMs: 1 });
      if (answer.kind === 'ping') socket.send(proof, self.port, '127.0.0.2');
      if (answer.kind === 'neighbours' && answer.timeMs === 4711) resolve(answer.nodes.length);
    });
  });
  const request = (): void =>
    socket.send(encodeDiscovery({ kind: 'findNode', from, target: from.id, timeMs: 4711 }), self.port, '127.0.0.2');
  // Sends the datagram repeatedly, because the operating system may drop a datagram if many are sent at once.
  const timer = setInterval(request, 100);
  t.ok((await pong) >= 0);
  clearInterval(timer);
});

t.test(
  'sends an address at most as many bytes as the address has sent, until the address answers a ping',
  async (t: Test) => {
    const { self } = await discover(t, '127.0.0.2', []);
    const socket = createSocket('udp4').bind(0, '127.0.0.9');
    t.teardown(() => socket.close());
    await once(socket, 'listening');
    const from = { id: createNodeId(), ipv4: '127.0.0.9', ipv6: undefined, port: socket.address().port };
    const got: Uint8Array[] = [];
    socket.on('message', (bytes) => got.push(bytes));
    let sent = 0;
    const say = async (message: Parameters<typeof encodeDiscovery>[0]): Promise<string[]> => {
      const bytes = encodeDiscovery(message);
      sent += bytes.length;
      const before = got.length;
      socket.send(bytes, self.port, '127.0.0.2');
      await sleep(200);
      return got.slice(before).map((answer) => decodeDiscovery(answer).kind);
    };
    const pong = { kind: 'pong', from, networkId: NETWORK, timeMs: 1 } as const;
    const question = { kind: 'findNode', from, target: createNodeId(), timeMs: 4711 } as const;
    const bytesGot = (): number => got.reduce((sum, { length }) => sum + length, 0);
    t.same(await say({ kind: 'ping', from, to: { ...self, id: '' }, networkId: NETWORK, timeMs: 1 }), ['pong']);
    t.same(await say(question), ['ping']);
    t.ok(bytesGot() <= sent, `${bytesGot()} of ${sent}`);
    t.same(await say(pong), ['neighbours'], 'after its pong, the address receives the requested neighbours');
    t.same(await say(question), ['neighbours']);

    const other = createSocket('udp4').bind(0, '127.0.0.10');
    t.teardown(() => other.close());
    await once(other, 'listening');
    const requester = { ...from, id: createNodeId(), ipv4: '127.0.0.10', port: other.address().port };
    const kinds: string[] = [];
    let [otherSent, otherGot] = [0, 0];
    other.on('message', (bytes) => {
      otherGot += bytes.length;
      kinds.push(decodeDiscovery(bytes).kind);
    });
    const answer = encodeDiscovery({ ...pong, from: requester });
    otherSent += answer.length;
    other.send(answer, self.port, '127.0.0.2');
    const query = encodeDiscovery({ ...question, from: requester });
    for (let times = 0; times < 20; times++) {
      otherSent += query.length;
      other.send(query, self.port, '127.0.0.2');
    }
    await sleep(200);
    t.ok(
      kinds.length > 0 && kinds.every((kind) => kind === 'ping'),
      'an unproven address receives only pings, and an unrequested pong proves nothing',
    );
    t.ok(otherGot <= otherSent, `${otherGot} of ${otherSent}`);
    kinds.length = 0;
    other.send(answer, self.port, '127.0.0.2');
    await until('the requested neighbours', () => kinds.includes('neighbours'));
  },
);

t.test('evicts a node that ignores five neighbour requests from a bucket of four', async (t) => {
  const [silent] = ['10.0.0.1'];
  const full = new NodeTable({ ownId: '00'.repeat(64), ownHost: () => undefined, now: () => 0 });
  const node = (at: number) =>
    createKnownNode(
      { id: `80${at.toString(16).padStart(126, '0')}`, ipv4: `10.0.0.${at}`, ipv6: undefined, port: 1 },
      1,
      0,
      true,
    );
  for (const at of [1, 2, 3]) full.add(node(at), `10.0.0.${at}`);
  t.notOk(full.dropSilent(silent!), 'no node of a bucket with three nodes is evicted');
  full.add(node(4), '10.0.0.4');
  t.ok(full.dropSilent(silent!));
  t.equal(full.nodes().length, 3);
  t.notOk(full.dropSilent(silent!), 'the node was already evicted');
  const queried = node(5);
  queried.waitsForNeighbours = true;
  const silences = Array.from({ length: 5 }, () => isSilent(queried, libp2p228.unansweredMax));
  t.same(silences, [false, false, false, false, true]);
  t.same([libp2p228.unansweredMax, libp2p120.unansweredMax], [5, undefined]);
});

t.test('ignores a malformed IPv6 address in a datagram', async (t) => {
  const from = { id: '61'.repeat(64), ipv4: '10.0.0.1', ipv6: 'example.org', port: 1 };
  const bytes = encodeDiscovery({ kind: 'pong', from, networkId: 1, timeMs: 1 });
  t.same(decodeDiscovery(bytes, true).from, { ...from, ipv6: undefined });
  t.throws(() => decodeDiscovery(bytes), { code: 'BAD_MESSAGE' });
  const noAddress = encodeDiscovery({ kind: 'pong', from: { ...from, ipv4: undefined }, networkId: 1, timeMs: 1 });
  t.throws(() => decodeDiscovery(noAddress, true), { code: 'BAD_MESSAGE' }, 'an endpoint without a valid address');
});

t.test('lists verified nodes first, and at most 32 nodes of one address', async (t: Test) => {
  const { self, discovery } = await discover(t, '127.0.0.2', []);
  const honest = await discover(t, '127.0.0.3', [self]);
  await until('the honest node is verified', () => discovery.tableNodes().length === 1);
  for (let at = 0; at < 60; at++) {
    const socket = createSocket('udp4').bind(0, '127.0.0.9');
    t.teardown(() => socket.close());
    await once(socket, 'listening');
    const from = { id: createNodeId(), ipv4: '127.0.0.9', ipv6: undefined, port: socket.address().port };
    const ping = { kind: 'ping', from, to: { ...self, id: '' }, networkId: NETWORK, timeMs: 1 } as const;
    const answered = once(socket, 'message');
    socket.send(encodeDiscovery(ping), self.port, '127.0.0.2');
    await answered;
  }
  t.equal(discovery.connectable()[0]?.id, honest.self.id);
  t.equal(discovery.connectable().length, 33);
});
