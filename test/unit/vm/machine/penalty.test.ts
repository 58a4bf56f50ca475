import t from 'tap';
import { penaltyOf } from '../../../../src/vm/machine/penalty.js';

// Factors are in 1/10000. The penalty is cost × factor, rounded down, minus the cost. Reference: VM.play with
// ALLOW_DYNAMIC_ENERGY.
const rows: readonly (readonly [cost: number, factor: number, penalty: number])[] = [
  [100, 10_000, 0],
  [100, 9999, 0],
  [100, 12_000, 20],
  [3, 12_000, 0],
  [5, 12_000, 1],
  [0, 50_000, 0],
];

t.test('adds the dynamic energy penalty to each cost in whole units', async (t) => {
  for (const [cost, factor, penalty] of rows) t.equal(penaltyOf(cost, factor), penalty, `${cost} at ${factor}`);
});
