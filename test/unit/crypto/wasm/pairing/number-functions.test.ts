import t from 'tap';
import { assemble, get } from '../../../../../src/crypto/wasm/assembler.js';
import { BLS12_381_P as BLS12_381 } from '../../../../../src/crypto/wasm/bls12-381/field.js';
import {
  conjugate,
  type Field,
  montgomery,
  numberBytes,
  plusComplex,
  timesComplex,
  turned,
  writeLimb,
} from '../../../../../src/crypto/wasm/pairing/complex-field.js';
import { Composer, composeProduct, composeSquare } from '../../../../../src/crypto/wasm/pairing/composer.js';
import { timesOnePlusI } from '../../../../../src/crypto/wasm/pairing/tower.js';
import { halvesMax, WordFunctions } from '../../../../../src/crypto/wasm/pairing/word-functions.js';
import { compileModule, createMemory, instantiate } from '../../../../../src/crypto/wasm/web-assembly.js';
import { itemAt, present } from '../../../../../src/primitives/assert.js';
import { Random } from '../../../../fuzz/random.js';

const random = new Random(29, []);
const FIELD: Field = { prime: BLS12_381, limbs: 14, limbBits: 28 };
const XI: Complex = [1n, 1n];
/** A number a + b × i, as a pair [a, b]. */
type Complex = readonly [real: bigint, imaginary: bigint];

const P = FIELD.prime;
const PRODUCTS = Math.floor(halvesMax(FIELD) / 2);
const NUMBER = numberBytes(FIELD);
const make = new WordFunctions(FIELD, 0);
const memory = createMemory(1, 1);
const words = new Int32Array(memory.buffer);
const run = instantiate(
  compileModule(
    assemble(
      [],
      [
        make.product('addProduct'),
        make.scaled('addScaled'),
        make.square('addSquare'),
        make.addend('addend'),
        make.end('end'),
        make.linear('timesXi', 1, (of) => timesOnePlusI(of(1))),
        make.linear('sum', 3, (of) =>
          plusComplex(timesComplex(-2, of(1)), plusComplex(turned(of(2)), conjugate(of(3)))),
        ),
        make.pairwise('addPairwise'),
        make.pairwiseSquare('addPairwiseSquare'),
        make.isZero(),
      ],
    ),
  ),
  { env: { memory } },
).exports as Readonly<Record<string, (...addresses: number[]) => number>>;

const mod = (value: bigint): bigint => ((value % P) + P) % P;
const productOf = ([a, b]: Complex, [c, d]: Complex): Complex => [a * c - b * d, a * d + b * c];
const sumOf = (numbers: readonly Complex[]): Complex => [
  numbers.reduce((sum, [a]) => sum + a, 0n),
  numbers.reduce((sum, [, b]) => sum + b, 0n),
];
const INVERSE = inverseOf(montgomery(FIELD));
/**
 * Returns the parts of a sum of products after the reduction. The reduction divides each part by the Montgomery factor.
 */
const reduced = ([a, b]: Complex): Complex => [mod(a * INVERSE), mod(b * INVERSE)];
const call = (name: string, ...addresses: number[]): number => present(run[name], name)(...addresses);
const offsetOf = (at: number): number => (3 + at) * NUMBER;

function same(found: Complex, expected: Complex): void {
  if (found[0] !== expected[0] || found[1] !== expected[1]) t.fail(`${found.join(' ')} is not ${expected.join(' ')}`);
}

function inverseOf(value: bigint): bigint {
  let [result, base] = [1n, value];
  for (let rest = P - 2n; rest > 0n; rest >>= 1n) {
    if ((rest & 1n) === 1n) result = mod(result * base);
    base = mod(base * base);
  }
  return result;
}

/** Writes a number and returns it. @param limbs limbs of the real part and of the imaginary part, lowest first */
function write(address: number, [real, imaginary]: readonly [readonly number[], readonly number[]]): Complex {
  for (let at = 0; at < FIELD.limbs; at++) {
    writeLimb(words, address, at, itemAt(real, at), itemAt(imaginary, at));
  }
  return [numberOf(real), numberOf(imaginary)];
}

function numberOf(limbs: readonly number[]): bigint {
  return limbs.reduceRight((sum, limb) => (sum << BigInt(FIELD.limbBits)) + BigInt(limb), 0n);
}

/**
 * Returns both parts modulo the prime. The memory contains each part twice; the second copy of the imaginary part is
 * negated. The test fails if a copy differs.
 */
function read(address: number): Complex {
  const first = address / words.BYTES_PER_ELEMENT;
  const part = (lane: number): bigint =>
    numberOf(Array.from({ length: FIELD.limbs }, (_, at) => itemAt(words, first + 4 * at + lane)));
  if (mod(part(0)) !== mod(part(3)) || mod(part(1)) !== mod(-part(2))) t.fail('the words differ');
  return [mod(part(0)), mod(part(1))];
}

const TOP = FIELD.limbs - 1;
const half = 2 ** (FIELD.limbBits - 1);
/** Maximum value of the highest limb: 30 times the prime, which is the largest multiple that occurs in a pairing. */
const highest = 30 * Number(P >> BigInt(FIELD.limbBits * TOP));
/** Returns limbs with extreme values for the kinds 0 to 3, and random limbs for other kinds. */
function limbs(kind: number): readonly number[] {
  const limb = (at: number): number => {
    if (kind < 4)
      return (kind === 0 ? 1 : kind === 1 ? -1 : at % 2 === kind % 2 ? 1 : -1) * (at === TOP ? highest : half);
    return (
      Number(BigInt(`0x${random.bytes(8).toString('hex')}`) % BigInt(at === TOP ? highest : 2 * half)) -
      (at === TOP ? 0 : half)
    );
  };
  return Array.from({ length: FIELD.limbs }, (_, at) => limb(at));
}

t.test('does not overflow for the longest sums of the largest products', async () => {
  for (let round = 0; round < 600; round++) {
    const kind = (at: number): number => (round < 300 ? (round * 7 + at * (1 + (round % 5))) % 5 : 4);
    const numbers = Array.from({ length: 2 * PRODUCTS + 1 }, (_, at) =>
      write(offsetOf(at), [limbs(kind(at)), limbs(kind(at + 1))]),
    );
    const addTerms = (): Complex =>
      sumOf(
        Array.from({ length: PRODUCTS }, (_, at) => {
          call('addProduct', offsetOf(2 * at), offsetOf(2 * at + 1));
          return productOf(itemAt(numbers, 2 * at), itemAt(numbers, 2 * at + 1));
        }),
      );
    const [a, b] = reduced(addTerms());
    call('end', offsetOf(2 * PRODUCTS + 1));
    same(read(offsetOf(2 * PRODUCTS + 1)), [a, b]);
    addTerms();
    call('addend', offsetOf(2 * PRODUCTS));
    call('end', offsetOf(2 * PRODUCTS + 1));
    same(read(offsetOf(2 * PRODUCTS + 1)), sumOf([[a, b], itemAt(numbers, 2 * PRODUCTS)]).map(mod) as [bigint, bigint]);
  }
});

t.test('computes squares, multiples by a real part, and sums', async () => {
  for (let round = 0; round < 500; round++) {
    const [a, b, c] = [0, 1, 2].map((at) =>
      write(offsetOf(at), [limbs((round + at) % 5), limbs((round * 3 + at) % 7)]),
    ) as [Complex, Complex, Complex];
    call('addSquare', offsetOf(0));
    call('end', offsetOf(3));
    same(read(offsetOf(3)), reduced(productOf(a, a)));
    call('addScaled', offsetOf(0), offsetOf(1));
    call('addScaled', offsetOf(1), offsetOf(2));
    call('end', offsetOf(3));
    same(read(offsetOf(3)), reduced(sumOf([productOf([a[0], 0n], b), productOf([b[0], 0n], c)])));
    call('addPairwise', offsetOf(0), offsetOf(1));
    call('addPairwise', offsetOf(1), offsetOf(2));
    call('end', offsetOf(3));
    same(read(offsetOf(3)), reduced([a[0] * b[0] + b[0] * c[0], a[1] * b[1] + b[1] * c[1]]));
    call('addPairwiseSquare', offsetOf(0));
    call('end', offsetOf(3));
    same(read(offsetOf(3)), reduced([a[0] ** 2n, a[1] ** 2n]));
    call('timesXi', offsetOf(3), offsetOf(0));
    same(read(offsetOf(3)), productOf(a, XI).map(mod) as [bigint, bigint]);
    call('sum', offsetOf(3), offsetOf(0), offsetOf(1), offsetOf(2));
    same(
      read(offsetOf(3)),
      sumOf([productOf(a, [-2n, 0n]), productOf(b, [0n, 1n]), [c[0], -c[1]]]).map(mod) as [bigint, bigint],
    );
  }
});

t.test('has one representation of 0', async (t) => {
  const digits = (value: bigint): number[] =>
    Array.from({ length: FIELD.limbs }, (_, at) =>
      Number((value >> BigInt(FIELD.limbBits * at)) & ((1n << BigInt(FIELD.limbBits)) - 1n)),
    );
  write(offsetOf(1), [digits(montgomery(FIELD)), digits(0n)]);
  for (const [value, isZero] of [
    [0n, 1],
    [P, 1],
    [2n * P, 1],
    [3n * P, 1],
    [1n, 0],
    [P - 1n, 0],
    [P + 1n, 0],
  ] as const) {
    for (const parts of [
      [value, 0n],
      [0n, value],
      [value, value],
    ] as const) {
      write(offsetOf(0), [digits(parts[0]), digits(parts[1])]);
      call('addProduct', offsetOf(0), offsetOf(1));
      call('end', offsetOf(0));
      t.equal(call('isZero', offsetOf(0)), isZero, `${parts.join(' ')}`);
    }
  }
});

t.test('rejects a sum that may overflow', async (t) => {
  const made = new Composer(FIELD, () => []);
  const most = 19;
  const terms = (count: number) => Array.from({ length: count }, () => composeProduct(get(1), get(2)));
  t.ok(made.sum(get(0), ...terms(most)));
  t.throws(() => made.sum(get(0), ...terms(most + 1)), RangeError);
  t.throws(
    () => made.sum(get(0), composeSquare(get(1)), ...terms(most - 1)),
    RangeError,
    'a square counts as two products',
  );
});
