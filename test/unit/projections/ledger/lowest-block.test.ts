import t from 'tap';
import type { Ledger } from '../../../../src/projections/ledger/ledger.js';
import { lowestBlock } from '../../../../src/projections/ledger/lowest-block.js';

/**
 * Returns a ledger with genesis and the blocks from height `from` to the head. `requested` lists the heights that the
 * search has read.
 */
function ledger(startNumber: number, headNumber: number, from: number) {
  const heights: number[] = [];
  // Contains only the fields that the search reads.
  const made = {
    startNumber,
    position: { headNumber },
    block: (number: number) => {
      heights.push(number);
      return number === 0 || number >= from ? {} : undefined;
    },
  } as unknown as Pick<Ledger, 'startNumber' | 'position' | 'block'>;
  return { made, requested: heights };
}

t.test('computes the lowest block of a node', async (t) => {
  const cases: readonly (readonly [start: number, head: number, from: number, lowest: number])[] = [
    [0, 0, 1, 0],
    [0, 90, 1, 1],
    [70, 90, 71, 71],
    [70, 90, 40, 40],
    [70, 70, 70, 70],
    [80_000_000, 80_000_100, 79_934_465, 79_934_465],
  ];
  for (const [start, head, from, lowest] of cases) {
    const { made, requested: heights } = ledger(start, head, from);
    t.equal(lowestBlock(made), lowest, `${start} ${head} ${from}`);
    t.ok(heights.length <= 27, `${heights.length} blocks are read`);
  }
});
