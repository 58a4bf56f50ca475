import t from 'tap';
import { serveChainIds } from '../../../../src/p2p/sync/serve-chain.js';
import { decodeChainIds } from '../../../../src/p2p/wire/messages.js';
import { endOf, fakePeer } from '../../../support/p2p/fake-peer.js';
import { idAt, madeChain } from '../../../support/p2p/made-chain.js';

function answer(head: number, numbers: readonly number[]) {
  const { peer, sent } = fakePeer();
  serveChainIds(
    madeChain(head),
    peer,
    numbers.map((number) => idAt(number)),
  );
  const { ids, remaining } = decodeChainIds(sent.at(-1)?.subarray(1) ?? new Uint8Array(0));
  return { first: ids[0]?.number, last: ids.at(-1)?.number, remaining, behind: peer.needsSyncFromUs, peer };
}

t.test('returns the ids after the newest common block, 2,000 at once', async (t) => {
  t.match(answer(100, [0, 50, 90]), { first: 90, last: 100, remaining: 0, behind: true });
  t.match(answer(100, [90, 100]), { first: 100, last: 100, remaining: 0, behind: false });
  t.match(answer(9000, [0, 50]), { first: 50, last: 2050, remaining: 6950, behind: true });
  t.equal(answer(100, [0, 50]).peer.lastSyncId?.number, 100);
});

t.test('skips blocks of another branch', async (t) => {
  const { peer, sent } = fakePeer();
  serveChainIds(madeChain(100), peer, [idAt(50), idAt(60, '0b')]);
  t.equal(decodeChainIds(sent.at(-1)?.subarray(1) ?? new Uint8Array(0)).ids[0]?.number, 50);
});

t.test('rejects a summary without a common block', async (t) => {
  const foreign = fakePeer();
  serveChainIds(madeChain(100), foreign.peer, [idAt(5, '0b')]);
  t.equal(endOf(foreign), 'BAD_PROTOCOL', 'the summary starts on another chain');
  const { peer } = fakePeer();
  t.throws(() => serveChainIds(madeChain(100), peer, []), { message: 'SyncBlockChain blockIds is empty' });
  peer.lastSyncId = idAt(80);
  t.throws(() => serveChainIds(madeChain(100), peer, [idAt(50)]), { message: 'lastSyncNum:80 gt lastNum:50' });
});
