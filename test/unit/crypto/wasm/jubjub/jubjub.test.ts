import { jubjub } from '@noble/curves/misc.js';
import t from 'tap';
import { JUBJUB_P } from '../../../../../src/crypto/wasm/jubjub/field.js';
import { Jubjub } from '../../../../../src/crypto/wasm/jubjub/jubjub.js';
import {
  HALF,
  JUBJUB_ONE,
  JUBJUB_POINT_BYTES,
  KNOWN_SUMMAND_BYTES,
  NEGATIVE,
  SUMMAND_BYTES,
} from '../../../../../src/crypto/wasm/jubjub/points.js';
import { Roots } from '../../../../../src/crypto/wasm/jubjub/roots.js';
import { FIELD_BYTES } from '../../../../../src/crypto/wasm/limbs.js';
import { itemAt } from '../../../../../src/primitives/assert.js';
import { Random } from '../../../../fuzz/random.js';

const { Point } = jubjub;
type CurvePoint = InstanceType<typeof Point>;
type Asserts = Pick<typeof t, 'not' | 'same'>;
const random = new Random(3, []);
const curve = new Jubjub();
const { run } = curve;
const [A, B, C] = [
  curve.allocate(JUBJUB_POINT_BYTES),
  curve.allocate(JUBJUB_POINT_BYTES),
  curve.allocate(JUBJUB_POINT_BYTES),
];
const SUMMAND = curve.allocate(SUMMAND_BYTES);
const KNOWN = curve.allocate(KNOWN_SUMMAND_BYTES);
const below = (end: bigint): bigint => BigInt(`0x${random.bytes(40).toString('hex')}`) % end;
const EDGES = [0n, 1n, 2n, JUBJUB_P - 1n, JUBJUB_P - 2n, 1n << 29n, (1n << 232n) - 1n, (JUBJUB_P - 1n) / 2n];
const values = [...EDGES, ...Array.from({ length: 60 }, () => below(JUBJUB_P))];

const read = (address: number): bigint => BigInt(`0x${Buffer.from(curve.read(address)).reverse().toString('hex')}`);
const modulo = (value: bigint): bigint => ((value % JUBJUB_P) + JUBJUB_P) % JUBJUB_P;

t.test('computes modulo p', async (t) => {
  for (const [at, a] of values.entries()) {
    const b = itemAt(values, (at * 7 + 3) % values.length);
    curve.write(A, a);
    curve.write(B, b);
    t.equal(read(A), a);
    run.multiply(C, A, B);
    t.equal(read(C), modulo(a * b), `${a} times ${b}`);
    run.subtract(C, A, B);
    t.equal(read(C), modulo(a - b), `${a} less ${b}`);
    run.multiply(C, C, HALF * FIELD_BYTES);
    t.equal(modulo(2n * read(C)), modulo(a - b), `half of ${a} minus ${b}`);
    run.multiply(C, C, JUBJUB_ONE * FIELD_BYTES);
    t.equal(modulo(2n * read(C)), modulo(a - b), 'times 1');
    run.sumAndDifference(A, A, B);
    run.multiply(C, A, A + FIELD_BYTES);
    t.equal(read(C), modulo(a * a - b * b), `difference of the squares of ${a} and ${b}`);
    run.multiply(C, A, A);
    t.equal(read(C), modulo((a + b) ** 2n), `square of the sum of ${a} and ${b}`);
  }
});

t.test('reads every multiple of p as 0', async (t) => {
  for (const a of values) {
    curve.write(A, a);
    curve.write(B, modulo(-a));
    for (let round = 0; round < 4; round++) {
      run.add(C, A, B);
      t.equal(read(C), 0n);
      run.multiply(C, C, JUBJUB_ONE * FIELD_BYTES);
      t.equal(read(C), 0n);
      run.subtract(B, C, A);
    }
  }
});

t.test('inverts numbers, including unreduced ones', async (t) => {
  for (const a of values) {
    curve.write(A, a);
    curve.invert(B, A);
    run.multiply(C, A, B);
    t.equal(read(C), a === 0n ? 0n : 1n, `${a} times its inverse`);
    run.subtract(A, JUBJUB_ONE * FIELD_BYTES, A);
    curve.invert(B, A);
    run.multiply(C, A, B);
    t.equal(read(C), a === 1n ? 0n : 1n, `1 − ${a}, times its inverse`);
  }
});

const { SMALL, points } = samplePoints();

t.test('reads a point by x and y', async (t) => {
  for (const point of [...points, ...SMALL, Point.ZERO]) {
    curve.writePoint(A, point);
    const { x, y } = curve.readAffine(A);
    const number = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`);
    t.same({ x: number(x), y: number(y) }, point.toAffine());
  }
});

t.test('adds and doubles points like another library', async (t) => {
  for (const [at, a] of points.entries()) {
    for (const b of [a, a.negate(), itemAt(points, (at * 5 + 2) % points.length), ...SMALL]) {
      curve.writePoint(A, a);
      curve.writePoint(B, b);
      run.summandOf(SUMMAND, B);
      run.addSummand(A, SUMMAND);
      same(t, A, a.add(b), 'sum');
      if (b.Z === 1n) {
        curve.writePoint(A, a);
        run.knownSummand(KNOWN, SUMMAND);
        run.addKnown(A, KNOWN);
        same(t, A, a.add(b), 'sum with a known summand');
        curve.writePoint(A, a);
        run.addKnown(A, KNOWN + NEGATIVE);
        same(t, A, a.subtract(b), 'difference with a known summand');
      }
    }
    curve.writePoint(A, a);
    curve.negatePoint(B, A);
    same(t, B, a.negate(), 'negated');
    run.double(A);
    same(t, A, a.double(), 'double');
  }
});

t.test('stays correct over a long chain of operations', async (t) => {
  const start = itemAt(points, points.length - 1);
  let expected = start;
  curve.writePoint(A, start);
  for (let turn = 0; turn < 300; turn++) {
    const other = itemAt(points, turn % points.length);
    curve.writePoint(B, other);
    run.summandOf(SUMMAND, B);
    run.double(A);
    run.addSummand(A, SUMMAND);
    expected = expected.double().add(other);
  }
  same(t, A, expected, 'the result');
});

t.test('adds a list of points in one call', async (t) => {
  const list = curve.allocate(4 * points.length);
  let expected: CurvePoint = Point.ZERO;
  for (const [at, point] of points.entries()) {
    const affine = Point.fromAffine(point.toAffine());
    curve.writePoint(B, affine);
    const known = curve.allocate(KNOWN_SUMMAND_BYTES);
    run.summandOf(SUMMAND, B);
    run.knownSummand(known, SUMMAND);
    const isNegative = at % 3 === 1;
    curve.writeAddress(list + 4 * at, isNegative ? known + NEGATIVE : known);
    expected = isNegative ? expected.subtract(point) : expected.add(point);
  }
  curve.writePoint(A, Point.ZERO);
  run.addAllKnown(A, list, points.length);
  same(t, A, expected, 'the sum');
  curve.copyPoint(C, A);
  same(t, C, expected, 'a copy');
});

t.test('reports exhausted memory', async (t) => {
  t.throws(() => new Jubjub().allocate(1 << 25), RangeError);
});

/** Returns sample points, and SMALL: the eight points whose order is 1, 2, 4 or 8. */
function samplePoints(): { SMALL: readonly CurvePoint[]; points: readonly CurvePoint[] } {
  const scalars = [1n, 2n, 3n, ...Array.from({ length: 12 }, () => 1n + below(Point.Fn.ORDER - 1n))];
  const points = scalars.map((scalar) => Point.BASE.multiplyUnsafe(scalar));
  // Searches for a point of order 8. A point multiplied by the prime order of the group has the order 1, 2, 4 or 8.
  const bytes = Buffer.alloc(32);
  let torsion: CurvePoint = Point.ZERO;
  for (let y = 2; torsion.multiplyUnsafe(4n).is0(); y++) {
    bytes.writeUInt8(y);
    try {
      torsion = timesOrder(Point.fromBytes(bytes, true));
    } catch {
      // No point has this y coordinate.
    }
  }
  const SMALL = Array.from({ length: 8 }, (_, i) => (i === 0 ? Point.ZERO : torsion.multiplyUnsafe(BigInt(i))));
  return { SMALL, points: [...points, ...SMALL, itemAt(points, 4).add(torsion)] };
}

/**
 * Multiplies a point by the order of the group, in two steps, because the library accepts only numbers below the order.
 */
function timesOrder(point: CurvePoint): CurvePoint {
  return point.multiplyUnsafe(Point.Fn.ORDER - 1n).add(point);
}

function same(t: Asserts, address: number, expected: CurvePoint, name: string): void {
  const [x, y, z, t4] = [0, 1, 2, 3].map((at) => read(address + at * FIELD_BYTES)) as [bigint, bigint, bigint, bigint];
  const affine = expected.toAffine();
  t.not(z, 0n, name);
  t.same([modulo(affine.x * z), modulo(affine.y * z), modulo(t4 * z)], [x, y, modulo(x * y)], name);
}

t.test('computes roots of quotients like the library', async (t) => {
  const { Fp } = jubjub.Point;
  const roots = new Roots(curve);
  // Powers of a number with order 2^32. For them, the search for roots takes longest.
  const base = Fp.pow(7n, (Fp.ORDER - 1n) >> 32n);
  const powers = Array.from({ length: 33 }, (_, at) => Fp.pow(base, 2n ** BigInt(at)));
  const numbers = [0n, 1n, 2n, 3n, 5n, 7n, Fp.ORDER - 1n, ...powers, ...powers.map((power) => Fp.inv(power))];
  for (const [at, dividend] of [...numbers, ...Array.from({ length: 100 }, () => below(JUBJUB_P))].entries()) {
    const divisor = at % 3 === 0 ? 1n : below(JUBJUB_P - 1n) + 1n;
    const quotient = Fp.div(dividend, divisor);
    const root = roots.rootOfQuotient(dividend, divisor);
    const isSquare = quotient === 0n || Fp.pow(quotient, (Fp.ORDER - 1n) / 2n) === 1n;
    t.equal(root !== undefined, isSquare, `${at}`);
    if (root !== undefined) t.equal(Fp.sqr(BigInt(`0x${Buffer.from(root).reverse().toString('hex')}`)), quotient);
  }
});
