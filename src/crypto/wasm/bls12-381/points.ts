import { get, type WasmFunction } from '../assembler.js';
import { minusComplex, timesComplex } from '../pairing/complex-field.js';
import { type Composer, pairwise, pairwiseSquare, type SixParts } from '../pairing/composer.js';
import type { NumberFunctions } from '../pairing/number-functions.js';

/**
 * Functions for points of the curve y² = x³ + 4, two at a time. The real parts of x, y and z are those of one point,
 * the imaginary parts those of the other. A point is x / z, y / z. The formulas are valid for all points of a group of
 * odd order, including infinity (0, y, 0). This curve qualifies, because its cofactor is odd. Source: Renes, Costello,
 * Batina, "Complete addition formulas for prime order elliptic curves", algorithms 7 to 9.
 */
export function pointNumbers(make: NumberFunctions): readonly WasmFunction[] {
  return [
    make.pairwise('addPairwise'),
    make.pairwiseSquare('addPairwiseSquare'),
    /** Computes 12 a, where 12 is three times the constant of the curve equation. */
    make.linear('twelveTimes', 1, (of) => timesComplex(12, of(1))),
    /** Computes a - 3 b. */
    make.linear('lessThreeTimes', 2, (of) => minusComplex(of(1), timesComplex(3, of(2)))),
    make.linear('eightTimes', 1, (of) => timesComplex(8, of(1))),
  ];
}

export function composePoints(made: Composer): void {
  made.add('multiplyPairwise', 3, made.sum(get(0), pairwise(get(1), get(2))));
  made.add('squarePairwise', 2, made.sum(get(0), pairwiseSquare(get(1))));
  double(made);
  add(made, 'addPoints', 'any');
  add(made, 'addAffine', 'affine');
}

/** WebAssembly function `doublePoints(point)`. Doubles a point in place. */
function double(made: Composer): void {
  const [x, y, z] = made.parts(get(0));
  const [a, b, c, d, e, f] = [0, 1, 2, 3, 4, 5].map((at) => made.scratch(at)) as SixParts;
  made.add(
    'doublePoints',
    1,
    made.sum(a, pairwiseSquare(y)),
    made.sum(b, pairwiseSquare(z)),
    made.sum(c, pairwise(y, z)),
    made.sum(d, pairwise(x, y)),
    made.run('twelveTimes', b, b),
    made.run('lessThreeTimes', e, a, b),
    made.run('eightTimes', f, a),
    made.run('twice', d, d),
    made.sum(x, pairwise(e, d)),
    made.sum(z, pairwise(f, c)),
    made.run('plus', a, a, b),
    made.sum(y, pairwise(e, a), pairwise(f, b)),
  );
}

/**
 * WebAssembly function `name(point, other)`. Adds another point in place. An affine point has an implicit z of 1, which
 * is not in memory.
 */
function add(made: Composer, name: string, others: 'affine' | 'any'): void {
  const [x, y, z] = made.parts(get(0));
  const [otherX, otherY, otherZ] = made.parts(get(1));
  const [a, b, c, d, e, f] = [0, 1, 2, 3, 4, 5].map((at) => made.scratch(at)) as SixParts;
  const g = made.scratch(6);
  made.add(
    name,
    2,
    made.sum(a, pairwise(x, otherX)),
    made.sum(b, pairwise(y, otherY)),
    made.sum(c, pairwise(x, otherY), pairwise(y, otherX)),
    others === 'affine'
      ? [made.sumAnd(y, d, pairwise(otherY, z)), made.sumAnd(x, e, pairwise(otherX, z))]
      : [
          made.sum(d, pairwise(y, otherZ), pairwise(otherY, z)),
          made.sum(e, pairwise(x, otherZ), pairwise(otherX, z)),
          made.sum(z, pairwise(z, otherZ)),
        ],
    made.run('threeTimes', a, a),
    made.run('twelveTimes', e, e),
    made.run('twelveTimes', f, z),
    made.run('minus', g, b, f),
    made.run('plus', b, b, f),
    made.run('negate', f, e),
    made.sum(x, pairwise(c, g), pairwise(d, f)),
    made.sum(y, pairwise(e, a), pairwise(g, b)),
    made.sum(z, pairwise(b, d), pairwise(a, c)),
  );
}
