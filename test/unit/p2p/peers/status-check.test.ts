import t from 'tap';
import { overdue } from '../../../../src/p2p/peers/status-check.js';
import { fakePeer } from '../../../support/p2p/fake-peer.js';

const NOW = 100_000;

// Reference: PeerStatusCheck.statusCheck. The limits are 30 s without progress, 20 s for an item, and 5 s for a block
// of a sync.
t.test('reports a peer without progress, or with an overdue answer, as timed out', async (t) => {
  const check = (prepare: (peer: ReturnType<typeof fakePeer>['peer']) => void, commonMs = NOW) => {
    let time = commonMs;
    const { peer } = fakePeer({ now: () => time });
    time = NOW;
    prepare(peer);
    return overdue(peer, NOW, NOW);
  };
  const rows: readonly (readonly [end: ReturnType<typeof overdue>, found: ReturnType<typeof overdue>])[] = [
    [undefined, check(() => undefined)],
    ['no progress', check((peer) => (peer.needsSyncFromPeer = true), NOW - 30_001)],
    [undefined, check((peer) => (peer.needsSyncFromPeer = true), NOW - 30_000)],
    [undefined, check(() => undefined, 0)],
    ['item', check((peer) => peer.itemRequests.set('a', NOW - 20_001))],
    [undefined, check((peer) => peer.itemRequests.set('a', NOW - 20_000))],
    ['sync block', check((peer) => peer.syncRequests.set('a', NOW - 5001))],
    [undefined, check((peer) => peer.syncRequests.set('a', NOW - 5000))],
  ];
  for (const [end, found] of rows) t.equal(found, end);
});
