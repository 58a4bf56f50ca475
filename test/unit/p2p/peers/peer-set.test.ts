import t from 'tap';
import { PeerSet } from '../../../../src/p2p/peers/peer-set.js';
import { fakePeer, setOf } from '../../../support/p2p/fake-peer.js';

t.test('finds peers by connection and sorts them by response time', async (t) => {
  const [slow, fast, closed] = [fakePeer({ host: '1' }), fakePeer({ host: '2' }), fakePeer({ host: '3' })];
  const set = setOf([slow, fast, closed]);
  Object.assign(slow.peer.channel, { latencyMs: 90 });
  Object.assign(fast.peer.channel, { latencyMs: 10 });
  closed.peer.channel.close();
  t.same(set.active(), [slow.peer, fast.peer], 'in order of connection');
  set.sort();
  t.same(set.active(), [fast.peer, slow.peer]);
  t.equal(set.of(slow.peer.channel), slow.peer);
  t.equal(set.remove(slow.peer.channel), slow.peer);
  t.same([set.of(slow.peer.channel), set.active(), set.remove(slow.peer.channel)], [undefined, [fast.peer], undefined]);
});

t.test('announces only to peers that are in sync in both directions', async (t) => {
  const [inSync, behind] = [fakePeer(), fakePeer({ host: '2', isInSync: false })];
  t.same(setOf([inSync, behind]).inSync(), [inSync.peer]);
  t.same(new PeerSet().inSync(), []);
});
