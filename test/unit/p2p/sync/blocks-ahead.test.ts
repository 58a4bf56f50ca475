import t from 'tap';
import { isFarAhead } from '../../../../src/p2p/sync/blocks-ahead.js';

t.test('reads at most sixteen blocks ahead, or fewer if they contain more than 4,096 transactions', async (t) => {
  for (const [blocks, transactions, expected] of [
    [0, 0, false],
    [16, 0, false],
    [17, 0, true],
    [4, 4096, false],
    [5, 4097, true],
    [2, 10_000, true],
    [1, 10_000, false],
  ] as const) {
    t.equal(isFarAhead({ blocks, transactions }), expected, `${blocks} blocks, ${transactions} transactions`);
  }
});
