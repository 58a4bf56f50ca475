import { bls12_381 } from '@noble/curves/bls12-381.js';
import t from 'tap';
import {
  BLS12_381_NUMBER,
  BLS12_381_ORDER,
  Bls12381Field,
  POINT,
} from '../../../../../src/crypto/wasm/bls12-381/field.js';
import { RandomFactor, RandomMultiples } from '../../../../../src/crypto/wasm/bls12-381/random-multiples.js';

const G1 = bls12_381.G1.Point;
const field = new Bls12381Field(2);
const multiples = new RandomMultiples(field);
const at = field.allocate(POINT);

t.test('multiplies two points by a random factor', async (t) => {
  for (let i = 1n; i < 40n; i++) {
    const points = [G1.BASE.multiply(i), G1.BASE.multiply(BLS12_381_ORDER - i * i)] as const;
    const [first, second] = [points[0].toAffine(), points[1].toAffine()];
    field.store(at, [first.x, second.x]);
    field.store(at + BLS12_381_NUMBER, [first.y, second.y]);
    field.store(at + 2 * BLS12_381_NUMBER, [1n, 1n]);
    const factor = new RandomFactor();
    multiples.multiply(at, factor);
    for (const [part, point] of points.entries()) {
      const [x, y, z] = [0, 1, 2].map((index) => field.plainValue(at + index * BLS12_381_NUMBER, part as 0 | 1)) as [
        bigint,
        bigint,
        bigint,
      ];
      t.ok(new G1(x, y, z).equals(point.multiply(factor.value)));
    }
  }
});

t.test('draws new factors each time, with all their digits', async (t) => {
  const factors = Array.from({ length: 400 }, () => new RandomFactor());
  t.equal(new Set(factors.map(({ value }) => value)).size, factors.length);
  for (let digit = 0; digit < 32; digit++) {
    const seen = new Set(factors.map(({ digits }) => digits[digit]));
    t.same(
      [...seen].sort((a, b) => (a ?? 0) - (b ?? 0)),
      [-15, -13, -11, -9, -7, -5, -3, -1, 1, 3, 5, 7, 9, 11, 13, 15],
    );
  }
});
