import { bn254 } from '@noble/curves/bn254.js';
import t from 'tap';
import { BN254_P } from '../../../../../src/crypto/wasm/bn254/functions.js';
import { Bn254Pairing } from '../../../../../src/crypto/wasm/bn254/pairing.js';
import { BN254_ORDER, BN254_U } from '../../../../../src/crypto/wasm/bn254/scalar.js';
import { itemAt } from '../../../../../src/primitives/assert.js';
import { fromHex } from '../../../../../src/primitives/bytes.js';
import { Random } from '../../../../fuzz/random.js';
import { straysOfTwist } from '../../../../support/wasm/stray-points.js';

const G1 = bn254.G1.Point;
const G2 = bn254.G2.Point;
const { Fp, Fp12 } = bn254.fields;
type CurvePoint = InstanceType<typeof G1>;
type TwistPoint = InstanceType<typeof G2>;
type Pair = readonly [CurvePoint, TwistPoint];

const random = new Random(12, []);
const curve = new Bn254Pairing();
const scalar = (): bigint => (BigInt(`0x${random.bytes(40).toString('hex')}`) % (BN254_ORDER - 1n)) + 1n;
const anyPair = (): Pair => [G1.BASE.multiply(scalar()), G2.BASE.multiply(scalar())];
const hex = (...numbers: readonly bigint[]): string =>
  numbers.map((number) => number.toString(16).padStart(64, '0')).join('');

function bytesOf(pairs: readonly Pair[]): Uint8Array {
  const texts = pairs.map(([point, twist]) => {
    const { x, y } = twist.toAffine();
    return hex(point.toAffine().x, point.toAffine().y) + hex(x.c1, x.c0, y.c1, y.c0);
  });
  return fromHex(texts.join(''));
}

/** Returns the pair that makes the product of the pairings one. All points are known multiples of the base points. */
function closing(factors: readonly (readonly [bigint, bigint])[]): Pair {
  const sum = factors.reduce((total, [a, b]) => (total + a * b) % BN254_ORDER, 0n);
  return [G1.BASE.multiplyUnsafe((BN254_ORDER - sum) % BN254_ORDER), G2.BASE];
}

t.test('accepts a product of pairings exactly when the library does', async (t) => {
  for (let i = 0; i < 12; i++) {
    const pairs = Array.from({ length: 1 + (i % 3) }, anyPair);
    const expected = Fp12.eql(bn254.pairingBatch(pairs.map(([g1, g2]) => ({ g1, g2 }))), Fp12.ONE);
    t.equal(curve.isProductOne(bytesOf(pairs)), expected);
  }
});

t.test(
  'accepts products equal to one and rejects those that differ by a point, for few and for many pairs',
  async (t) => {
    for (const count of [1, 2, 5, 31, 32, 33, 70]) {
      const factors = Array.from({ length: count }, () => [scalar(), scalar()] as const);
      const pairs = factors.map(([a, b]): Pair => [G1.BASE.multiply(a), G2.BASE.multiply(b)]);
      const [last, base] = closing(factors);
      t.equal(
        curve.isProductOne(bytesOf([...pairs, [last, base]])),
        true,
        `${count} pairs and the pair that completes the product to one`,
      );
      t.equal(
        curve.isProductOne(bytesOf([...pairs, [last.add(G1.BASE), base]])),
        false,
        `${count} pairs and another pair`,
      );
      t.equal(curve.isProductOne(bytesOf(pairs)), false, `${count} pairs alone`);
    }
  },
);

t.test('the sum of the Miller loop is zero only for points of the group', async (t) => {
  // With f² = t f - p, the sum (6 u + 2) + f - f² + f³ is a + b f. If it maps a point to zero, the order of the point
  // divides its norm and the number of points of the twist.
  const trace = 6n * BN254_U ** 2n + 1n;
  const a = 6n * BN254_U + 2n + BN254_P - trace * BN254_P;
  const b = 1n - trace + trace ** 2n - BN254_P;
  const norm = a ** 2n + a * b * trace + b ** 2n * BN254_P;
  const points = BN254_ORDER * (2n * BN254_P - BN254_ORDER);
  t.equal(greatestDivisor(norm, points), BN254_ORDER);
});

function greatestDivisor(a: bigint, b: bigint): bigint {
  return b === 0n ? (a < 0n ? -a : a) : greatestDivisor(b, a % b);
}

t.test('returns one for a pair with infinity', async (t) => {
  const [point, twist] = anyPair();
  const closed: readonly Pair[] = [
    [point, twist],
    [point.negate(), twist],
  ];
  const others: readonly Pair[] = [
    [G1.ZERO, twist],
    [point, G2.ZERO],
    [G1.ZERO, G2.ZERO],
  ];
  for (const other of others) {
    t.equal(curve.isProductOne(bytesOf([other])), true);
    t.equal(curve.isProductOne(bytesOf([other, ...closed, other])), true);
    t.equal(curve.isProductOne(bytesOf([other, [point, twist], other])), false);
  }
  const many = Array.from({ length: 33 }, (_, at) => itemAt(others, at % 3));
  t.equal(curve.isProductOne(bytesOf([...many, ...closed, ...many])), true);
  t.equal(curve.isProductOne(new Uint8Array(0)), true);
});

t.test('handles points with coordinates at the edge of the field', async (t) => {
  const xs = [0n, 1n, 2n, Fp.ORDER - 1n, Fp.ORDER - 2n, 1n << 28n, 1n << 29n, (1n << 253n) - 1n];
  for (const from of xs) {
    for (let x = from % Fp.ORDER, tries = 0; tries < 20; x = (x + 1n) % Fp.ORDER, tries++) {
      const square = (x * x * x + 3n) % Fp.ORDER;
      if (!bn254.fields.Fp.isValidNot0(square) || Fp.pow(square, (Fp.ORDER - 1n) / 2n) !== 1n) continue;
      const point = G1.fromAffine({ x, y: Fp.sqrt(square) });
      const [, twist] = anyPair();
      t.equal(
        curve.isProductOne(
          bytesOf([
            [point, twist],
            [point.negate(), twist],
          ]),
        ),
        true,
        `${x}`,
      );
      t.equal(
        curve.isProductOne(
          bytesOf([
            [point, twist],
            [point, twist],
          ]),
        ),
        false,
        `${x}`,
      );
      break;
    }
  }
});

t.test('rejects points of the twist that are not in the group', async (t) => {
  const [point] = anyPair();
  let strays = 0;
  for (const stray of straysOfTwist(bn254, scalar)) {
    t.equal(stray.isTorsionFree(), false);
    t.equal(curve.isProductOne(bytesOf([[point, stray]])), undefined);
    t.equal(curve.isProductOne(bytesOf([anyPair(), [G1.ZERO, stray]])), undefined);
    strays++;
  }
  t.ok(strays > 10, `${strays}`);
});

t.test('rejects invalid pairs of points', async (t) => {
  const [point, twist] = anyPair();
  const good = Buffer.from(bytesOf([[point, twist]])).toString('hex');
  const p = Fp.ORDER;
  const replaced = (word: number, value: bigint): Uint8Array =>
    fromHex(good.slice(0, 64 * word) + hex(value) + good.slice(64 * (word + 1)));
  for (let word = 0; word < 6; word++) {
    const value = BigInt(`0x${good.slice(64 * word, 64 * (word + 1))}`);
    for (const bad of [value + p, p, (1n << 256n) - 1n, value === 0n ? 1n : value - 1n])
      t.equal(curve.isProductOne(replaced(word, bad)), undefined, `word ${word}: ${bad}`);
  }
  t.equal(curve.isProductOne(fromHex(good)), false);
});
