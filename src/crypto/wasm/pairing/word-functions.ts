import {
  type Code,
  get,
  lanes,
  set,
  shiftLanes,
  shuffle,
  storeVector,
  vector,
  vectorOf,
  type WasmFunction,
  ZERO_VECTOR,
} from '../assembler.js';
import { lowerOf } from '../limbs.js';
import { negativeInverse } from '../montgomery.js';
import {
  digitsOf,
  everyWord32,
  type Factor,
  type Field,
  itemOf,
  LIMB_BYTES,
  plusComplex,
  timesComplex,
} from './complex-field.js';
import { eachNumberLimb, everyWord64, LocalFrame, NumberFunctions, sumOfNumbers } from './number-functions.js';

/**
 * Returns the maximum number of half products (see `composer.ts`) whose sum, plus a multiple of the prime, fits into
 * a 64-bit word. The factors must have size 1.
 *
 * A half product adds to a word at most one product of limbs for each limb of a number. The product with the highest
 * limb is not counted, because that limb has few bits.
 */
export function halvesMax({ limbs, limbBits }: Field): number {
  return Math.ceil(2 ** (63 - 2 * (limbBits - 1)) / (limbs - 1)) - 2;
}

/**
 * Order in which to read the four 32-bit words of a limb. These words are the real part, the imaginary part, the
 * negative imaginary part, and the real part. Each element is the index of a word; index 4 means zero.
 */
type Words = readonly [number, number, number, number];
/** Half of a limb: its first two words (`low`) or its last two words (`high`). */
type Half = 'low' | 'high';

/** Creates functions for numbers whose limbs consist of 32-bit words. */
export class WordFunctions extends NumberFunctions {
  override product(name: string): WasmFunction {
    return this.productOf(name, [0, 0, 1, 1], ['low', 'high']);
  }

  override scaled(name: string): WasmFunction {
    return this.productOf(name, [0, 0, 0, 0], ['low']);
  }

  override pairwise(name: string): WasmFunction {
    return this.productOf(name, [0, 1, 4, 4], ['low']);
  }

  override pairwiseSquare(name: string): WasmFunction {
    const frame = new LocalFrame(1, this.field);
    const whole = frame.operand(0);
    const doubled = frame.take(timesComplex(2, whole));
    return frame.function(
      name,
      this.summed((column) =>
        lowerOf(column, this.field.limbs)
          .filter((at) => 2 * at <= column)
          .map((at) => lanes('low', (2 * at === column ? whole : doubled).limbs(at), whole.limbs(column - at))),
      ),
    );
  }

  override square(name: string): WasmFunction {
    const frame = new LocalFrame(1, this.field);
    const whole = frame.operand(0);
    const left = frame.take(plusComplex(word(whole, [0, 0, 4, 4]), word(whole, [1, 0, 4, 4])));
    const right = frame.take(plusComplex(whole, word(whole, [2, 4, 4, 4])));
    return frame.function(
      name,
      this.summed((column) => this.pairs(column, ['low'], left, right)),
    );
  }

  override addend(name: string): WasmFunction {
    const frame = new LocalFrame(1, this.field);
    const { limbs } = frame.operand(0);
    const code = eachNumberLimb(this.field, (at) => this.addTo(this.field.limbs + at, [wide(limbs(at))]));
    return frame.function(name, code);
  }

  override end(name: string): WasmFunction {
    const frame = new LocalFrame(1, this.field);
    return frame.function(name, [this.reduced(frame), this.clearColumns()]);
  }

  /**
   * Returns a product function.
   * @param words order of the words of a; each is multiplied by the word of b with the same index
   * @param halves pairs of words to multiply
   */
  private productOf(name: string, words: Words, halves: readonly Half[]): WasmFunction {
    const frame = new LocalFrame(2, this.field);
    const whole = frame.operand(0);
    const left = words[0] === 0 && words[1] === 1 ? whole : frame.take(word(whole, words));
    const right = frame.operand(1);
    return frame.function(
      name,
      this.summed((column) => this.pairs(column, halves, left, right)),
    );
  }

  private summed(terms: (column: number) => Code[]): Code {
    return Array.from({ length: 2 * this.field.limbs - 1 }, (_, column) => this.addTo(column, terms(column)));
  }

  private addTo(column: number, terms: readonly Code[]): Code {
    return this.setColumn(column, sumOfNumbers([this.columnOf(column), ...terms]));
  }

  private pairs(column: number, halves: readonly Half[], a: Factor, b: Factor): Code[] {
    return lowerOf(column, this.field.limbs).flatMap((at) =>
      halves.map((half) => lanes(half, a.limbs(at), b.limbs(column - at))),
    );
  }

  /** Returns code that divides the accumulator by 2^(limbs × limbBits) modulo the prime and stores the result. */
  private reduced(frame: LocalFrame): Code {
    const { prime, limbs, limbBits } = this.field;
    const digits = digitsOf(this.field, prime);
    const digit = (at: number): Code => everyWord32(digits[at] ?? 0);
    const factor = everyWord32(Number(BigInt.asIntN(limbBits, negativeInverse(prime, limbBits))));
    const factors = Array.from({ length: limbs }, () => frame.local());
    const results = Array.from({ length: limbs }, () => frame.local());
    const carry = frame.local();
    const code: Code[] = [];
    /**
     * 2^63, shifted right by the bits of a limb. The code adds 2^63 to a column before it computes the carry, so that
     * an unsigned shift suffices. An unsigned shift is one instruction, a signed shift six.
     *
     * The carry is then too large by this constant, and so is the next column until its own carry is computed. The
     * constant is a multiple of 2^32, so neither limbs nor factors change.
     */
    const excess = 1n << BigInt(63 - limbBits);
    const above = (at: number): Code => {
      // A lower column needs no rounding, because the multiple of the prime that was added makes the column
      // divisible.
      const rounding = at < limbs ? 0n : 1n << BigInt(limbBits - 1);
      const least = (1n << 63n) - (at === 0 ? 0n : excess);
      return shiftLanes('shr64', lanes('add64', get(carry), everyWord64(least + rounding)), limbBits);
    };
    for (let at = 0; at < 2 * limbs - 1; at++) {
      const multiples = lowerOf(at, limbs)
        .filter((lower) => at >= limbs || lower < at)
        .map((lower) => lanes('low', get(itemOf(factors, lower)), digit(at - lower)));
      code.push(set(carry, sumOfNumbers([this.columnOf(at), ...multiples, ...(at === 0 ? [] : [above(at - 1)])])));
      if (at < limbs) {
        // The factor of a column depends on all terms of the lower columns. The prime times this factor makes the
        // column divisible.
        const known = itemOf(factors, at);
        code.push(
          set(known, within32(lanes('mul32', narrow(get(carry)), factor), limbBits)),
          set(carry, lanes('add64', get(carry), lanes('low', get(known), digit(0)))),
        );
      } else {
        code.push(set(itemOf(results, at - limbs), within32(narrow(get(carry)), limbBits)));
      }
    }
    code.push(
      set(itemOf(results, limbs - 1), narrow(lanes('add64', this.columnOf(2 * limbs - 1), above(2 * limbs - 2)))),
    );
    return [code, results.map((local, at) => storeVector(get(0), mirrored(get(local)), at * LIMB_BYTES))];
  }

  /** Subtracts multiples of the prime from a number, see `TermOperations.reduced`. @param factor number of size 1 */
  protected override withoutMultiples(frame: LocalFrame, { limbs }: Factor): Factor {
    const digits = digitsOf(this.field, this.field.prime);
    // The highest limb of the prime uses nearly all bits of a limb. Therefore, six bits of the highest limb of the
    // number determine the quotient.
    const highest = Number(this.field.prime >> BigInt(this.field.limbBits * (this.field.limbs - 1)));
    const shift = Math.floor(Math.log2(highest)) + 6;
    const inverse = Math.round(2 ** shift / highest);
    const times = frame.local();
    const rounded = lanes(
      'add32',
      lanes('mul32', limbs(this.field.limbs - 1), everyWord32(inverse)),
      everyWord32(2 ** (shift - 1)),
    );
    frame.initializers.push(set(times, shiftLanes('shrS32', rounded, shift)));
    return this.carried(frame, {
      limbs: (at) => lanes('sub32', limbs(at), lanes('mul32', get(times), everyWord32(digits[at] ?? 0))),
      size: 6,
    });
  }

  protected override carried(frame: LocalFrame, { limbs, size }: Factor): Factor {
    const { limbBits } = this.field;
    if (size > factorSizeMax(this.field)) throw new RangeError(`a sum of size ${size} does not fit in a word`);
    const half = everyWord32(1 << (limbBits - 1));
    const results = Array.from({ length: this.field.limbs }, () => frame.local());
    const carry = frame.local();
    for (const [at, local] of results.entries()) {
      const above = shiftLanes('shrS32', lanes('add32', get(carry), half), limbBits);
      frame.initializers.push(set(carry, at === 0 ? limbs(0) : lanes('add32', limbs(at), above)));
      frame.initializers.push(set(local, at === results.length - 1 ? get(carry) : within32(get(carry), limbBits)));
    }
    return { limbs: (at) => get(itemOf(results, at)), size: 1 };
  }
}

/** Reorders the four 32-bit words of each limb. Index 4 means zero. */
function word({ limbs, size }: Factor, words: Words): Factor {
  return { limbs: (at) => shuffle(limbs(at), ZERO_VECTOR, words), size };
}

/** Maximum size of a number whose limbs, each plus a carry, fit into 32-bit words. */
function factorSizeMax({ limbBits }: Field): number {
  return 2 ** (32 - limbBits) - 2;
}

/** Returns the lower halves of two 64-bit words as the first two 32-bit words. */
function narrow(a: Code): Code {
  return shuffle(a, ZERO_VECTOR, [0, 2, 0, 2]);
}

/** Returns the first two 32-bit words as signed 64-bit words. */
function wide(a: Code): Code {
  return lanes('low', a, everyWord32(1));
}

/** Returns the lowest `bits` bits of each 32-bit word as a signed number. */
function within32(a: Code, bits: number): Code {
  return shiftLanes('shrS32', shiftLanes('shl32', a, 32 - bits), 32 - bits);
}

/** Returns the four words x, y, −y and x of a limb, from a vector whose first two words are x and y. */
function mirrored(a: Code): Code {
  return lanes('sub32', vector('xor', shuffle(a, ZERO_VECTOR, [0, 1, 1, 0]), THIRD), THIRD);
}

const THIRD = vectorOf(new Uint8Array(Int32Array.of(0, 0, -1, 0).buffer));
