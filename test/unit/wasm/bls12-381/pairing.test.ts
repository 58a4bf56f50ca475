import { bls12_381 } from '@noble/curves/bls12-381.js';
import t from 'tap';
import { Bls12381Field, MINUS_SEED, NUMBER, ORDER, P, TOWER } from '../../../../src/wasm/bls12-381/field.js';
import { Bls12381Pairing } from '../../../../src/wasm/bls12-381/pairing.js';
import { Random } from '../../../fuzz/random.js';
import { multipleOf, straysOfTwist } from '../../../support/wasm/stray-points.js';

const G1 = bls12_381.G1.Point;
const G2 = bls12_381.G2.Point;
const { Fp12 } = bls12_381.fields;
type CurvePoint = InstanceType<typeof G1>;
type TwistPoint = InstanceType<typeof G2>;

const random = new Random(381, []);
const field = new Bls12381Field(4);
const pairing = new Bls12381Pairing(field);
const [product, factor] = [field.room(TOWER), field.room(TOWER)];
const [point, other] = [field.room(3 * NUMBER), field.room(3 * NUMBER)];
const twist = field.room(2 * NUMBER);
const scalar = (): bigint => (BigInt(`0x${random.bytes(40).toString('hex')}`) % (ORDER - 1n)) + 1n;

/** @param z what x and y are multiplied by */
function placePoint(to: number, value: CurvePoint, z = 1n): number {
  const { x, y } = value.toAffine();
  for (const [at, part] of [value.is0() ? 0n : x * z, value.is0() ? z : y * z, value.is0() ? 0n : z].entries())
    field.place(to + at * NUMBER, [part % P, 0n]);
  return to;
}

function placeTwist(value: TwistPoint): number {
  const { x, y } = value.toAffine();
  field.place(twist, [x.c0, x.c1]);
  field.place(twist + NUMBER, [y.c0, y.c1]);
  return twist;
}

const PREPARED = 5n;
const lines = pairing.prepare(placeTwist(G2.BASE.multiply(PREPARED)));

t.test('a product of pairings is one where the library says so', async (t) => {
  for (let i = 0; i < 6; i++) {
    const [a, b, c] = [scalar(), scalar(), scalar()];
    const closing = (((ORDER - a) * b) % ORDER) * bls12_381.fields.Fr.inv(PREPARED);
    for (const [second, isOne] of [
      [closing % ORDER, true],
      [c, false],
    ] as const) {
      const [p, q] = [G1.BASE.multiply(a), G2.BASE.multiply(b)];
      const s = G1.BASE.multiply(second);
      const expected = bls12_381.pairingBatch([
        { g1: p, g2: q },
        { g1: s, g2: G2.BASE.multiply(PREPARED) },
      ]);
      t.equal(Fp12.eql(expected, Fp12.ONE), isOne);
      for (const isProjective of [true, false]) {
        placePoint(point, p);
        placePoint(other, s, isProjective ? c : 1n);
        t.equal(pairing.loop(product, point, placeTwist(q), [{ point: other, isProjective, lines }]), true);
        t.equal(pairing.isPowerOne(product), isOne);
      }
    }
  }
});

t.test('a pairing is bilinear, and one with infinity is one', async (t) => {
  const [a, b] = [scalar(), scalar()];
  pairing.loop(product, placePoint(point, G1.BASE.multiply(a)), placeTwist(G2.BASE.multiply(b)), []);
  pairing.loop(factor, placePoint(point, G1.BASE.negate()), placeTwist(G2.BASE.multiply((a * b) % ORDER)), []);
  field.run.multiplyTower(product, product, factor);
  field.copy(factor, product, TOWER);
  t.equal(pairing.isPowerOne(product), true);
  const infinity = { point: placePoint(other, G1.ZERO, 7n), isProjective: true, lines };
  placePoint(point, G1.BASE);
  pairing.loop(product, point, placeTwist(G2.BASE), [infinity]);
  t.equal(pairing.isPowerOne(product), false);
  pairing.loop(product, point, placeTwist(G2.BASE.negate()), []);
  pairing.loop(factor, point, placeTwist(G2.BASE), [infinity]);
  field.run.multiplyTower(product, product, factor);
  t.equal(pairing.isPowerOne(product), true);
});

t.test('points of the twist are in the group where their multiple by the order is 0', async (t) => {
  let strays = 0;
  const check = (stray: TwistPoint): void => {
    t.equal(pairing.loop(product, placePoint(point, G1.BASE), placeTwist(stray), []), stray.isTorsionFree());
    strays++;
  };
  for (const stray of straysOfTwist(bls12_381, scalar)) {
    check(stray);
    // Of small order, alone and beside a point of the group: the twist's cofactor has 13² and 23² in it.
    for (const order of [13n, 23n]) {
      const small = multipleOf(stray, (ORDER * G2.CURVE().h) / order ** 2n);
      if (!small.is0()) for (const sum of [small, small.negate(), small.add(G2.BASE)]) check(sum);
    }
  }
  t.ok(strays > 30, `${strays}`);
  for (let i = 1n; i < 40n; i++) check(G2.BASE.multiply(i < 20n ? i : scalar()));
});

t.test('the sum that a loop leaves shows who is in the group', async (t) => {
  const points = G2.CURVE().h * ORDER;
  t.equal(greatestDivisor(P + MINUS_SEED, points), ORDER);
});

t.test('the last power is a multiple of the one that is asked for, by three', async (t) => {
  const u = -MINUS_SEED;
  t.equal((u - 1n) ** 2n * (u + P) * (u ** 2n + P ** 2n - 1n) + 3n, 3n * ((P ** 4n - P ** 2n + 1n) / ORDER));
  t.equal(ORDER, u ** 4n - u ** 2n + 1n);
});

function greatestDivisor(a: bigint, b: bigint): bigint {
  return b === 0n ? a : greatestDivisor(b, a % b);
}
