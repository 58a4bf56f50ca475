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
 * Arithmetic modulo a prime below 2^256 with limbs between -2^28 and 2^28: a product of two has 56 bits, so that a word
 * takes the sum of many, and a whole sum of products of numbers is reduced once. A number x is kept as 2^261 x
 * (Montgomery). The *size* of a number is how many times 2^28 its limbs may have, either way. What a function writes
 * has size 1; without addends it lies between -p and p, or, where the prime's lowest limb is 1, between -1.25 p and
 * 0.25 p, if products are of factors below 4 p.
 */
const HALF_LIMB = 1n << BigInt(LIMB_BITS - 1);
const SIGN_BITS = BigInt(64 - LIMB_BITS);
/**
 * Of products, the sum of the sizes that fits in a word beside the multiple of the prime, of size 2 at most: 14 times 9
 * times 2^56 is below 2^63.
 */
const SIZE_MAX = 12;

interface Factor {
  readonly limbs: Limbs;
  readonly size: number;
}

/** A number that a function computes: the sum of products, of a square, and of addends. */
export interface Terms {
  readonly products?: readonly (readonly [Factor, Factor])[];
  readonly square?: Factor;
  readonly addends?: readonly Factor[];
}

export function times(count: number, factor: Factor): Factor {
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

/** Bytes of a number of size 1 that is kept in words of 32 bits. */
export const COMPACT_BYTES: number = LIMBS * 4;

/** Part `number` of an operand that consists of numbers behind each other; operands count from 1 on. */
export type Part = (operand: number, number?: number) => Factor;
/** An operand in words of 32 bits. */
export type CompactPart = (operand: number) => Factor;

/**
 * A function over addresses, that of the results first; they may lie where operands do.
 * @param make what it computes, to be stored behind each other
 * @throws {RangeError} a sum of products may not fit in a word
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
    body: [frame.taken, reductions, results.map((first, at) => storePart(at, locals(first)))],
  };
}

/** The same without products: sums, brought to size 1. */
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
      frame.taken,
      values.map(({ limbs }, at) => carryThrough(results[at] ?? carry, carry, limbs)),
      results.map((first, at) => storePart(at, locals(first))),
    ],
  };
}

/** Locals of a function behind its parameters, and what is taken into them at its begin. */
class Frame {
  readonly taken: Code[] = [];
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
    this.taken.push(setLimbs(first, limbs));
    return { limbs: locals(first), size };
  }

  readonly compact: CompactPart = (operand) =>
    this.take({ limbs: (at) => load('s32as64', get(operand), at * 4), size: 1 });

  readonly part: Part = (operand, number = 0) => {
    const key = `${operand} ${number}`;
    const known = this.parts.get(key);
    if (known !== undefined) return known;
    const taken = this.take({ limbs: (at) => load('i64', get(operand), number * FIELD_BYTES + at * 8), size: 1 });
    this.parts.set(key, taken);
    return taken;
  };
}

/** (to, from): takes so many numbers of size 1 behind each other into words of 32 bits. */
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

/** @param column of weight 2^(29 column), 0 to 17 */
function columnsOf({ products = [], square: root, addends = [] }: Terms, frame: Frame): Columns {
  const size = [...products, ...(root === undefined ? [] : [[root, root] as const])].reduce(
    (sum, [a, b]) => sum + a.size * b.size,
    0,
  );
  if (size > SIZE_MAX) throw new RangeError(`a sum of products of size ${size} may not fit`);
  const pairs = products.map(([a, b]) => [frame.take(a).limbs, frame.take(b).limbs] as const);
  const squares = root === undefined ? () => [] : squareColumns(frame.take(root), frame);
  return (column) => [
    ...(column < TOP ? [...pairs.flatMap(([a, b]) => product(a, b, column)), ...squares(column)] : []),
    // The result is what stands above the ninth limb.
    ...(column >= LIMBS ? addends.map(({ limbs }) => limbs(column - LIMBS)) : []),
  ];
}

function squareColumns(root: Factor, frame: Frame): Columns {
  const doubled = frame.take(times(2, root));
  return (column) => square(root.limbs, doubled.limbs, column);
}

/** Columns of a product. */
const TOP = 2 * LIMBS - 1;

/** Divides a sum of products by 2^261 modulo the prime. */
function reduce(
  prime: bigint,
  columns: Columns,
  { factors, carry, result }: { readonly factors: number; readonly carry: number; readonly result: number },
): Code {
  const digits = signedDigits(prime);
  const digit = (at: number): number => Number(digits[at] ?? 0n);
  const factor = Number(BigInt.asIntN(LIMB_BITS, negativeInverse(prime)));
  // Where the lowest limb of the prime is 1, the lower bits of a column are the factor, which is taken away and not
  // added: what is carried does not wait for it. It is not negative, so that the result lies between -p and 0, but for
  // what the sum itself makes of it.
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
      // The factor of a column is known once all that is lower has been added, and makes it divisible.
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

/** Brings a number to size 1. */
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

/** The lower 29 bits of a word as a number from -2^28 on, and what is carried beside it. */
const within = (value: Code): Code => op('shrS64', op('shl64', value, i64(SIGN_BITS)), i64(SIGN_BITS));
const above = (local: number): Code => op('shrS64', op('add64', get(local), i64(HALF_LIMB)), i64(BigInt(LIMB_BITS)));
