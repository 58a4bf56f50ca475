import { get, type WasmFunction } from '../assembler.js';
import { minusComplex, timesComplex } from '../pairing/complex-field.js';
import { type Composer, pairwise, pairwiseSquare, type SixParts } from '../pairing/composer.js';
import type { NumberFunctions } from '../pairing/number-functions.js';

/**
 * Creates the number functions for points of the curve y² = x³ + 4. Each function processes two points: one in the
 * real parts of x, y and z, and one in the imaginary parts. The affine coordinates of a point are x / z and y / z.
 *
 * The formulas are valid for all points of a curve of odd order, including infinity (0, y, 0). The order of this
 * curve is odd, because the group order and the cofactor are odd. Source: Renes, Costello, Batina, "Complete addition
 * formulas for prime order elliptic curves", algorithms 7 to 9.
 */
export function pointNumbers(make: NumberFunctions): readonly WasmFunction[] {
  return [
    make.pairwise('addPairwise'),
    make.pairwiseSquare('addPairwiseSquare'),
    /** Computes 12 × a. The factor 12 is three times the constant 4 of the curve equation. */
    make.linear('twelveTimes', 1, (of) => timesComplex(12, of(1))),
    /** Computes a − 3 × b. */
    make.linear('lessThreeTimes', 2, (of) => minusComplex(of(1), timesComplex(3, of(2)))),
    make.linear('eightTimes', 1, (of) => timesComplex(8, of(1))),
  ];
}

export function composePoints(composer: Composer): void {
  composer.add('multiplyPairwise', 3, composer.sum(get(0), pairwise(get(1), get(2))));
  composer.add('squarePairwise', 2, composer.sum(get(0), pairwiseSquare(get(1))));
  double(composer);
  add(composer, 'addPoints', 'any');
  add(composer, 'addAffine', 'affine');
}

/** WebAssembly function `doublePoints(point)`. Doubles a point in place. */
function double(composer: Composer): void {
  const [x, y, z] = composer.parts(get(0));
  const [a, b, c, d, e, f] = [0, 1, 2, 3, 4, 5].map((at) => composer.scratch(at)) as SixParts;
  composer.add(
    'doublePoints',
    1,
    composer.sum(a, pairwiseSquare(y)),
    composer.sum(b, pairwiseSquare(z)),
    composer.sum(c, pairwise(y, z)),
    composer.sum(d, pairwise(x, y)),
    composer.run('twelveTimes', b, b),
    composer.run('lessThreeTimes', e, a, b),
    composer.run('eightTimes', f, a),
    composer.run('twice', d, d),
    composer.sum(x, pairwise(e, d)),
    composer.sum(z, pairwise(f, c)),
    composer.run('plus', a, a, b),
    composer.sum(y, pairwise(e, a), pairwise(f, b)),
  );
}

/**
 * WebAssembly function `name(point, other)`. Adds `other` to `point` in place. If `others` is `affine`, `other` has
 * only x and y, and its z is 1.
 */
function add(composer: Composer, name: string, others: 'affine' | 'any'): void {
  const [x, y, z] = composer.parts(get(0));
  const [otherX, otherY, otherZ] = composer.parts(get(1));
  const [a, b, c, d, e, f] = [0, 1, 2, 3, 4, 5].map((at) => composer.scratch(at)) as SixParts;
  const g = composer.scratch(6);
  composer.add(
    name,
    2,
    composer.sum(a, pairwise(x, otherX)),
    composer.sum(b, pairwise(y, otherY)),
    composer.sum(c, pairwise(x, otherY), pairwise(y, otherX)),
    others === 'affine'
      ? [composer.sumAnd(y, d, pairwise(otherY, z)), composer.sumAnd(x, e, pairwise(otherX, z))]
      : [
          composer.sum(d, pairwise(y, otherZ), pairwise(otherY, z)),
          composer.sum(e, pairwise(x, otherZ), pairwise(otherX, z)),
          composer.sum(z, pairwise(z, otherZ)),
        ],
    composer.run('threeTimes', a, a),
    composer.run('twelveTimes', e, e),
    composer.run('twelveTimes', f, z),
    composer.run('minus', g, b, f),
    composer.run('plus', b, b, f),
    composer.run('negate', f, e),
    composer.sum(x, pairwise(c, g), pairwise(d, f)),
    composer.sum(y, pairwise(e, a), pairwise(g, b)),
    composer.sum(z, pairwise(b, d), pairwise(a, c)),
  );
}
