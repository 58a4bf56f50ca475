import t from 'tap';
import { createKnownNode, type KnownNode } from '../../../../src/p2p/discovery/known-node.js';
import { KnownNodes } from '../../../../src/p2p/discovery/known-nodes.js';

let time = 0;
const yes = (): boolean => true;

/** Adds a node that sent a datagram now. */
function add(known: KnownNodes, host: string, port: number, isProven: boolean): KnownNode {
  const node = createKnownNode({ id: '00', ipv4: host, ipv6: undefined, port }, port, ++time, false);
  node.isProven = isProven;
  known.add({ host, port }, node, yes);
  return node;
}

t.test('stores at most 32 nodes of one address, and deletes unverified and old ones first', async (t) => {
  const known = new KnownNodes();
  const other = add(known, '10.0.0.1', 1, true);
  const proven = add(known, '10.0.0.2', 1, true);
  for (let port = 2; port <= 10_000; port++) add(known, '10.0.0.2', port, false);
  t.equal([...known.values()].length, 33);
  t.equal(known.get({ host: '10.0.0.1', port: 1 }), other);
  t.equal(known.get({ host: '10.0.0.2', port: 1 }), proven, 'forged datagrams do not delete a verified node');
  t.ok(known.get({ host: '10.0.0.2', port: 10_000 }));
  for (let port = 10_001; port <= 10_100; port++) add(known, '10.0.0.2', port, true);
  t.equal(known.get({ host: '10.0.0.2', port: 1 }), undefined, 'verified nodes are limited too');
  t.equal([...known.values()].length, 33);
});

t.test('retains verified nodes while datagrams with forged addresses arrive', async (t) => {
  const known = new KnownNodes();
  for (let at = 0; at < 100; at++) add(known, `10.1.0.${at}`, 1, true);
  for (let at = 0; at < 20_000; at++) add(known, `10.2.${at >> 8}.${at & 255}`, 1, false);
  const left = [...known.values()];
  t.equal(left.filter(({ isProven }) => isProven).length, 100);
  t.ok(left.length <= 3001, `${left.length} nodes`);
});

t.test('deletes nodes that cannot be dialled before others', async (t) => {
  const known = new KnownNodes();
  const isDialable = ({ port }: KnownNode): boolean => port === 1;
  for (let at = 0; at < 3100; at++) {
    const node = createKnownNode({ id: '00', ipv4: '', ipv6: undefined, port: at % 2 }, 1, ++time, false);
    known.add({ host: `10.3.${at >> 8}.${at & 255}`, port: at % 2 }, node, isDialable);
  }
  t.equal([...known.values()].filter(isDialable).length, 1550);
});
