import t, { type Test } from 'tap';
import type { LocalChain } from '../../../src/p2p/local-chain.js';
import { Patience } from '../../../src/p2p/peers/patience.js';
import { DEFAULT_LIMITS } from '../../../src/p2p/releases/peer-limits.js';
import type { PeerRelease } from '../../../src/p2p/releases/peer-release.js';
import { peerRelease } from '../../../src/p2p/releases/releases.js';
import { SyncClient } from '../../../src/p2p/sync/sync-client.js';
import type { BlockId } from '../../../src/p2p/wire/block-id.js';
import { MessageType } from '../../../src/p2p/wire/message-types.js';
import { decodeItems } from '../../../src/p2p/wire/messages.js';
import type { DecodedBlock } from '../../../src/vm/block/decoded-block.js';
import { until } from '../../support/until.js';
import { type FakePeer, fakePeer, later, observer, older, setOf } from '../support/fake-peer.js';
import { silentLog } from '../support/silent-log.js';

const idAt = (number: number): BlockId => ({ hex: number.toString(16).padStart(16, '0').padEnd(64, 'a'), number });
const ids = (first: number, last: number): BlockId[] =>
  Array.from({ length: last - first + 1 }, (_, at) => idAt(first + at));

/** Peers that have 2,000 blocks, behind one another, of which a node with nothing asks. */
function syncing(t: Test, release: PeerRelease, count: number): { sync: SyncClient; peers: readonly FakePeer[] } {
  const peers = Array.from({ length: count }, () => fakePeer({ release, isInSync: false }));
  const chain: Partial<LocalChain> = {
    genesis: idAt(0),
    head: idAt(0),
    branchHead: idAt(0),
    solidified: idAt(0),
    lowestUndoable: 0,
    isKnown: ({ number }) => number === 0,
    isCanonical: ({ number }) => number === 0,
    prepare: () => undefined,
    takeSynced: () => undefined,
    settle: () => undefined,
  };
  const sync = new SyncClient({
    chain: chain as LocalChain,
    release,
    peers: setOf(peers),
    batchNum: 2000,
    requestLifeMs: 60_000,
    taken: () => undefined,
    patience: new Patience(Date.now),
    observer,
    log: silentLog,
    now: Date.now,
  });
  t.teardown(() => sync.close());
  for (const { peer } of peers) {
    sync.start(peer);
    sync.takeIds(peer, { ids: ids(0, 2000), remaining: 0 });
  }
  return { sync, peers };
}

const fetches = ({ sent }: FakePeer): readonly (readonly string[])[] =>
  sent.filter(([type]) => type === MessageType.FETCH_INV_DATA).map((bytes) => decodeItems(bytes.subarray(1)).ids);
const countOf = (peers: readonly FakePeer[]): number => peers.flatMap(fetches).flat().length;
/** What of a block a sync looks at. */
const blockAt = (number: number): DecodedBlock =>
  ({ idHex: idAt(number).hex, number, bytes: new Uint8Array(1) }) as unknown as DecodedBlock;

t.test(
  'H23: no more blocks than node.maxPendingBlockSize are asked for or wait, a hundred in one message',
  async (t) => {
    const release = peerRelease('4.8.2', { ...DEFAULT_LIMITS, pendingBlocksMax: 250 });
    const { peers } = syncing(t, release, 4);
    t.same(
      peers.map((peer) => fetches(peer).map(({ length }) => length)),
      [[100], [100], [50], []],
    );
    const { peers: many } = syncing(t, later, 8);
    t.equal(countOf(many), 500, 'as a rule 500');
    const { peers: unbounded } = syncing(t, older, 8);
    t.equal(countOf(unbounded), 800, 'release 4.7.2 has no bound');
  },
);

t.test('H23: what was asked for before is asked of another whether or not there is room', async (t) => {
  const release = peerRelease('4.8.2', { ...DEFAULT_LIMITS, pendingBlocksMax: 50 });
  const { sync, peers } = syncing(t, release, 2);
  t.equal(countOf(peers), 50);
  const [gone, left] = peers;
  // All that was asked for came, and stays behind a first block that does not: nothing of it is executed.
  for (let number = 2; number <= 50; number++) sync.takeBlock(gone!.peer, blockAt(number));
  t.equal(countOf([left!]), 0, 'there is no room');
  gone!.peer.disconnect('TIME_OUT');
  sync.peerGone(gone!.peer);
  await until('the other is asked for all of them', () => countOf([left!]) === 50);
  t.same(
    fetches(left!)[0],
    ids(1, 50).map(({ hex }) => hex),
  );
});

t.test('H23: room that blocks leave behind is used', async (t) => {
  const release = peerRelease('4.8.2', { ...DEFAULT_LIMITS, pendingBlocksMax: 50 });
  const { sync, peers } = syncing(t, release, 1);
  const [only] = peers;
  for (let number = 1; number <= 50; number++) sync.takeBlock(only!.peer, blockAt(number));
  await until('fifty more are asked for', () => countOf(peers) === 100);
});

t.test('H23: announced items that are awaited keep no blocks of a sync back', async (t) => {
  for (const [release, count] of [
    [later, 100],
    [older, 0],
  ] as const) {
    const { sync, peers } = syncing(t, release, 1);
    const [only] = peers;
    const before = countOf(peers);
    only!.peer.itemRequests.set('an item', Date.now());
    for (let number = 1; number <= 100; number++) sync.takeBlock(only!.peer, blockAt(number));
    t.equal(countOf(peers) - before, count, release.name);
  }
});
