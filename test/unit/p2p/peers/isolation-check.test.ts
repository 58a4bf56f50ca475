import t from 'tap';
import { IsolationCheck } from '../../../../src/p2p/peers/isolation-check.js';
import type { HostPort, NodeAddress } from '../../../../src/p2p/transport/node-address.js';
import { endOf, type FakePeer, fakePeer, setOf } from '../../../support/p2p/fake-peer.js';
import { silentLog } from '../../../support/p2p/silent-log.js';

const nodeAt = (at: number): NodeAddress => ({ id: `${at}`, ipv4: `10.0.0.${at}`, ipv6: undefined, port: 1 });

/** Returns a check for a node with these peers. The node knows four nodes, and one of them is configured. */
function islandOf(peers: readonly FakePeer[]) {
  let time = 0;
  const set = setOf([...peers]);
  const dialled: { readonly host: string; readonly ended: () => void }[] = [];
  const check = new IsolationCheck({
    peers: set,
    candidates: () => [1, 2, 3, 4].map(nodeAt),
    targetOf: ({ ipv4, port }) => ({ host: ipv4!, port }),
    activeNodes: () => [{ host: '10.0.0.1', port: 1 }],
    dial: ({ host }: HostPort, _id, ended) => dialled.push({ host, ended }),
    log: silentLog,
    now: () => time,
  });
  const hosts = (): readonly string[] => dialled.map(({ host }) => host);
  const pass = (ms: number): void => {
    time += ms;
  };
  return { check, peers: set, dialled, hosts, pass };
}

function behind(options: Parameters<typeof fakePeer>[0] = {}): FakePeer {
  const made = fakePeer(options);
  made.peer.needsSyncFromUs = true;
  return made;
}

t.test('dials no node while a peer is in sync', async (t) => {
  const { check, hosts } = islandOf([behind(), fakePeer({ host: '10.0.0.9' })]);
  check.check();
  t.same(hosts(), []);
});

t.test('tries nodes one after the other, each once in twenty minutes', async (t) => {
  const { check, dialled, hosts, pass } = islandOf([behind({ host: '10.0.0.2' })]);
  check.check();
  check.check();
  t.same(hosts(), ['10.0.0.3'], 'one node at a time; no peer, and no configured node');
  dialled[0]!.ended();
  t.same(hosts(), ['10.0.0.3', '10.0.0.4'], 'the next node is dialled when a dial fails');
  dialled[0]!.ended();
  t.equal(dialled.length, 2, 'a second end of the same dial is ignored');
  dialled[1]!.ended();
  check.check();
  t.equal(dialled.length, 2, 'all nodes were tried');
  pass(1_200_001);
  check.check();
  t.same(hosts().slice(2), ['10.0.0.3']);
  check.close();
  dialled[2]!.ended();
  t.equal(dialled.length, 3);
});

t.test('disconnects the dialled node after a minute if it is not ahead', async (t) => {
  const { check, peers, pass } = islandOf([]);
  check.check();
  const [other, found] = ['10.0.0.9', '10.0.0.2'].map((host) => behind({ host, isActive: true, now: () => 0 }));
  for (const { peer } of [other!, found!]) peers.add(peer);
  t.ok(check.isChosen(found!.peer.channel));
  t.notOk(check.isChosen(other!.peer.channel));
  t.notOk(
    check.isChosen({ host: '10.0.0.2', port: 1, isActive: false }),
    'an accepted connection from that host is not the selected node',
  );
  pass(59_999);
  check.check();
  t.notOk(found!.peer.isClosed);
  pass(1);
  check.check();
  t.same([endOf(found!), other!.peer.isClosed], ['BELOW_THAN_ME', false]);
});
