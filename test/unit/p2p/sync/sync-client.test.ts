import t, { type Test } from 'tap';
import type { LocalChain } from '../../../../src/p2p/local-chain.js';
import { P2pError } from '../../../../src/p2p/p2p-error.js';
import { IdleClock } from '../../../../src/p2p/peers/idle-clock.js';
import { DEFAULT_LIMITS } from '../../../../src/p2p/releases/peer-limits.js';
import type { PeerRelease } from '../../../../src/p2p/releases/peer-release.js';
import { peerRelease } from '../../../../src/p2p/releases/releases.js';
import { SyncClient } from '../../../../src/p2p/sync/sync-client.js';
import type { BlockId } from '../../../../src/p2p/wire/block-id.js';
import { WireMessageType } from '../../../../src/p2p/wire/message-types.js';
import { decodeItems } from '../../../../src/p2p/wire/messages.js';
import { present } from '../../../../src/primitives/assert.js';
import { TronError } from '../../../../src/primitives/errors.js';
import type { DecodedBlock } from '../../../../src/state-transition/block/decoded-block.js';
import { endOf, type FakePeer, fakePeer, later, observer, older, setOf } from '../../../support/p2p/fake-peer.js';
import { silentLog } from '../../../support/p2p/silent-log.js';
import { until } from '../../../support/until.js';

const idAt = (number: number): BlockId => ({ hex: number.toString(16).padStart(16, '0').padEnd(64, 'a'), number });
const ids = (first: number, last: number): BlockId[] =>
  Array.from({ length: last - first + 1 }, (_, at) => idAt(first + at));

/** Starts a sync of an empty node from `count` peers, each of which has announced 2,000 blocks. */
function syncing(
  t: Test,
  release: PeerRelease,
  count: number,
  clock = () => performance.now(),
): {
  sync: SyncClient;
  peers: readonly FakePeer[];
  known: Set<string>;
  chain: { -readonly [Part in keyof LocalChain]?: LocalChain[Part] };
} {
  const peers = Array.from({ length: count }, () => fakePeer({ release, isInSync: false }));
  const known = new Set([idAt(0).hex]);
  const chain: ReturnType<typeof syncing>['chain'] = {
    genesis: idAt(0),
    head: idAt(0),
    branchHead: idAt(0),
    solidified: idAt(0),
    solidifiedTimeMs: 0,
    lowestRevertible: 0,
    isKnown: ({ hex }) => known.has(hex),
    isCanonical: ({ hex }) => known.has(hex),
    idAt,
    prefetchSignatures: () => undefined,
    checkHeader: () => ({ isLinked: true, isLow: false, isActive: true, signatureFault: undefined }),
    importBlock: ({ idHex, parentIdHex }) => {
      if (!known.has(parentIdHex))
        return { kind: 'refused', error: new P2pError('BAD_BLOCK', 'UnLinkedBlockException') };
      known.add(idHex);
      return { kind: 'applied' };
    },
    flush: () => undefined,
  };
  const sync = new SyncClient({
    chain: chain as LocalChain,
    release,
    peers: setOf(peers),
    batchNum: 2000,
    requestLifeMs: 60_000,
    imported: () => undefined,
    waitClock: new IdleClock(Date.now),
    observer,
    log: silentLog,
    now: Date.now,
    clock,
  });
  t.teardown(() => sync.close());
  for (const { peer } of peers) {
    sync.start(peer);
    sync.receiveIds(peer, { ids: ids(0, 2000), remaining: 0 });
  }
  return { sync, peers, known, chain };
}

const fetches = ({ sent }: FakePeer): readonly (readonly string[])[] =>
  sent.filter(([type]) => type === WireMessageType.FETCH_INV_DATA).map((bytes) => decodeItems(bytes.subarray(1)).ids);
const countOf = (peers: readonly FakePeer[]): number => peers.flatMap(fetches).flat().length;
/** Returns a block with only the fields that a sync reads. */
const blockAt = (number: number, length = 1, transactions = 0): DecodedBlock =>
  ({
    idHex: idAt(number).hex,
    parentIdHex: idAt(number - 1).hex,
    number,
    bytes: { length },
    transactions: { length: transactions },
    transactionCount: transactions,
  }) as unknown as DecodedBlock;
const summaries = ({ sent }: FakePeer): number =>
  sent.filter(([type]) => type === WireMessageType.SYNC_BLOCK_CHAIN).length;

t.test('bounds requested and queued blocks by node.maxPendingBlockSize, with 100 per message', async (t) => {
  const release = peerRelease('4.8.2', { ...DEFAULT_LIMITS, pendingBlocksMax: 250 });
  const { peers } = syncing(t, release, 4);
  t.same(
    peers.map((peer) => fetches(peer).map(({ length }) => length)),
    [[100], [100], [50], []],
  );
  const { peers: many } = syncing(t, later, 8);
  t.equal(countOf(many), 500, 'the default limit of 500');
  const { peers: unbounded } = syncing(t, older, 8);
  t.equal(countOf(unbounded), 800, 'release 4.7.2 has no limit');
});

t.test('requests lost blocks from another peer even at the limit', async (t) => {
  const release = peerRelease('4.8.2', { ...DEFAULT_LIMITS, pendingBlocksMax: 50 });
  const { sync, peers } = syncing(t, release, 2);
  t.equal(countOf(peers), 50);
  const [disconnected, left] = peers;
  // All requested blocks arrive except for the first one, so no block can be executed.
  for (let number = 2; number <= 50; number++) sync.receiveBlock(disconnected!.peer, blockAt(number));
  t.equal(countOf([left!]), 0, 'the queue is full');
  disconnected!.peer.disconnect('TIME_OUT');
  sync.peerDisconnected(disconnected!.peer);
  await until('requests for all blocks to the other peer', () => countOf([left!]) === 50);
  t.same(
    fetches(left!)[0],
    ids(1, 50).map(({ hex }) => hex),
  );
});

t.test('requests more blocks after executed blocks have left the queue', async (t) => {
  const release = peerRelease('4.8.2', { ...DEFAULT_LIMITS, pendingBlocksMax: 50 });
  const { sync, peers } = syncing(t, release, 1);
  const [only] = peers;
  for (let number = 1; number <= 50; number++) sync.receiveBlock(only!.peer, blockAt(number));
  await until('requests for fifty more blocks', () => countOf(peers) === 100);
});

t.test('disconnects the peer that sent the most bytes when the queue is too large', async (t) => {
  const { sync, peers } = syncing(t, older, 2);
  const [hostile, honest] = peers;
  for (let number = 101; number <= 199; number++) sync.receiveBlock(honest!.peer, blockAt(number, 100_000));
  // The blocks of the hostile peer cannot be executed, because it does not send the first one.
  for (let number = 2; number <= 100 && !hostile!.peer.isClosed; number++)
    sync.receiveBlock(hostile!.peer, blockAt(number, 2_000_000));
  t.equal(endOf(hostile!), 'SYNC_FAIL');
  t.equal(endOf(honest!), undefined);
  sync.peerDisconnected(hostile!.peer);
  sync.receiveBlock(honest!.peer, blockAt(200, 100_000));
  t.same(
    fetches(honest!)[1],
    ids(1, 100).map(({ hex }) => hex),
    'the blocks are requested from the honest peer',
  );
});

t.test('syncs from another peer while blocks that cannot be executed fill the queue', async (t) => {
  const { sync, peers } = syncing(t, later, 2);
  const [hostile, honest] = peers;
  for (let number = 2; number <= 100; number++) sync.receiveBlock(hostile!.peer, blockAt(number, 1_000_000));
  const branch = ids(1, 50).map(({ hex, number }) => ({ hex: hex.replaceAll('a', 'b'), number }));
  honest!.peer.syncRequests.clear();
  honest!.peer.isSyncing = false;
  sync.start(honest!.peer);
  sync.receiveIds(honest!.peer, { ids: [idAt(0), ...branch], remaining: 0 });
  t.same(
    fetches(honest!).at(-1),
    branch.map(({ hex }) => hex),
  );
});

t.test('requests fewer blocks while blocks are large', async (t) => {
  const { sync, peers } = syncing(t, older, 1);
  const [only] = peers;
  for (let number = 1; number <= 100; number++) sync.receiveBlock(only!.peer, blockAt(number, 1_000_000));
  await until('the next request', () => fetches(only!).length === 2);
  const { length } = fetches(only!)[1]!;
  t.ok(length > 0 && length <= 51, `${length} blocks of 1 MB`);
});

t.test('does not delay sync blocks for outstanding announced items', async (t) => {
  for (const [release, count] of [
    [later, 100],
    [older, 0],
  ] as const) {
    const { sync, peers } = syncing(t, release, 1);
    const [only] = peers;
    const before = countOf(peers);
    only!.peer.itemRequests.set('an item', Date.now());
    for (let number = 1; number <= 100; number++) sync.receiveBlock(only!.peer, blockAt(number));
    t.equal(countOf(peers) - before, count, release.name);
  }
});

t.test('requests a block again after its failed branch is deleted', async (t) => {
  const { sync, peers, known } = syncing(t, older, 2);
  const [one, other] = peers;
  sync.receiveBlock(one!.peer, blockAt(1));
  await until('the block is executed', () => known.has(idAt(1).hex));
  known.delete(idAt(1).hex);
  for (const { peer } of peers) sync.peerDisconnected(peer);
  other!.peer.isSyncing = false;
  const before = fetches(other!).length;
  sync.start(other!.peer);
  sync.receiveIds(other!.peer, { ids: ids(0, 3), remaining: 0 });
  t.same(
    fetches(other!)[before],
    ids(1, 3).map(({ hex }) => hex),
  );
});

t.test(
  'bans the sender of a block with a wrong parent, but not the sender of a block whose parent was deleted',
  async (t) => {
    const { sync, peers, known } = syncing(t, older, 2);
    const [honest, liar] = peers;
    sync.receiveBlock(honest!.peer, blockAt(1));
    await until('the first block is executed', () => known.has(idAt(1).hex));
    known.delete(idAt(1).hex);
    liar!.peer.setCommonBlock(idAt(0));
    sync.receiveBlock(honest!.peer, blockAt(2));
    await until('both peers are disconnected', () => liar!.peer.isClosed && honest!.peer.isClosed);
    t.equal(liar!.peer.disconnectReason, 'BAD_BLOCK');
    t.equal(
      honest!.peer.disconnectReason,
      'SYNC_FAIL',
      'disconnected without a ban, because it announced a block that this node lacks',
    );
  },
);

t.test('requests ids again from a peer with no unknown blocks, without extending its time limit', async (t) => {
  const { sync, peers, known, chain } = syncing(t, older, 1);
  const only = peers[0]!;
  const { peer } = only;
  sync.receiveBlock(peer, blockAt(1));
  await until('the first block is executed', () => known.has(idAt(1).hex));
  known.delete(idAt(1).hex);
  chain.head = idAt(2000);
  chain.branchHead = idAt(2000);
  const [before, sinceMs] = [summaries(only), peer.commonBlockMs];
  sync.receiveBlock(peer, blockAt(2));
  await until('a request for ids', () => summaries(only) > before);
  t.notOk(peer.isClosed);
  t.same([peer.commonBlock.number, peer.toFetch.length, peer.commonBlockMs], [0, 0, sinceMs]);
});

/** Answers a request for ids, as a peer does whose chain ends at block `last`. */
function answer(sync: SyncClient, { peer }: FakePeer, last: number): void {
  peer.chainRequest = { ids: new Set([idAt(0).hex]), last: idAt(0), atMs: 0 };
  sync.receiveIds(peer, { ids: ids(0, last), remaining: 0 });
}

t.test('requests a block from each peer once, and disconnects the only peer that has it', async (t) => {
  const { sync, peers, known } = syncing(t, later, 2);
  const [one, other] = peers;
  sync.receiveBlock(one!.peer, blockAt(1));
  await until('the first block is executed', () => known.has(idAt(1).hex));
  known.delete(idAt(1).hex);
  answer(sync, other!, 3);
  for (let number = 101; number <= 200; number++) sync.receiveBlock(other!.peer, blockAt(number));
  t.same(fetches(other!)[1], [idAt(1).hex], 'the block is still expected from the first peer');
  answer(sync, one!, 3);
  t.notOk(one!.peer.isClosed, 'the other peer has the block');
  other!.peer.disconnect('TIME_OUT');
  sync.peerDisconnected(other!.peer);
  t.equal(one!.peer.disconnectReason, 'SYNC_FAIL');
  t.equal(
    fetches(one!)
      .flat()
      .filter((id) => id === idAt(1).hex).length,
    1,
  );
});

t.test('requests a deleted parent before its child', async (t) => {
  const { sync, peers, known, chain } = syncing(t, later, 2);
  const [one, other] = peers;
  sync.receiveBlock(one!.peer, blockAt(1));
  await until('the first block is executed', () => known.has(idAt(1).hex));
  known.delete(idAt(1).hex);
  chain.head = idAt(2000);
  const before = summaries(one!);
  sync.receiveBlock(one!.peer, blockAt(2));
  await until('a request for ids', () => summaries(one!) > before);
  answer(sync, other!, 3);
  for (let number = 101; number <= 200; number++) sync.receiveBlock(other!.peer, blockAt(number));
  t.same(fetches(other!)[1], [idAt(1).hex], 'the child is not requested again');
  sync.receiveBlock(other!.peer, blockAt(1));
  await until('both blocks are executed', () => known.has(idAt(2).hex));
});

t.test('accepts a response that starts with blocks deleted since the request', async (t) => {
  const { sync, peers, chain } = syncing(t, older, 2);
  for (const [{ peer }, height, reason] of [
    [peers[0]!, 2010, undefined],
    [peers[1]!, 2009, 'SYNC_FAIL'],
  ] as const) {
    peer.toFetch = [];
    peer.chainRequest = { ids: new Set([idAt(0).hex, idAt(2000).hex]), last: idAt(2000), atMs: 0 };
    chain.head = idAt(height);
    sync.receiveIds(peer, { ids: ids(2000, 2010), remaining: 0 });
    t.equal(peer.disconnectReason, reason);
    t.same(peer.toFetch, []);
    t.equal(peer.chainRequest === undefined, reason !== undefined, 'the sync with this peer starts again');
  }
});

t.test('requests ids again if queued blocks fall below the solidified block', async (t) => {
  const { sync, peers, known, chain } = syncing(t, older, 2);
  const [one, other] = peers;
  chain.head = idAt(2000);
  chain.solidified = idAt(1);
  const before = peers.map(summaries);
  sync.receiveBlock(one!.peer, blockAt(1));
  await until('requests for ids to both peers', () => peers.every((peer, at) => summaries(peer) > before[at]!));
  t.notOk(known.has(idAt(1).hex));
  t.same(
    [one, other].map((peer) => peer!.peer.toFetch.length),
    [0, 0],
  );
});

t.test('does not wait for blocks that were applied without the sync', async (t) => {
  const { sync, peers, known } = syncing(t, older, 2);
  const [slow, other] = peers;
  for (let number = 1; number <= 100; number++) known.add(idAt(number).hex);
  sync.peerDisconnected(slow!.peer);
  for (let number = 101; number <= 200; number++) sync.receiveBlock(other!.peer, blockAt(number));
  await until('the blocks of the other peer are executed', () => known.has(idAt(200).hex));
});

t.test('counts a block of two peers once', async (t) => {
  const { sync, peers, known } = syncing(t, older, 2);
  const [one, other] = peers;
  for (const { peer } of peers) sync.receiveBlock(peer, blockAt(2, 49 << 20));
  t.equal(one!.peer.inProcess.size + other!.peer.inProcess.size, 1);
  for (let number = 3; number <= 100; number++) sync.receiveBlock(one!.peer, blockAt(number));
  const before = countOf(peers);
  sync.receiveBlock(one!.peer, blockAt(1));
  await until('all blocks are executed', () => known.has(idAt(100).hex));
  await until('requests for more blocks', () => countOf(peers) > before);
});

t.test('reads blocks ahead of execution while more arrive, up to an idle time', async (t) => {
  let nowMs = 0;
  const { sync, peers, known } = syncing(t, older, 1, () => nowMs);
  const [only] = peers;
  answer(sync, present(only, 'the sync has a peer'), 100);
  const turn = () => new Promise((resolve) => setTimeout(resolve, 100));
  const take = (number: number) =>
    sync.receiveBlock(present(only, 'the sync has a peer').peer, blockAt(number, 1, 1000));
  for (let number = 1; number <= 4; number++) take(number);
  await turn();
  t.notOk(known.has(idAt(1).hex), 'four blocks of a thousand transactions wait for more blocks');
  take(5);
  await until('the first block is executed', () => known.has(idAt(1).hex));
  await turn();
  t.notOk(known.has(idAt(2).hex), 'the other blocks wait for the next block');
  nowMs += 50;
  await until('all blocks are executed after the idle time', () => known.has(idAt(5).hex));
  for (let number = 6; number <= 99; number++) take(number);
  await until('the blocks before the newest four are executed', () => known.has(idAt(95).hex));
  await turn();
  t.notOk(known.has(idAt(96).hex));
  take(100);
  await until('the last requested block is executed', () => known.has(idAt(100).hex));
});

t.test('keeps a block that cannot be stored in the queue, and its peer connected', async (t) => {
  let aheadMs = 0;
  const { sync, peers, chain } = syncing(t, later, 1, () => performance.now() + aheadMs);
  const [only] = peers;
  const importBlock = chain.importBlock!;
  const tried: number[] = [];
  let isFull = true;
  chain.importBlock = (block, as) => {
    tried.push(block.number);
    return isFull ? { kind: 'unstored' } : importBlock(block, as);
  };
  for (let number = 1; number <= 3; number++) sync.receiveBlock(only!.peer, blockAt(number));
  await until('the import of a block', () => tried.length > 0);
  sync.receiveBlock(only!.peer, blockAt(4));
  await new Promise((resolve) => setTimeout(resolve, 100));
  t.same(tried, [1], 'no block is executed for one slot');
  t.equal(only!.peer.toFetch[0]?.number, 1);
  isFull = false;
  aheadMs = 3001;
  sync.receiveBlock(only!.peer, blockAt(5));
  await until('all blocks are executed', () => tried.length === 6);
  t.same(tried, [1, 1, 2, 3, 4, 5]);
  t.equal(only!.peer.toFetch[0]?.number, 6);
});

t.test('keeps a block whose header cannot be checked because the disk fails, and its peer connected', async (t) => {
  let aheadMs = 0;
  const { sync, peers, chain, known } = syncing(t, later, 1, () => performance.now() + aheadMs);
  const [only] = peers;
  const checkHeader = chain.checkHeader!;
  let isChecked = false;
  chain.checkHeader = () => {
    isChecked = true;
    throw new TronError('STORAGE_FAILED', 'cannot read the state');
  };
  sync.receiveBlock(only!.peer, blockAt(1));
  await until('the check of a header', () => isChecked);
  t.equal(only!.peer.isClosed, false);
  chain.checkHeader = checkHeader;
  aheadMs = 3001;
  sync.receiveBlock(only!.peer, blockAt(2));
  await until('both blocks are executed', () => known.has(idAt(2).hex));
  t.ok(known.has(idAt(1).hex));
});
