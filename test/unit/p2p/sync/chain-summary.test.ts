import t from 'tap';
import { chainSummary, summaryNumbers } from '../../../../src/p2p/sync/chain-summary.js';
import { idAt, madeChain } from '../../../support/p2p/made-chain.js';

t.test('makes a summary denser towards its highest block', async (t) => {
  t.same(summaryNumbers(0, 100), [0, 51, 76, 89, 95, 98, 100]);
  t.same(summaryNumbers(5, 5), [5]);
  t.same(summaryNumbers(5, 6), [5, 6]);
});

const numbersOf = (...args: Parameters<typeof chainSummary>) => chainSummary(...args).map(({ number }) => number);

t.test('summarises the own chain from the lowest revertible block and the known blocks of the peer', async (t) => {
  const genesis = { commonBlock: idAt(0), toFetch: [] };
  t.same(numbersOf(madeChain(100), genesis), summaryNumbers(90, 100));
  t.same(numbersOf(madeChain(3), genesis), summaryNumbers(0, 3), 'near genesis');
  t.same(numbersOf(madeChain(100), { commonBlock: idAt(95), toFetch: [] }), summaryNumbers(90, 95));
  const known = { commonBlock: idAt(100), toFetch: [idAt(101), idAt(102)] };
  t.same(numbersOf(madeChain(100), known), summaryNumbers(90, 102));
});

t.test('lists the blocks of the fork if the common block is on a fork', async (t) => {
  const branch = [idAt(99, '0b'), idAt(98, '0b'), idAt(97)];
  const summary = chainSummary(madeChain(100, {}, branch), { commonBlock: idAt(99, '0b'), toFetch: [] });
  t.equal(summary.at(-1)?.hex, idAt(99, '0b').hex);
  t.ok(summary.filter(({ number }) => number <= 97).every(({ hex, number }) => hex === idAt(number).hex));
});

t.test('returns no summary without a path to the common block', async (t) => {
  const lost = { commonBlock: idAt(99, '0b'), toFetch: [] };
  t.throws(() => chainSummary(madeChain(100, { branchOf: () => [] }), lost), { code: 'SYNC_FAILED' });
  t.throws(() => chainSummary(madeChain(100, { lowestRevertible: 96 }), { commonBlock: idAt(95), toFetch: [] }), {
    message: 'low: 96 gt highNoFork: 95',
  });
});
