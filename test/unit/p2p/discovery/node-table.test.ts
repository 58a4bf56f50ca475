import t from 'tap';
import { createKnownNode } from '../../../../src/p2p/discovery/known-node.js';
import { distance, NodeTable } from '../../../../src/p2p/discovery/node-table.js';

const OWN = '00'.repeat(64);
const nodeOf = (byte: string, tail: number) =>
  createKnownNode(
    { id: byte + '00'.repeat(62) + tail.toString(16).padStart(2, '0'), ipv4: '1.1.1.1', ipv6: undefined, port: 1 },
    1,
    0,
    false,
  );

function table() {
  let time = 0;
  const made = new NodeTable({ ownId: OWN, ownHost: () => 'self', now: () => time });
  return { table: made, at: (ms: number) => (time = ms) };
}

// Reference: NodeEntry.distance. The distance is 17 minus the number of equal leading bits.
t.test('measures distance by the common prefix of ids', async (t) => {
  const rows: readonly (readonly [id: string, far: number])[] = [
    ['80', 17],
    ['40', 16],
    ['01', 10],
    ['0080', 9],
    ['000001', -6],
  ];
  for (const [id, far] of rows) t.equal(distance(OWN, id.padEnd(128, '0')), far, id);
});

t.test('stores sixteen nodes in a bucket and proposes the last seen one for eviction', async (t) => {
  const { table: nodes, at } = table();
  const all = Array.from({ length: 16 }, (_, i) => nodeOf('80', i));
  all.forEach((node, i) => {
    at(i);
    t.equal(nodes.add(node, `h${i}`), undefined);
  });
  t.equal(nodes.add(nodeOf('80', 99), 'new'), all[15]);
  at(50);
  nodes.add(nodeOf('80', 3), 'h3');
  t.equal(nodes.add(nodeOf('80', 99), 'new'), all[3], 'the node was seen again');
  t.equal(nodes.add(nodeOf('40', 1), 'other'), undefined, 'a node of another bucket');
  t.equal(nodes.add(nodeOf('20', 1), 'self'), undefined);
  t.equal(nodes.nodes().length, 17, 'the own node is not stored');
});

t.test('returns the nearest nodes first', async (t) => {
  const { table: nodes } = table();
  for (const [at, byte] of ['80', '01', '40'].entries()) nodes.add(nodeOf(byte, 1), `h${at}`);
  t.same(
    nodes.closest(OWN).map(({ id }) => id?.slice(0, 2)),
    ['01', '40', '80'],
  );
});

t.test('evicts a silent node only from a bucket with others', async (t) => {
  const { table: nodes } = table();
  for (let i = 0; i < 3; i++) nodes.add(nodeOf('80', i), `h${i}`);
  t.notOk(nodes.dropSilent('h0'));
  nodes.add(nodeOf('80', 9), 'h9');
  t.ok(nodes.dropSilent('h0'));
  t.notOk(nodes.dropSilent('h0'), 'the node was already evicted');
  nodes.drop('h1');
  t.equal(nodes.nodes().length, 2);
});
