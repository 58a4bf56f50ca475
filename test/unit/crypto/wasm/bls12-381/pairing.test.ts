import { bls12_381 } from '@noble/curves/bls12-381.js';
import t from 'tap';
import {
  BLS12_381_NUMBER,
  BLS12_381_ORDER,
  BLS12_381_P,
  BLS12_381_TOWER,
  Bls12381Field,
  MINUS_SEED,
  POINT,
} from '../../../../../src/crypto/wasm/bls12-381/field.js';
import { Bls12381Pairing, PAIRS_MAX, PREPARED_MAX } from '../../../../../src/crypto/wasm/bls12-381/pairing.js';
import { Random } from '../../../../fuzz/random.js';
import { multipleOf, straysOfTwist } from '../../../../support/wasm/stray-points.js';

const G1 = bls12_381.G1.Point;
const G2 = bls12_381.G2.Point;
const { Fp12 } = bls12_381.fields;
type CurvePoint = InstanceType<typeof G1>;
type TwistPoint = InstanceType<typeof G2>;

const random = new Random(381, []);
const field = new Bls12381Field(4);
const pairing = new Bls12381Pairing(field);
const [product, factor] = [field.allocate(BLS12_381_TOWER), field.allocate(BLS12_381_TOWER)];
const [point, other] = [field.allocate(3 * BLS12_381_NUMBER), field.allocate(3 * BLS12_381_NUMBER)];
const twist = field.allocate(2 * BLS12_381_NUMBER);
const scalar = (): bigint => (BigInt(`0x${random.bytes(40).toString('hex')}`) % (BLS12_381_ORDER - 1n)) + 1n;

/** Stores a point in projective coordinates. @param z factor by which x and y are multiplied */
function placePoint(to: number, value: CurvePoint, z = 1n): number {
  const { x, y } = value.toAffine();
  for (const [at, part] of [value.is0() ? 0n : x * z, value.is0() ? z : y * z, value.is0() ? 0n : z].entries())
    field.store(to + at * BLS12_381_NUMBER, [part % BLS12_381_P, 0n]);
  return to;
}

function storeTwist(value: TwistPoint): number {
  const { x, y } = value.toAffine();
  field.store(twist, [x.c0, x.c1]);
  field.store(twist + BLS12_381_NUMBER, [y.c0, y.c1]);
  return twist;
}

const PREPARED = 5n;
const lines = pairing.prepare(storeTwist(G2.BASE.multiply(PREPARED)));

/** Runs the Miller loop for `point` and a point of the twist. Returns false if the point of the twist is not in G2. */
function loop(to: number, partner: TwistPoint, prepared: Parameters<typeof pairing.loop>[2] = []): boolean {
  return pairing.loop(to, [{ point, twist: storeTwist(partner) }], prepared);
}

t.test('accepts a product of pairings exactly when the library does', async (t) => {
  for (let i = 0; i < 6; i++) {
    const [a, b, c] = [scalar(), scalar(), scalar()];
    const closing = (((BLS12_381_ORDER - a) * b) % BLS12_381_ORDER) * bls12_381.fields.Fr.inv(PREPARED);
    for (const [second, isOne] of [
      [closing % BLS12_381_ORDER, true],
      [c, false],
    ] as const) {
      const [p, q] = [G1.BASE.multiply(a), G2.BASE.multiply(b)];
      const s = G1.BASE.multiply(second);
      const expected = bls12_381.pairingBatch([
        { g1: p, g2: q },
        { g1: s, g2: G2.BASE.multiply(PREPARED) },
      ]);
      t.equal(Fp12.eql(expected, Fp12.ONE), isOne);
      for (const z of [c, 1n]) {
        placePoint(point, p, z === 1n ? c : 1n);
        placePoint(other, s, z);
        t.equal(loop(product, q, [{ point: other, lines }]), true);
        t.equal(pairing.isPowerOne(product), isOne);
      }
    }
  }
});

t.test('is bilinear, and returns one for infinity', async (t) => {
  const [a, b] = [scalar(), scalar()];
  placePoint(point, G1.BASE.multiply(a));
  loop(product, G2.BASE.multiply(b));
  placePoint(point, G1.BASE.negate());
  loop(factor, G2.BASE.multiply((a * b) % BLS12_381_ORDER));
  field.run.multiplyTower(product, product, factor);
  field.copy(factor, product, BLS12_381_TOWER);
  t.equal(pairing.isPowerOne(product), true);
  const infinity = () => [{ point: placePoint(other, G1.ZERO, 7n), lines }];
  placePoint(point, G1.BASE);
  loop(product, G2.BASE, infinity());
  t.equal(pairing.isPowerOne(product), false);
  placePoint(point, G1.BASE);
  loop(product, G2.BASE.negate());
  placePoint(point, G1.BASE);
  loop(factor, G2.BASE, infinity());
  field.run.multiplyTower(product, product, factor);
  t.equal(pairing.isPowerOne(product), true);
});

t.test('evaluates many pairs in one loop', async (t) => {
  const places = Array.from({ length: PAIRS_MAX + PREPARED_MAX }, () => field.allocate(POINT));
  const twists = Array.from({ length: PAIRS_MAX }, () => field.allocate(2 * BLS12_381_NUMBER));
  for (const count of [1, 2, PAIRS_MAX]) {
    for (const preparedCount of [0, 2, 3, PREPARED_MAX]) {
      const scalars = Array.from({ length: count + preparedCount }, scalar);
      const partners = Array.from({ length: count }, scalar);
      const sum = scalars.reduce((total, value, at) => total + value * (partners[at] ?? PREPARED), 0n);
      const first = bls12_381.fields.Fr.div(sum, partners[0] ?? 1n);
      // For a product of one, the first scalar is set so that the sum of all terms is zero. With a single pair, no such
      // scalar is possible.
      for (const isOne of scalars.length === 1 ? [false] : [true, false]) {
        const values = scalars.map((value, at) => (at === 0 ? value - first + (isOne ? 0n : 1n) : value));
        const points = values.map((value, at) => {
          const reduced = ((value % BLS12_381_ORDER) + BLS12_381_ORDER) % BLS12_381_ORDER;
          return placePoint(places[at] ?? 0, G1.BASE.multiply(reduced), at % 2 === 0 ? 1n : scalar());
        });
        const pairs = partners.map((partner, at) => {
          const to = twists[at] ?? 0;
          field.copy(to, storeTwist(G2.BASE.multiply(partner)), 2 * BLS12_381_NUMBER);
          return { point: points[at] ?? 0, twist: to };
        });
        const prepared = points.slice(count).map((other) => ({ point: other, lines }));
        t.equal(pairing.loop(product, pairs, prepared), true);
        t.equal(pairing.isPowerOne(product), isOne, `${count} pairs and ${preparedCount} prepared pairs`);
      }
    }
  }
  const pair = { point, twist };
  t.throws(() => pairing.loop(product, new Array(PAIRS_MAX + 1).fill(pair), []), RangeError);
  t.throws(() => pairing.loop(product, [pair], new Array(PREPARED_MAX + 1).fill({ point, lines })), RangeError);
});

t.test('accepts exactly the points of the twist that are in the group', async (t) => {
  let strays = 0;
  const check = (stray: TwistPoint): void => {
    placePoint(point, G1.BASE);
    t.equal(loop(product, stray), stray.isTorsionFree());
    strays++;
  };
  for (const stray of straysOfTwist(bls12_381, scalar)) {
    check(stray);
    // Points of small order, alone and added to a point of the group. The cofactor of the twist has the factors 13² and
    // 23².
    for (const order of [13n, 23n]) {
      const small = multipleOf(stray, (BLS12_381_ORDER * G2.CURVE().h) / order ** 2n);
      if (!small.is0()) for (const sum of [small, small.negate(), small.add(G2.BASE)]) check(sum);
    }
  }
  t.ok(strays > 30, `${strays}`);
  for (let i = 1n; i < 40n; i++) check(G2.BASE.multiply(i < 20n ? i : scalar()));
});

t.test('the sum of the Miller loop is zero only for points of the group', async (t) => {
  const points = G2.CURVE().h * BLS12_381_ORDER;
  t.equal(greatestDivisor(BLS12_381_P + MINUS_SEED, points), BLS12_381_ORDER);
});

t.test('the final exponentiation computes the cube of the pairing', async (t) => {
  const u = -MINUS_SEED;
  t.equal(
    (u - 1n) ** 2n * (u + BLS12_381_P) * (u ** 2n + BLS12_381_P ** 2n - 1n) + 3n,
    3n * ((BLS12_381_P ** 4n - BLS12_381_P ** 2n + 1n) / BLS12_381_ORDER),
  );
  t.equal(BLS12_381_ORDER, u ** 4n - u ** 2n + 1n);
});

function greatestDivisor(a: bigint, b: bigint): bigint {
  return b === 0n ? a : greatestDivisor(b, a % b);
}
