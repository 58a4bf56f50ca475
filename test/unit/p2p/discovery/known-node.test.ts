import t from 'tap';
import {
  createKnownNode,
  isConnectable,
  isSilent,
  preferredAddress,
} from '../../../../src/p2p/discovery/known-node.js';

const node = (fields = {}) =>
  Object.assign(createKnownNode({ id: 'aa', ipv4: '1.1.1.1', ipv6: 'fe80::1', port: 5 }, 5, 0, false), fields);

t.test('allows dialling a node of this network at its announced port', async (t) => {
  t.ok(isConnectable(node({ networkId: 7 }), 7));
  t.notOk(isConnectable(node({ networkId: 8 }), 7));
  t.notOk(isConnectable(node({ networkId: 7, announcedPort: 6 }), 7));
});

t.test('selects an address family that both nodes have, IPv4 first', async (t) => {
  const self = { id: 'bb', port: 1 };
  const [both, four, six] = [
    { ...self, ipv4: '2.2.2.2', ipv6: 'fe80::2' },
    { ...self, ipv4: '2.2.2.2', ipv6: undefined },
    { ...self, ipv4: undefined, ipv6: 'fe80::2' },
  ];
  t.same(
    [both, four, six].map((own) => preferredAddress(node(), own)?.host),
    ['1.1.1.1', '1.1.1.1', 'fe80::1'],
  );
  t.equal(preferredAddress(node({ ipv6: undefined }), six), undefined);
});

t.test('marks a node as silent after five unanswered requests, in releases that count them', async (t) => {
  const silent = node({ waitsForNeighbours: true });
  t.same(
    [1, 2, 3, 4, 5].map(() => isSilent(silent, 5)),
    [false, false, false, false, true],
  );
  t.notOk(isSilent(node({ waitsForNeighbours: true, unanswered: 99 }), undefined));
  t.notOk(isSilent(node({ unanswered: 99 }), 5));
});
