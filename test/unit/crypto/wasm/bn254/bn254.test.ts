import { bn254 } from '@noble/curves/bn254.js';
import t from 'tap';
import { Bn254 } from '../../../../../src/crypto/wasm/bn254/bn254.js';
import { BN254_P } from '../../../../../src/crypto/wasm/bn254/functions.js';
import { BETA, BN254_ORDER, halvesOf, scalarDigits } from '../../../../../src/crypto/wasm/bn254/scalar.js';
import { itemAt } from '../../../../../src/primitives/assert.js';
import { fromHex, toHex } from '../../../../../src/primitives/bytes.js';
import { Random } from '../../../../fuzz/random.js';

const { Point } = bn254.G1;
type CurvePoint = InstanceType<typeof Point>;
const random = new Random(254, []);
const curve = new Bn254();
const LAMBDA = 0xb3c4_d79d_41a9_1758_5bfc_4108_8d8d_aaa7_8b17_ea66_b99c_90ddn;
const below = (end: bigint): bigint => BigInt(`0x${random.bytes(40).toString('hex')}`) % end;
const word = (value: bigint): string => value.toString(16).padStart(64, '0');
const bytesOf = (point: CurvePoint): Uint8Array => {
  const { x, y } = point.toAffine();
  return fromHex(word(x) + word(y));
};
const hexOf = (bytes: Uint8Array | undefined): string | undefined => bytes && toHex(bytes);
const anyPoint = (): CurvePoint => Point.BASE.multiply(below(BN254_ORDER - 1n) + 1n);
const multiple = (point: CurvePoint, scalar: bigint): CurvePoint =>
  scalar % BN254_ORDER === 0n ? Point.ZERO : point.multiplyUnsafe(scalar % BN254_ORDER);

t.test('adds points', async (t) => {
  for (let i = 0; i < 200; i++) {
    const [a, b] = [anyPoint(), anyPoint()];
    const pairs = [
      [a, b],
      [a, a],
      [a, a.negate()],
      [a, Point.ZERO],
      [Point.ZERO, b],
      [a, a.double()],
      [a, a.double().negate()],
    ] as const;
    for (const [left, right] of pairs)
      if (hexOf(curve.add(bytesOf(left), bytesOf(right))) !== toHex(bytesOf(left.add(right))))
        t.fail(`${toHex(bytesOf(left))} and ${toHex(bytesOf(right))}`);
  }
  t.same(hexOf(curve.add(new Uint8Array(64), new Uint8Array(64))), '00'.repeat(64));
});

t.test('multiplies points', async (t) => {
  const edges = [
    0n,
    1n,
    2n,
    3n,
    16n,
    BN254_ORDER - 1n,
    BN254_ORDER,
    BN254_ORDER + 1n,
    2n * BN254_ORDER,
    LAMBDA,
    BN254_ORDER - LAMBDA,
    2n ** 256n - 1n,
  ];
  const around = [LAMBDA, BN254_ORDER / 2n, 1n << 127n].flatMap((value) =>
    [-9n, -2n, -1n, 1n, 2n, 9n].map((by) => value + by),
  );
  const small = Array.from({ length: 40 }, (_, at) => BigInt(at));
  const any = Array.from({ length: 200 }, () => below(1n << 256n));
  for (const scalar of [...edges, ...around, ...small, ...any]) {
    const point = anyPoint();
    if (hexOf(curve.multiply(bytesOf(point), fromHex(word(scalar)))) !== toHex(bytesOf(multiple(point, scalar))))
      t.fail(`${scalar} times ${toHex(bytesOf(point))}`);
  }
  t.same(hexOf(curve.multiply(new Uint8Array(64), fromHex(word(5n)))), '00'.repeat(64));
});

t.test('rejects invalid points', async (t) => {
  const good = bytesOf(Point.BASE);
  for (const [x, y] of [
    [1n, 3n],
    [BN254_P, 2n],
    [1n, 2n + BN254_P],
    [BN254_P + 1n, 2n],
    [0n, 1n],
    [1n, 0n],
    [BN254_P, BN254_P],
    [2n ** 256n - 1n, 2n],
  ] as const) {
    const bad = fromHex(word(x) + word(y));
    t.equal(curve.add(good, bad), undefined, `${x} ${y}`);
    t.equal(curve.add(bad, good), undefined);
    t.equal(curve.multiply(bad, fromHex(word(0n))), undefined);
  }
});

t.test('splits scalars into halves and digits', async (t) => {
  t.equal(BETA ** 3n % BN254_P, 1n);
  t.equal((LAMBDA * LAMBDA + LAMBDA + 1n) % BN254_ORDER, 0n);
  for (const scalar of [
    0n,
    1n,
    BN254_ORDER - 1n,
    BN254_ORDER / 2n,
    LAMBDA,
    ...Array.from({ length: 3000 }, () => below(BN254_ORDER)),
  ]) {
    const halves = halvesOf(scalar);
    const [a, b] = halves;
    const isEqual = (a + b * LAMBDA - scalar) % BN254_ORDER === 0n;
    const isSmall = halves.every((half) => half < 1n << 127n && half > -(1n << 127n));
    const isWritten = halves.every(
      (half) => scalarDigits(half).reduceRight((sum, digit) => 2n * sum + BigInt(digit), 0n) === half,
    );
    const isOdd = halves.every((half) => scalarDigits(half).every((digit) => digit === 0 || (digit & 1) === 1));
    if (!isEqual || !isSmall || !isWritten || !isOdd) t.fail(`${scalar}`);
  }
});

t.test('computes modulo p', async (t) => {
  const edges = [
    1n,
    2n,
    3n,
    BN254_P - 1n,
    BN254_P - 2n,
    1n << 28n,
    1n << 29n,
    (1n << 253n) - 1n,
    (BN254_P - 1n) / 2n,
    (BN254_P + 1n) / 2n,
  ];
  const values = [...edges, ...Array.from({ length: 20_000 }, () => below(BN254_P - 1n) + 1n)];
  const { A, B, C } = { A: 2 ** 15, B: 2 ** 15 + 72, C: 2 ** 15 + 144 };
  for (const [at, a] of values.entries()) {
    const b = itemAt(values, (at * 7 + 3) % values.length);
    curve.write(A, a);
    curve.write(B, b);
    curve.run.multiply(C, A, B);
    if (curve.read(C) !== (a * b) % BN254_P) t.fail(`${a} times ${b}`);
    curve.run.square(C, A);
    if (curve.read(C) !== (a * a) % BN254_P) t.fail(`${a} squared`);
    curve.run.timesDifferenceLessSquare(C, A, A, B, A);
    const expected = (a * (a - b) - 8n * a * a) % BN254_P;
    if (curve.read(C) !== (expected + BN254_P) % BN254_P) t.fail(`${a} and ${b} in a sum`);
    curve.invert(C, A);
    if ((curve.read(C) * a) % BN254_P !== 1n) t.fail(`the inverse of ${a}`);
  }
});
