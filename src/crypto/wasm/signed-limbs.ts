import { type Code, get, I32, I64, i64, load, op, set, storeAt, type WasmFunction } from './assembler.js';
import {
  eachLimb,
  FIELD_BYTES,
  LIMB_BITS,
  LIMB_MASK,
  LIMBS,
  type Limbs,
  locals,
  lowerOf,
  product,
  setLimbs,
  signedDigits,
  square,
  sumOf,
} from './limbs.js';
import { negativeInverse } from './montgomery.js';

/**
 * Greatest absolute value of a limb.
 *
 * The arithmetic of this file is modulo a prime p below 2^256. A number x (a field element) is stored as 2^261 × x
 * (Montgomery form). Limbs are between −2^28 and 2^28. A number has *size* n if its limbs are between −n × 2^28 and n
 * × 2^28. Functions write numbers of size 1.
 *
 * A product of two limbs has 56 bits, so a word can contain the sum of many products. The sum is reduced once. With
 * factors below 4 × p and no addends, a result is between −p and p. If the lowest limb of the prime is 1, the result
 * is between −1.25 × p and 0.25 × p.
 */
const HALF_LIMB = 1n << BigInt(LIMB_BITS - 1);
const SIGN_BITS = BigInt(64 - LIMB_BITS);
/**
 * Maximum size of a sum of products. The size of a product is the product of the sizes of its two factors. The
 * reduction adds a multiple of the prime, which counts as 2. Each limb has 9 products of at most 2^56, and (12 + 2) ×
 * 9 × 2^56 is below 2^63.
 */
const SIZE_MAX = 12;

interface Factor {
  readonly limbs: Limbs;
  readonly size: number;
}

/** Terms of a sum: products, a square, and addends. */
interface Terms {
  readonly products?: readonly (readonly [Factor, Factor])[];
  readonly square?: Factor;
  readonly addends?: readonly Factor[];
}

function times(count: number, factor: Factor): Factor {
  return { limbs: (at) => multiple(factor.limbs(at), count), size: factor.size * Math.abs(count) };
}

export function minus(a: Factor, b: Factor): Factor {
  return { limbs: (at) => op('sub64', a.limbs(at), b.limbs(at)), size: a.size + b.size };
}

export function plus(a: Factor, b: Factor): Factor {
  return { limbs: (at) => op('add64', a.limbs(at), b.limbs(at)), size: a.size + b.size };
}

function multiple(limb: Code, count: number): Code {
  const power = Math.log2(Math.abs(count));
  if (!Number.isInteger(power)) return op('mul64', limb, i64(BigInt(count)));
  const shifted = power === 0 ? limb : op('shl64', limb, i64(BigInt(power)));
  return count < 0 ? op('sub64', i64(0n), shifted) : shifted;
}

/** Size in bytes of a field element whose limbs are stored in 32-bit words. It must have size 1 (see `HALF_LIMB`). */
export const COMPACT_BYTES: number = LIMBS * 4;

/**
 * Returns a field element of an operand. An operand consists of one or more adjacent field elements, and `number` is
 * the index of the element (default 0). Operands are numbered from 1.
 */
export type Part = (operand: number, number?: number) => Factor;
/** Returns an operand (one field element) whose limbs are stored in 32-bit words. Operands are numbered from 1. */
export type CompactPart = (operand: number) => Factor;

/**
 * Returns a WebAssembly function whose parameters are addresses. The first parameter is the address of the results.
 * The results may overwrite operands.
 * @param make returns the terms of each result; the results are stored one after the other
 * @throws {RangeError} a sum of products may overflow a word
 */
export function sumsOfProducts(
  prime: bigint,
  name: string,
  operands: number,
  make: (part: Part, compact: CompactPart) => readonly Terms[],
): WasmFunction {
  const frame = new Frame(1 + operands);
  const sums = make(frame.part, frame.compact);
  const columns = sums.map((terms) => columnsOf(terms, frame));
  const [factors, carry] = [frame.numbers(1), frame.words(1)];
  const results = sums.map(() => frame.numbers(1));
  const reductions = columns.map((column, at) =>
    reduce(prime, column, { factors, carry, result: results[at] ?? carry }),
  );
  return {
    name,
    params: new Array<number>(1 + operands).fill(I32),
    results: [],
    locals: new Array<number>(frame.count).fill(I64),
    body: [frame.initializers, reductions, results.map((first, at) => storePart(at, locals(first)))],
  };
}

/** Returns a WebAssembly function for sums of field elements, without products. The results have size 1. */
export function sums(name: string, operands: number, make: (part: Part) => readonly Factor[]): WasmFunction {
  const frame = new Frame(1 + operands);
  const values = make(frame.part);
  const carry = frame.words(1);
  const results = values.map(() => frame.numbers(1));
  return {
    name,
    params: new Array<number>(1 + operands).fill(I32),
    results: [],
    locals: new Array<number>(frame.count).fill(I64),
    body: [
      frame.initializers,
      values.map(({ limbs }, at) => carryThrough(results[at] ?? carry, carry, limbs)),
      results.map((first, at) => storePart(at, locals(first))),
    ],
  };
}

/** Allocates the locals of a function, and collects the code that initializes them. */
class Frame {
  readonly initializers: Code[] = [];
  private readonly first: number;
  private next: number;
  private readonly parts = new Map<string, Factor>();

  constructor(first: number) {
    this.first = first;
    this.next = first;
  }

  get count(): number {
    return this.next - this.first;
  }

  words(count: number): number {
    this.next += count;
    return this.next - count;
  }

  numbers(count: number): number {
    return this.words(count * LIMBS);
  }

  take({ limbs, size }: Factor): Factor {
    const first = this.numbers(1);
    this.initializers.push(setLimbs(first, limbs));
    return { limbs: locals(first), size };
  }

  readonly compact: CompactPart = (operand) =>
    this.take({ limbs: (at) => load('s32as64', get(operand), at * 4), size: 1 });

  readonly part: Part = (operand, number = 0) => {
    const key = `${operand} ${number}`;
    const known = this.parts.get(key);
    if (known !== undefined) return known;
    const loaded = this.take({ limbs: (at) => load('i64', get(operand), number * FIELD_BYTES + at * 8), size: 1 });
    this.parts.set(key, loaded);
    return loaded;
  };
}

/** WebAssembly function `name(to, from)`. Converts adjacent field elements of size 1 to 32-bit words. */
export function compactNumbers(name: string, numbers: number): WasmFunction {
  return {
    name,
    params: [I32, I32],
    results: [],
    locals: [],
    body: Array.from({ length: numbers * LIMBS }, (_, at) =>
      storeAt('low32', get(0), load('i64', get(1), at * 8), at * 4),
    ),
  };
}

function storePart(part: number, value: Limbs): Code {
  return eachLimb((at) => storeAt('i64', get(0), value(at), part * FIELD_BYTES + at * 8));
}

type Columns = (column: number) => readonly Code[];

/** Returns the terms of each column. Column c (0 to 17) has the weight 2^(29 × c). */
function columnsOf({ products = [], square: root, addends = [] }: Terms, frame: Frame): Columns {
  const size = [...products, ...(root === undefined ? [] : [[root, root] as const])].reduce(
    (sum, [a, b]) => sum + a.size * b.size,
    0,
  );
  if (size > SIZE_MAX)
    throw new RangeError(`a sum of products has size ${size} and may overflow a word, maximum ${SIZE_MAX}`);
  const pairs = products.map(([a, b]) => [frame.take(a).limbs, frame.take(b).limbs] as const);
  const squares = root === undefined ? () => [] : squareColumns(frame.take(root), frame);
  return (column) => [
    ...(column < TOP ? [...pairs.flatMap(([a, b]) => product(a, b, column)), ...squares(column)] : []),
    // The reduction removes the lowest nine columns. The higher columns become the result, so addends are added
    // there.
    ...(column >= LIMBS ? addends.map(({ limbs }) => limbs(column - LIMBS)) : []),
  ];
}

function squareColumns(root: Factor, frame: Frame): Columns {
  const doubled = frame.take(times(2, root));
  return (column) => square(root.limbs, doubled.limbs, column);
}

/** Number of columns of a product. */
const TOP = 2 * LIMBS - 1;

/** Returns code that divides a sum of products by 2^261 modulo the prime. */
function reduce(
  prime: bigint,
  columns: Columns,
  { factors, carry, result }: { readonly factors: number; readonly carry: number; readonly result: number },
): Code {
  const digits = signedDigits(prime);
  const digit = (at: number): number => Number(digits[at] ?? 0n);
  const factor = Number(BigInt.asIntN(LIMB_BITS, negativeInverse(prime)));
  // If the lowest limb of the prime is 1, the factor equals the lower bits of a column, and is subtracted instead of
  // added. The carry can then be computed at the same time as the factor. The factor is not negative, so its multiple
  // changes the result by −p to 0.
  const isExcess = digit(0) === 1;
  const sign = isExcess ? -1 : 1;
  const carried = (column: number): Code =>
    isExcess && column < LIMBS ? op('shrS64', get(carry), i64(BigInt(LIMB_BITS))) : above(carry);
  const code: Code[] = [];
  for (let column = 0; column < TOP; column++) {
    const multiples = lowerOf(column)
      .filter((at) => column >= LIMBS || at < column)
      .map((at) => multiple(get(factors + at), sign * digit(column - at)));
    code.push(set(carry, sumOf(...columns(column), ...multiples, ...(column === 0 ? [] : [carried(column - 1)]))));
    if (column < LIMBS && isExcess) code.push(set(factors + column, op('and64', get(carry), i64(LIMB_MASK))));
    else if (column < LIMBS) {
      // The factor of a column depends on all terms of the lower columns. The prime times this factor makes the column
      // divisible.
      code.push(
        set(factors + column, within(multiple(get(carry), factor))),
        set(carry, sumOf(get(carry), multiple(get(factors + column), digit(0)))),
      );
    } else {
      code.push(set(result + column - LIMBS, within(get(carry))));
    }
  }
  code.push(set(result + LIMBS - 1, sumOf(...columns(TOP), above(carry))));
  return code;
}

/**
 * Returns code that propagates the carries through the limbs of a number. The result has size 1: each limb is within
 * the range of a limb.
 */
function carryThrough(result: number, carry: number, limb: Limbs): Code {
  const top = LIMBS - 1;
  return [
    Array.from({ length: top }, (_, at) => [
      set(carry, at === 0 ? limb(0) : sumOf(limb(at), above(carry))),
      set(result + at, within(get(carry))),
    ]),
    set(result + top, sumOf(limb(top), above(carry))),
  ];
}

/** Returns code for the lower 29 bits of a word as a signed number. */
const within = (value: Code): Code => op('shrS64', op('shl64', value, i64(SIGN_BITS)), i64(SIGN_BITS));
/** Returns code for the carry of a word to the next limb. */
const above = (local: number): Code => op('shrS64', op('add64', get(local), i64(HALF_LIMB)), i64(BigInt(LIMB_BITS)));
