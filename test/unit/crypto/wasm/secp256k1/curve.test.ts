import { secp256k1 } from '@noble/curves/secp256k1.js';
import t from 'tap';
import { FIELD_BYTES } from '../../../../../src/crypto/wasm/limbs.js';
import { Curve } from '../../../../../src/crypto/wasm/secp256k1/curve.js';
import { SECP256K1_P } from '../../../../../src/crypto/wasm/secp256k1/field.js';
import { SECP256K1_MEMORY_END } from '../../../../../src/crypto/wasm/secp256k1/layout.js';
import { SECP256K1_ORDER } from '../../../../../src/crypto/wasm/secp256k1/scalar.js';
import { itemAt } from '../../../../../src/primitives/assert.js';
import { Random } from '../../../../fuzz/random.js';
import { toBytes } from '../../../../support/signatures/mutated-claim.js';

const { Point } = secp256k1;
type CurvePoint = InstanceType<typeof Point>;
const random = new Random(2, []);
const curve = new Curve(1 << 17);
const offsetOf = (number: number): number => (SECP256K1_MEMORY_END + number) * FIELD_BYTES;
const [A, B, C] = [offsetOf(0), offsetOf(3), offsetOf(6)];
const below = (end: bigint): bigint => BigInt(`0x${random.bytes(40).toString('hex')}`) % end;
const EDGES = [0n, 1n, 2n, SECP256K1_P - 1n, SECP256K1_P - 2n, (1n << 232n) - 1n, 1n << 29n, SECP256K1_ORDER];
const values = [...EDGES, ...Array.from({ length: 60 }, () => below(SECP256K1_P))];

/** Returns the stored number modulo p. */
function canonical(address: number): bigint {
  curve.run.canonical(address);
  return curve.read(address);
}

t.test('computes modulo p', async (t) => {
  for (const [at, a] of values.entries()) {
    const b = itemAt(values, (at * 7 + 3) % values.length);
    curve.write(A, a);
    curve.writeBytes(B, toBytes(b));
    t.equal(curve.read(B), b);
    curve.run.multiply(C, A, B);
    t.equal(canonical(C), (a * b) % SECP256K1_P, `${a} times ${b}`);
    curve.run.plusTimes(C, A, B, -20n);
    t.equal(canonical(C), (((a - 20n * b) % SECP256K1_P) + SECP256K1_P) % SECP256K1_P, `${a} less 20 times ${b}`);
    curve.run.inverse(C, A);
    t.equal(canonical(C), a === 0n ? 0n : Point.Fp.inv(a), `1 / ${a}`);
  }
});

t.test('reduces every stored number to its remainder modulo p', async (t) => {
  for (const value of [
    0n,
    1n,
    SECP256K1_P - 1n,
    SECP256K1_P,
    SECP256K1_P + 1n,
    2n * SECP256K1_P,
    (1n << 256n) - 1n,
    1n << 256n,
    (1n << 261n) - 1n,
  ]) {
    curve.write(A, value);
    t.equal(curve.run.canonical(A), value % SECP256K1_P === 0n ? 1 : 0);
    t.equal(curve.read(A), value % SECP256K1_P);
  }
});

t.test('divides products modulo the order by 2^261', async (t) => {
  for (const [at, a] of values.entries()) {
    const b = itemAt(values, (at * 5 + 1) % values.length) % SECP256K1_ORDER;
    curve.write(A, a);
    curve.write(B, b);
    curve.run.multiplyScalars(C, A, B);
    t.equal((curve.read(C) << 261n) % SECP256K1_ORDER, (a * b) % SECP256K1_ORDER);
    t.ok(curve.read(C) < 2n * SECP256K1_ORDER);
  }
});

t.test('returns the two points with an x coordinate, or no point', async (t) => {
  for (const [at, x] of values.entries()) {
    const isOdd = at % 2;
    curve.write(A, x);
    let y: bigint | undefined;
    try {
      y = Point.fromHex(`0${2 + isOdd}${x.toString(16).padStart(64, '0')}`).toAffine().y;
    } catch {
      // No point has this x coordinate.
    }
    t.equal(curve.run.lift(A, isOdd), y === undefined ? 0 : 1, `x ${x}`);
    if (y === undefined) continue;
    t.equal(curve.read(A + FIELD_BYTES), y);
    t.equal(curve.read(A + 2 * FIELD_BYTES), SECP256K1_P - y);
  }
});

/** Writes a point in the coordinates X, Y and Z, with a random Z. */
function write(address: number, point: CurvePoint): void {
  const z = point.is0() ? 0n : 1n + below(SECP256K1_P - 1n);
  const { x, y } = point.is0() ? { x: 0n, y: 1n } : point.toAffine();
  for (const [at, value] of (point.is0() ? [x, y, z] : [(x * z) % SECP256K1_P, (y * z) % SECP256K1_P, z]).entries())
    curve.write(address + at * FIELD_BYTES, value);
}

t.test('adds any two points, including equal, opposite and infinite ones', async (t) => {
  const some = [
    Point.ZERO,
    Point.BASE,
    Point.BASE.negate(),
    ...[5n, 77n, SECP256K1_ORDER - 5n].map((n) => Point.BASE.multiply(n)),
  ];
  for (const p of some) {
    for (const q of some) {
      write(A, p);
      write(B, q);
      curve.run.addPoints(C, A, B, B + FIELD_BYTES, B + 2 * FIELD_BYTES);
      const [x, y, z] = [canonical(C), canonical(C + FIELD_BYTES), canonical(C + 2 * FIELD_BYTES)];
      const sum = p.add(q);
      t.equal(z === 0n, sum.is0());
      if (sum.is0()) continue;
      const inverse = Point.Fp.inv(z);
      t.same({ x: (x * inverse) % SECP256K1_P, y: (y * inverse) % SECP256K1_P }, { ...sum.toAffine() });
    }
  }
});
