import {
  type Code,
  get,
  lanes,
  multiplyAdd,
  set,
  shiftLanes,
  shuffle,
  storeVector,
  vector,
  vectorOf,
  type WasmFunction,
} from '../assembler.js';
import { lowerOf, signedDigits } from '../limbs.js';
import { negativeInverse } from '../montgomery.js';
import {
  type Factor,
  type Field,
  type Form,
  itemOf,
  LIMB_BYTES,
  minusComplex,
  plusComplex,
  timesComplex,
} from './complex-field.js';
import { eachNumberLimb, everyWord64, LocalFrame, NumberFunctions, sumOfNumbers } from './number-functions.js';

/** A double whose lowest bit has the value 1, so adding an integer to it stores the integer in its lower bits. */
const WHOLE = 1.5 * 2 ** 52;
/** Number of bits of an integer in a double. */
const DOUBLE_BITS = 53;
/**
 * Bits of the limit for 64-bit sums. Below this limit, an unsigned shift of the sum with {@link ABOVE} gives the carry.
 */
const SUM_BITS = 61;
const ABOVE = 1n << 62n;

/**
 * Limbs as pairs of doubles: real and imaginary part. A product of two limbs has more bits than a double, but a fused
 * multiply-add, which rounds once, gives both halves. Adding the product to `high`, whose lowest bit is 2^(limb bits),
 * gives the upper half. Adding the product to the negative of that gives the lower half. Both are integers in the lower
 * bits of doubles with known upper bits, and are summed as 64-bit words. This requires a machine with fused
 * multiply-add. Source: Emmart, "Faster modular exponentiation using double precision floating point arithmetic", with
 * fewer bits here, so that products of sums fit.
 */
export const DOUBLES: Form = {
  plus: (a, b) => lanes('addF64', a, b),
  minus: (a, b) => lanes('subF64', a, b),
  times: (count, a) => lanes('mulF64', a, everyDouble(count)),
  conjugate: (a) => lanes('mulF64', a, doubles(1, -1)),
  turned: (a) => lanes('mulF64', swapped(a), doubles(-1, 1)),
  write({ doubles }, address, at, real, imaginary) {
    doubles.set([real, imaginary], (address + at * LIMB_BYTES) >> 3);
  },
  functionsOf: (field, sums) => new FusedFunctions(field, sums),
  /** In each column and for each limb, both halves of a product take three quarters of the range of a limb. */
  halvesMax: ({ limbs, limbBits }) => Math.floor(2 ** (SUM_BITS - limbBits) / limbs),
};

/** Computes both halves of products of limbs, column by column. */
class Halves {
  private readonly frame: LocalFrame;
  private readonly high: number;
  private readonly highBits: bigint;
  private readonly low: number;
  /** Upper halves of the products of a column, which belong to the next column. */
  private above: number[] = [];

  constructor(frame: LocalFrame, high: number, low: number) {
    this.frame = frame;
    this.highBits = bitsOf(high);
    [this.high, this.low] = [frame.local(), frame.local()];
    frame.taken.push(set(this.high, everyDouble(high)), set(this.low, everyDouble(low)));
  }

  /**
   * Returns code for the upper halves of the products of a column, and the terms of the column sum: the lower halves,
   * and the upper halves of the previous column. A constant term cancels the upper bits of the doubles and adds
   * `other`.
   */
  column(products: readonly (readonly [Code, Code])[], other = 0n): { readonly upper: Code; readonly terms: Code[] } {
    const known = this.highBits * BigInt(this.above.length) + bitsOf(WHOLE) * BigInt(products.length);
    const before = this.above.map(get);
    this.above = [];
    const halves = products.map(([a, b]) => this.halvesOf(a, b));
    return {
      upper: halves.map(({ upper }) => upper),
      terms: [everyWord64(other - known), ...before, ...halves.map(({ lower }) => lower)],
    };
  }

  /** Like `column`, for one more product of the same column. */
  more(a: Code, b: Code): { readonly upper: Code; readonly terms: Code[] } {
    const { upper, lower } = this.halvesOf(a, b);
    return { upper, terms: [everyWord64(-bitsOf(WHOLE)), lower] };
  }

  /** Returns the lower half of a product, as a limb. */
  lowerOf(a: Code, b: Code): Code {
    return multiplyAdd(a, b, lanes('subF64', get(this.high), multiplyAdd(a, b, get(this.high))));
  }

  private halvesOf(a: Code, b: Code): { readonly upper: Code; readonly lower: Code } {
    const local = this.frame.local();
    this.above.push(local);
    return {
      upper: set(local, multiplyAdd(a, b, get(this.high))),
      lower: multiplyAdd(a, b, lanes('subF64', get(this.low), get(local))),
    };
  }
}

/** Functions for numbers whose limbs are doubles. */
class FusedFunctions extends NumberFunctions {
  /**
   * `high` is 1.5 times 2^(52 + limb bits). Adding a product to it gives the upper half; `low` is the minuend that
   * gives the lower half.
   */
  private readonly high: number;
  private readonly low: number;

  constructor(field: Field, sums: number) {
    super(field, sums);
    this.high = WHOLE * 2 ** field.limbBits;
    this.low = this.high + WHOLE;
  }

  override product(name: string): WasmFunction {
    const frame = new LocalFrame(2, this.field);
    const [a, b] = [frame.operand(0), frame.operand(1)];
    return this.sumFunction(name, frame, [
      [frame.take(both(a, 0)), b],
      [frame.take(both(a, 1)), frame.take({ ...b, limbs: (at) => DOUBLES.turned(b.limbs(at)) })],
    ]);
  }

  override scaled(name: string): WasmFunction {
    const frame = new LocalFrame(2, this.field);
    return this.sumFunction(name, frame, [[frame.take(both(frame.operand(0), 0)), frame.operand(1)]]);
  }

  override pairwise(name: string): WasmFunction {
    const frame = new LocalFrame(2, this.field);
    return this.sumFunction(name, frame, [[frame.operand(0), frame.operand(1)]]);
  }

  override pairwiseSquare(name: string): WasmFunction {
    const frame = new LocalFrame(1, this.field);
    const whole = frame.operand(0);
    const doubled = frame.take(timesComplex(2, whole));
    return this.productsFunction(name, frame, (column) =>
      lowerOf(column, this.field.limbs)
        .filter((at) => 2 * at <= column)
        .map((at) => [(2 * at === column ? whole : doubled).limbs(at), whole.limbs(column - at)]),
    );
  }

  override square(name: string): WasmFunction {
    const frame = new LocalFrame(1, this.field);
    const whole = frame.operand(0);
    const left = frame.take(plusComplex(both(whole, 0), { ...whole, limbs: (at) => swapped(whole.limbs(at)) }));
    const right = frame.take(
      minusComplex(whole, { ...whole, limbs: (at) => lanes('mulF64', swapped(whole.limbs(at)), doubles(1, 0)) }),
    );
    return this.sumFunction(name, frame, [[left, right]]);
  }

  override addend(name: string): WasmFunction {
    const frame = new LocalFrame(1, this.field);
    const { limbs } = frame.operand(0);
    return frame.function(
      name,
      eachNumberLimb(this.field, (at) => {
        const column = this.field.limbs + at;
        const bits = lanes('addF64', limbs(at), everyDouble(WHOLE));
        return this.setColumn(column, sumOfNumbers([this.columnOf(column), everyWord64(-bitsOf(WHOLE)), bits]));
      }),
    );
  }

  /**
   * Divides by 2^(limb bits) column by column. To make a column divisible, it first adds a factor times a multiple of
   * the prime. Except for the last column, this multiple is 1 modulo 2^(limb bits) or its square. The factor is then
   * equal to the lower bits of the column, and the next one or two columns need not wait for a product. This adds up to
   * half the prime (last column) and a quarter (the one before) to the result, and little more.
   */
  override end(name: string): WasmFunction {
    const { prime, limbs, limbBits } = this.field;
    const frame = new LocalFrame(1, this.field);
    const halves = new Halves(frame, this.high, this.low);
    const last = limbs - 1;
    const digits = Array.from({ length: limbs }, (_, row) => {
      const size = row === last ? 0 : row > last - 3 ? 1 : 2;
      return multipleOf(this.field, size).map(Number);
    });
    const inverse = everyDouble(Number(BigInt.asIntN(limbBits, negativeInverse(prime, limbBits))));
    const factors = digits.map(() => frame.local());
    const results = digits.map(() => frame.local());
    const [sum, shifted] = [frame.local(), frame.local()];
    const half = 1n << BigInt(limbBits - 1);
    /**
     * Splits the sum of a column into its low bits, as a signed double, and `shifted`, from which the carry is
     * computed.
     */
    const split = (to: number): Code => [
      set(shifted, lanes('add64', get(sum), everyWord64(ABOVE + half))),
      set(to, lowerDouble(get(shifted), limbBits)),
    ];
    const carried = shiftLanes('shr64', get(shifted), limbBits);
    const excess = ABOVE >> BigInt(limbBits);
    const code: Code[] = [];
    for (let column = 0; column < 2 * limbs; column++) {
      const products = factors.flatMap((factor, row) => {
        const digit = row < column ? (digits[row]?.[column - row] ?? 0) : 0;
        return digit === 0 ? [] : [[get(factor), everyDouble(digit)] as const];
      });
      const { upper, terms } = halves.column(products, column === 0 ? 0n : -excess);
      code.push(upper, set(sum, sumOfNumbers([this.columnOf(column), ...terms, ...(column === 0 ? [] : [carried])])));
      const result = itemOf(results, column - (column < limbs ? 0 : limbs));
      if (column === 2 * limbs - 1) {
        const bits = lanes('add64', get(sum), everyWord64(bitsOf(WHOLE)));
        code.push(set(result, lanes('subF64', bits, everyDouble(WHOLE))));
      } else if (column >= limbs) code.push(split(result));
      else {
        const factor = itemOf(factors, column);
        code.push(split(factor));
        const digit = digits[column]?.[0] ?? 0;
        if (digit === -1) continue;
        code.push(set(factor, halves.lowerOf(get(factor), inverse)));
        const { upper: above, terms: below } = halves.more(get(factor), everyDouble(digit));
        code.push(above, set(shifted, sumOfNumbers([get(sum), everyWord64(ABOVE), ...below])));
      }
    }
    return frame.function(name, [
      code,
      results.map((local, at) => storeVector(get(0), get(local), at * LIMB_BYTES)),
      this.clearColumns(),
    ]);
  }

  protected override withoutMultiples(frame: LocalFrame, { limbs }: Factor): Factor {
    const { prime, limbs: count, limbBits } = this.field;
    const digits = signedDigits(prime, count, limbBits).map(Number);
    const often = frame.local();
    const quotient = lanes('mulF64', limbs(count - 1), everyDouble(1 / itemOf(digits, count - 1)));
    frame.taken.push(set(often, lanes('subF64', lanes('addF64', quotient, everyDouble(WHOLE)), everyDouble(WHOLE))));
    const left = (at: number): Code =>
      lanes('subF64', limbs(at), lanes('mulF64', get(often), everyDouble(itemOf(digits, at))));
    return this.carried(frame, { limbs: left, size: 6, form: DOUBLES });
  }

  /** Carries from each limb only to the next one. So the size may exceed 1 by about 2^-44. */
  protected override carried(frame: LocalFrame, { limbs, size }: Factor): Factor {
    const { limbs: count, limbBits } = this.field;
    if (size >= 2 ** (DOUBLE_BITS + 1 - limbBits)) throw new RangeError(`a sum of size ${size} overflows a double`);
    const results = Array.from({ length: count }, () => frame.local());
    const [limb, above, below] = [frame.local(), frame.local(), frame.local()];
    const unit = everyDouble(this.high);
    for (const [at, result] of results.entries()) {
      const isLast = at === count - 1;
      frame.taken.push(set(limb, limbs(at)));
      if (!isLast) frame.taken.push(set(above, lanes('subF64', lanes('addF64', get(limb), unit), unit)));
      const own = isLast ? get(limb) : lanes('subF64', get(limb), get(above));
      frame.taken.push(
        set(result, at === 0 ? own : multiplyAdd(get(below), everyDouble(2 ** -limbBits), own)),
        set(below, get(above)),
      );
    }
    return { limbs: (at) => get(itemOf(results, at)), size: 1, form: DOUBLES };
  }

  /** Adds products of pairs of numbers. @throws {RangeError} a product of limbs may overflow the accumulator */
  private sumFunction(name: string, frame: LocalFrame, pairs: readonly (readonly [Factor, Factor])[]): WasmFunction {
    // Products of larger factors could change the exponent of the accumulator, so they are rejected.
    const sizes = 2 ** (DOUBLE_BITS - this.field.limbBits);
    if (pairs.some(([a, b]) => a.size * b.size >= sizes)) throw new RangeError('a product of limbs may overflow');
    return this.productsFunction(name, frame, (column) =>
      lowerOf(column, this.field.limbs).flatMap((at) =>
        pairs.map(([a, b]) => [a.limbs(at), b.limbs(column - at)] as const),
      ),
    );
  }

  private productsFunction(
    name: string,
    frame: LocalFrame,
    productsOf: (column: number) => readonly (readonly [Code, Code])[],
  ): WasmFunction {
    const halves = new Halves(frame, this.high, this.low);
    const columns = Array.from({ length: 2 * this.field.limbs }, (_, column) => {
      const { upper, terms } = halves.column(column === 2 * this.field.limbs - 1 ? [] : productsOf(column));
      return [upper, this.setColumn(column, sumOfNumbers([this.columnOf(column), ...terms]))];
    });
    return frame.function(name, columns);
  }
}

/**
 * Returns the digits of the negative of a multiple of the prime that is 1 modulo 2^(limb bits × often). Its lowest
 * digits are -1 and zeros. If `often` is 0, returns the digits of the prime.
 */
function multipleOf({ prime, limbs, limbBits }: Field, often: number): bigint[] {
  if (often === 0) return signedDigits(prime, limbs, limbBits);
  const bits = often * limbBits;
  return signedDigits(prime * BigInt.asIntN(bits, negativeInverse(prime, bits)), limbs + often, limbBits);
}

/** Returns the lower bits of a word, minus half a limb, as a double. Half a limb must have been added before. */
function lowerDouble(word: Code, bits: number): Code {
  const own = vector('and', word, everyWord64((1n << BigInt(bits)) - 1n));
  const exponent = everyWord64(bitsOf(2 ** 52));
  return lanes('subF64', vector('or', own, exponent), everyDouble(2 ** 52 + 2 ** (bits - 1)));
}

/** Copies the limbs of one part into both parts. */
function both({ limbs, size, form }: Factor, part: 0 | 1): Factor {
  const words = part === 0 ? ([0, 1, 0, 1] as const) : ([2, 3, 2, 3] as const);
  return { limbs: (at) => shuffle(limbs(at), limbs(at), words), size, form };
}

function swapped(a: Code): Code {
  return shuffle(a, a, [2, 3, 0, 1]);
}

function everyDouble(value: number): Code {
  return doubles(value, value);
}

function doubles(first: number, second: number): Code {
  return vectorOf(new Uint8Array(Float64Array.of(first, second).buffer));
}

function bitsOf(value: number): bigint {
  return new BigInt64Array(Float64Array.of(value).buffer)[0] ?? 0n;
}
