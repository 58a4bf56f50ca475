import t from 'tap';
import { headAt, reachOf } from '../../../../src/projections/runner/reach.js';
import { openBootstrapped } from '../../../support/streams/bootstrapped-chain.js';
import { openChain } from '../../../support/streams/genesis.js';
import { appendTransfers } from '../../../support/streams/transfer-chain.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const BASE = 80_000_000;

t.test('returns the height of the head at each entry of a bootstrapped log', async (t) => {
  const ledger = await openBootstrapped(temporaryFolder(t), { number: BASE });
  const solidified = BASE - 1;
  appendTransfers(ledger, { solidified });
  ledger.revert();
  appendTransfers(ledger, { salt: 'other' });
  await ledger.flush();
  const kinds = [0, 1, 2, 3, 4, 5].map((seq) => ledger.entry(seq).kind);
  t.same(kinds, ['base', 'solidified', 'applied', 'solidified', 'reverted', 'applied']);
  t.same(
    [-1, 0, 1, 2, 3, 4, 5].map((seq) => headAt(ledger, seq)),
    [-1, BASE, BASE, BASE + 1, BASE + 1, BASE, BASE + 1],
  );
  t.same(
    [-1, 0, 1, 2, 3, 4, 5].map((seq) => reachOf(ledger, seq)),
    [-1, BASE, BASE, BASE, BASE, BASE, BASE + 1],
  );
  await ledger.close();
});

t.test('reads no entries and no blocks that are pruned', async (t) => {
  const ledger = await openBootstrapped(temporaryFolder(t), { number: BASE, logRetention: 10, retention: 10 });
  let kept = -1;
  for (let blocks = 1; blocks <= 40; blocks++) {
    appendTransfers(ledger, blocks > 5 ? { solidified: BASE + blocks - 5 } : {});
    await ledger.flush();
    if (blocks === 20) kept = ledger.position.seq - 1;
    if (blocks === 20) ledger.retainChanges('reader', kept);
  }
  t.equal(ledger.startNumber, BASE + 20, 'the log is pruned up to the last entry that the reader has processed');
  t.equal(ledger.block(BASE), undefined, 'the block of the base is pruned');
  t.throws(() => ledger.entry(kept), { code: 'LOG_CUT' });
  for (const find of [headAt, reachOf]) {
    t.equal(find(ledger, kept - 1), undefined, 'the next entry is pruned');
    t.equal(find(ledger, kept), BASE + 20);
    t.equal(find(ledger, kept + 1), BASE + 20, 'only a solidified entry is stored up to here');
    t.equal(find(ledger, kept + 2), BASE + 21);
    t.equal(find(ledger, 0), BASE);
  }
  await ledger.close();
});

t.test('does not search for the block of an entry below the start of the log', async (t) => {
  const ledger = await openChain(temporaryFolder(t));
  appendTransfers(ledger);
  await ledger.flush();
  const read: number[] = [];
  const start = { base: undefined, startNumber: BASE, seqAfter: () => 5, position: ledger.position };
  const pruned = { ...start, entry: () => ledger.entry(1), block: (number: number) => void read.push(number) };
  t.equal(reachOf(pruned, 4), ledger.position.headNumber);
  t.same(read, []);
  await ledger.close();
});
