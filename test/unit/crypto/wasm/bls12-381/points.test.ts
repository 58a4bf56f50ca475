import { bls12_381 } from '@noble/curves/bls12-381.js';
import t, { type Test } from 'tap';
import { CompressedPoints } from '../../../../../src/crypto/wasm/bls12-381/compressed-points.js';
import {
  BLS12_381_NUMBER,
  BLS12_381_ORDER,
  BLS12_381_P,
  Bls12381Field,
} from '../../../../../src/crypto/wasm/bls12-381/field.js';
import { BaseTable, FixedBases } from '../../../../../src/crypto/wasm/bls12-381/fixed-bases.js';
import { concatBytes, toHex } from '../../../../../src/primitives/bytes.js';
import { Random } from '../../../../fuzz/random.js';
import { multipleOf } from '../../../../support/wasm/stray-points.js';

const G1 = bls12_381.G1.Point;
const G2 = bls12_381.G2.Point;
const { Fp, Fp2 } = bls12_381.fields;
type CurvePoint = InstanceType<typeof G1>;
type TwistPoint = InstanceType<typeof G2>;

const random = new Random(381, []);
const field = new Bls12381Field(3);
const points = new CompressedPoints(field);
const at = field.allocate(2 * BLS12_381_NUMBER);
const other = field.allocate(2 * BLS12_381_NUMBER);
const good = G1.BASE.toBytes();
const goodTwist = G2.BASE.toBytes();
const readPair = (first: Uint8Array, second: Uint8Array): boolean =>
  points.read(at, other, { first, second, twist: goodTwist });
const readTwist = (twist: Uint8Array): boolean => points.read(other, at, { first: good, second: good, twist });
const number = (): bigint => BigInt(`0x${random.bytes(60).toString('hex')}`);
const scalar = (): bigint => (number() % (BLS12_381_ORDER - 1n)) + 1n;

/** Encodes x in 48 bytes, with the flags of a compressed point. */
function compressed(x: bigint, isGreater: boolean): Uint8Array {
  const bytes = Uint8Array.from(Buffer.from(x.toString(16).padStart(96, '0'), 'hex'));
  bytes[0] = (bytes[0] ?? 0) | 0x80 | (isGreater ? 0x20 : 0);
  return bytes;
}

function curvePoint(bytes: Uint8Array): CurvePoint | undefined {
  try {
    return G1.fromBytes(Uint8Array.from(bytes));
  } catch {
    return undefined;
  }
}

t.test('reads two points of the curve like the library', async (t) => {
  for (let i = 0; i < 60; i++) {
    const pair = [G1.BASE.multiply(scalar()), G1.BASE.multiply(BigInt(i + 1))] as const;
    const [first, second] = i % 2 === 0 ? pair : ([pair[1], pair[0]] as const);
    t.equal(readPair(first.toBytes(), second.toBytes()), true);
    for (const [part, point] of [
      [0, first],
      [1, second],
    ] as const) {
      const { x, y } = point.toAffine();
      t.equal(field.plainValue(at, part), x);
      t.equal(field.plainValue(at + BLS12_381_NUMBER, part), y);
    }
  }
});

t.test('rejects an invalid point and one outside the group at either index', async (t) => {
  const xs = [
    0n,
    1n,
    2n,
    3n,
    BLS12_381_P - 1n,
    BLS12_381_P - 2n,
    BLS12_381_P,
    BLS12_381_P + 1n,
    (1n << 381n) - 1n,
    1n << 380n,
  ];
  for (const x of [
    ...xs,
    ...Array.from({ length: 60 }, () => number() % BLS12_381_P),
    ...Array.from({ length: 20 }, (_, i) => BigInt(i + 4)),
  ]) {
    for (const isGreater of [false, true]) {
      const bytes = compressed(x, isGreater);
      const expected = curvePoint(bytes) !== undefined;
      t.equal(readPair(bytes, good), expected, toHex(bytes));
      t.equal(readPair(good, bytes), expected, toHex(bytes));
    }
  }
});

t.test('rejects points of small order, and group points shifted by one', async (t) => {
  // The cofactor of the curve is 3 × 11² × 10177² × 859267² × 52437899².
  const cofactor = G1.CURVE().h;
  for (const factor of [3n, 11n, 10177n, 859267n, 52437899n]) {
    let stray = G1.ZERO;
    for (let x = 4n; stray.is0(); x++) {
      const square = (x ** 3n + 4n) % BLS12_381_P;
      if (Fp.pow(square, (BLS12_381_P - 1n) / 2n) !== 1n) continue;
      const point = G1.fromAffine({ x, y: Fp.sqrt(square) });
      stray = multipleOf(point, (BLS12_381_ORDER * cofactor) / (factor === 3n ? factor : factor ** 2n));
    }
    for (const point of [stray, stray.negate(), stray.add(G1.BASE), stray.double().add(G1.BASE.multiply(scalar()))]) {
      const { x, y } = point.toAffine();
      const bad = compressed(x, y > (BLS12_381_P - 1n) / 2n);
      t.equal(readPair(bad, good), false, `${factor}`);
      t.equal(readPair(good, bad), false, `${factor}`);
    }
  }
});

function twistPoint(bytes: Uint8Array): TwistPoint | undefined {
  try {
    return G2.fromBytes(Uint8Array.from(bytes));
  } catch {
    return undefined;
  }
}

t.test('reads points of the twist like the library', async (t) => {
  for (let i = 0; i < 60; i++) {
    const point = G2.BASE.multiply(i < 30 ? scalar() : BigInt(i - 29));
    t.equal(readTwist(point.toBytes()), true);
    const { x, y } = point.toAffine();
    t.same(
      [0, 1].map((part) => field.plainValue(at, part as 0 | 1)),
      [x.c0, x.c1],
    );
    t.same(
      [0, 1].map((part) => field.plainValue(at + BLS12_381_NUMBER, part as 0 | 1)),
      [y.c0, y.c1],
    );
  }
});

t.test('finds every existing root on the twist', async (t) => {
  let found = 0;
  // Some y² must be real, because a sum in the computation of the root can then be 0. For x = a + b × i, y² is real if
  // b × (3 × a² − b²) = −4. For a given b, this equation determines a².
  const straight = Array.from({ length: 30 }, (_, i) => BigInt(i + 1)).flatMap((b) => {
    const square = Fp.div(Fp.sub(b ** 2n, Fp.div(4n, b)), 3n);
    return Fp.pow(square, (BLS12_381_P - 1n) / 2n) === 1n ? [{ c0: Fp.sqrt(square), c1: b }] : [];
  });
  t.ok(straight.length > 5);
  const others = Array.from({ length: 40 }, (_, i) => ({
    c0: BigInt(i),
    c1: i % 3 === 0 ? 0n : number() % BLS12_381_P,
  }));
  for (const { c0, c1 } of [...straight, ...others]) {
    const x = Fp2.create({ c0, c1 });
    const square = Fp2.add(Fp2.mul(Fp2.sqr(x), x), G2.CURVE().b);
    const bytes = concatBytes(compressed(c1, false), compressed(c0, false));
    bytes[48] = (bytes[48] ?? 0) & 0x1f;
    let root: typeof square | undefined;
    try {
      root = Fp2.sqrt(square);
    } catch {
      root = undefined;
    }
    t.equal(readTwist(bytes), root !== undefined, toHex(bytes));
    if (root === undefined) continue;
    found++;
    const y = Fp2.create({
      c0: field.plainValue(at + BLS12_381_NUMBER, 0),
      c1: field.plainValue(at + BLS12_381_NUMBER, 1),
    });
    t.ok(Fp2.eql(Fp2.sqr(y), square));
    t.ok(y.c1 === 0n ? y.c0 <= (BLS12_381_P - 1n) / 2n : y.c1 <= (BLS12_381_P - 1n) / 2n, 'the smaller root');
  }
  t.ok(found > 10, `${found}`);
});

t.test('rejects invalid bits of a point of the twist', async (t) => {
  const bytes = G2.BASE.toBytes();
  for (const byteIndex of [0, 48]) {
    for (let flags = 1; flags < 8; flags++) {
      const other = bytes.map((byte, i) => (i === byteIndex ? byte ^ (flags << 5) : byte));
      const expected = twistPoint(other);
      t.equal(readTwist(other), expected !== undefined && !expected.is0(), `flags ${flags} at ${byteIndex}`);
    }
  }
});

t.test('computes roots and inverses of two numbers at once', async (t) => {
  const numbers = [
    0n,
    1n,
    2n,
    BLS12_381_P - 1n,
    BLS12_381_P - 2n,
    (BLS12_381_P - 1n) / 2n,
    (BLS12_381_P + 1n) / 2n,
    number() % BLS12_381_P,
    number() % BLS12_381_P,
  ];
  for (const a of numbers) {
    for (const b of numbers.slice(0, 4)) {
      field.store(at, [a, b]);
      field.raiseToRoot(at + BLS12_381_NUMBER, at);
      for (const [part, value] of [a, b].entries())
        t.equal(field.plainValue(at + BLS12_381_NUMBER, part as 0 | 1), Fp.pow(value, (BLS12_381_P - 3n) / 4n));
      field.invertPairwise(at);
      for (const [part, value] of [a, b].entries())
        t.equal(field.plainValue(at, part as 0 | 1), value === 0n ? 0n : Fp.inv(value));
    }
  }
});

t.test('computes sums of multiples of known points', async (t) => {
  const secrets = [5n, 7n, scalar(), 11n, 1n];
  const table = new BaseTable(field);
  for (const count of [1, 2, 5]) {
    const bases = new FixedBases(
      field,
      table,
      secrets.slice(0, count).map((secret) => G1.BASE.multiply(secret).toAffine()),
    );
    const scalars = [
      0n,
      1n,
      2n,
      31n,
      64n,
      BLS12_381_ORDER - 1n,
      BLS12_381_ORDER,
      BLS12_381_ORDER + 1n,
      (1n << 255n) - 1n,
      scalar(),
      scalar(),
    ];
    for (const [i, first] of scalars.entries()) {
      const chosen = Array.from({ length: count }, (_, at) =>
        at === 0 ? first : (scalars[(i * 3 + at) % scalars.length] ?? 0n),
      );
      const sum = chosen.reduce((total, factor, at) => total + factor * (secrets[at] ?? 0n), 0n) % BLS12_381_ORDER;
      same(t, bases.sumOf(chosen), G1.BASE.multiplyUnsafe(sum));
    }
    // Chooses the last scalar so that the sum is infinity. Then changes it so that the sum is the base point.
    const rest = Array.from({ length: count - 1 }, scalar);
    const known = rest.reduce((total, factor, at) => total + factor * (secrets[at] ?? 0n), 0n) % BLS12_381_ORDER;
    const inverse = bls12_381.fields.Fr.inv(secrets[count - 1] ?? 0n);
    const last = ((BLS12_381_ORDER - known) * inverse) % BLS12_381_ORDER;
    same(t, bases.sumOf([...rest, last]), G1.ZERO);
    same(t, bases.sumOf([...rest, last + inverse]), G1.BASE);
  }
});

function same(t: Test, sum: number, expected: CurvePoint): void {
  const [x, y, z] = [0, 1, 2].map((part) => field.plainValue(sum + part * BLS12_381_NUMBER, 0)) as [
    bigint,
    bigint,
    bigint,
  ];
  t.ok(new G1(x, y, z).equals(expected) && (z !== 0n) !== expected.is0());
}
