import {
  type Code,
  get,
  I32,
  i32,
  isAnySet,
  lanes,
  loadVector,
  set,
  shiftLanes,
  shuffle,
  storeVector,
  unary,
  V128,
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
  plus,
  times,
  type Words,
  word,
} from './complex-field.js';

/** What a sum is made with beside its terms. */
export interface Means {
  /** Brings a sum to size 1. */
  carried(factor: Factor): Factor;
  /** Takes multiples of the prime away from a number between -5 p and 5 p, until it lies between -0.6 p and 0.6 p. */
  reduced(factor: Factor): Factor;
}

/** The first two words of a number, or the last. */
type Half = 'low' | 'high';

/** What lies where a parameter says; that of the result is parameter 0. */
type Operand = (parameter: number) => Factor;

/**
 * Functions over a field's numbers. What they take are addresses; that of a result comes first and may be that of an operand. Products are
 * added up in one place, twice as long as a number, before `end` reduces them: so little code does everything, and the processor keeps it.
 * Between two sums that place holds zeros.
 */
export class ComplexFunctions {
  private readonly field: Field;
  private readonly sums: Code;

  /** @param sums address of the place where products are added up, two numbers long */
  constructor(field: Field, sums: number) {
    this.field = field;
    this.sums = i32(sums);
  }

  /** (a, b): adds a b to the sum. */
  product(name: string): WasmFunction {
    return this.productOf(name, [0, 0, 1, 1], ['low', 'high']);
  }

  /** (a, b): adds the real part of a times b. */
  scaled(name: string): WasmFunction {
    return this.productOf(name, [0, 0, 0, 0], ['low']);
  }

  /** (a, b): adds the product of the real parts and that of the imaginary ones: two numbers in one. */
  pairwise(name: string): WasmFunction {
    return this.productOf(name, [0, 1, 4, 4], ['low']);
  }

  /** (a): adds the squares of both parts. */
  pairwiseSquare(name: string): WasmFunction {
    const frame = new Frame(1, this.field);
    const whole = frame.operand(0);
    const doubled = frame.take(times(2, whole));
    return frame.function(
      name,
      this.summed((column) =>
        lowerOf(column, this.field.limbs)
          .filter((at) => 2 * at <= column)
          .map((at) => lanes('low', (2 * at === column ? whole : doubled).limbs(at), whole.limbs(column - at))),
      ),
    );
  }

  /** (a): adds a², whose parts are (x + y)(x - y) and 2 x y. */
  square(name: string): WasmFunction {
    const frame = new Frame(1, this.field);
    const whole = frame.operand(0);
    const left = frame.take(plus(word(whole, [0, 0, 4, 4]), word(whole, [1, 0, 4, 4])));
    const right = frame.take(plus(whole, word(whole, [2, 4, 4, 4])));
    return frame.function(
      name,
      this.summed((column) => this.pairs(column, ['low'], left, right)),
    );
  }

  /** (a): adds a number to what the sum is when it has been reduced. */
  addend(name: string): WasmFunction {
    const frame = new Frame(1, this.field);
    const { limbs } = frame.operand(0);
    const code = eachLimb(this.field, (at) => this.addTo(this.field.limbs + at, [wide(limbs(at))]));
    return frame.function(name, code);
  }

  /** (to): reduces the sum. */
  end(name: string): WasmFunction {
    const frame = new Frame(1, this.field);
    const columns = Array.from({ length: 2 * this.field.limbs }, (_, column) => column * LIMB_BYTES);
    return frame.function(name, [
      this.reduced(frame, (column) => loadVector(this.sums, itemOf(columns, column))),
      columns.map((at) => storeVector(this.sums, ZERO_VECTOR, at)),
    ]);
  }

  /** A sum of operands, brought to size 1. */
  linear(name: string, operands: number, make: (of: Operand, means: Means) => Factor): WasmFunction {
    const frame = new Frame(1 + operands, this.field);
    const carried = (factor: Factor) => this.carried(frame, factor);
    const reduced = (factor: Factor) => this.withoutMultiples(frame, carried(factor));
    const { limbs } = carried(make(frame.operand, { carried, reduced }));
    return frame.function(
      name,
      eachLimb(this.field, (at) => storeVector(get(0), limbs(at), at * LIMB_BYTES)),
    );
  }

  /** (a): whether it is 0; a is a sum of products to which nothing was added. */
  isZero(): WasmFunction {
    const limbs = Array.from({ length: this.field.limbs }, (_, at) => loadVector(get(0), at * LIMB_BYTES));
    return {
      name: 'isZero',
      params: [I32],
      results: [I32],
      locals: [],
      body: unary('eqz', isAnySet(limbs.reduce((or, limb) => vector('or', or, limb)))),
    };
  }

  /** @param words of a, that are multiplied by those of b @param halves words of both that are */
  private productOf(name: string, words: Words, halves: readonly Half[]): WasmFunction {
    const frame = new Frame(2, this.field);
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
    const at = column * LIMB_BYTES;
    return storeVector(this.sums, sumOf([loadVector(this.sums, at), ...terms]), at);
  }

  private pairs(column: number, halves: readonly Half[], a: Factor, b: Factor): Code[] {
    return lowerOf(column, this.field.limbs).flatMap((at) =>
      halves.map((half) => lanes(half, a.limbs(at), b.limbs(column - at))),
    );
  }

  /** Divides a sum of products by 2^(limbs × limb bits) modulo the prime, and stores it. */
  private reduced(frame: Frame, column: (at: number) => Code): Code {
    const { prime, limbs, limbBits } = this.field;
    const digits = digitsOf(this.field, prime);
    const digit = (at: number): Code => everyWord32(digits[at] ?? 0);
    const factor = everyWord32(Number(BigInt.asIntN(limbBits, negativeInverse(prime, limbBits))));
    const factors = Array.from({ length: limbs }, () => frame.local());
    const results = Array.from({ length: limbs }, () => frame.local());
    const carry = frame.local();
    const code: Code[] = [];
    /**
     * What is carried, and 2^(64 - limbBits) / 2 more: an unsigned shift is one instruction, a signed one six. What is too much is taken away
     * with the next column, and counts neither in a limb nor in a factor.
     */
    const excess = 1n << BigInt(63 - limbBits);
    const above = (at: number): Code => {
      // The lower columns are divisible when their factor's multiple has been added.
      const rounding = at < limbs ? 0n : 1n << BigInt(limbBits - 1);
      const least = (1n << 63n) - (at === 0 ? 0n : excess);
      return shiftLanes('shr64', lanes('add64', get(carry), everyWord64(least + rounding)), limbBits);
    };
    for (let at = 0; at < 2 * limbs - 1; at++) {
      const multiples = lowerOf(at, limbs)
        .filter((lower) => at >= limbs || lower < at)
        .map((lower) => lanes('low', get(itemOf(factors, lower)), digit(at - lower)));
      code.push(set(carry, sumOf([column(at), ...multiples, ...(at === 0 ? [] : [above(at - 1)])])));
      if (at < limbs) {
        // The factor of a column is known once all that is lower has been added, and makes it divisible.
        const known = itemOf(factors, at);
        code.push(
          set(known, within32(lanes('mul32', narrow(get(carry)), factor), limbBits)),
          set(carry, lanes('add64', get(carry), lanes('low', get(known), digit(0)))),
        );
      } else {
        code.push(set(itemOf(results, at - limbs), within32(narrow(get(carry)), limbBits)));
      }
    }
    code.push(set(itemOf(results, limbs - 1), narrow(lanes('add64', column(2 * limbs - 1), above(2 * limbs - 2)))));
    return [code, results.map((local, at) => storeVector(get(0), mirrored(get(local)), at * LIMB_BYTES))];
  }

  /** @param factor of size 1 */
  private withoutMultiples(frame: Frame, { limbs }: Factor): Factor {
    const digits = digitsOf(this.field, this.field.prime);
    // The highest limb of the prime is close to what a limb's worth of it is: how often it goes into another is known by six bits.
    const highest = Number(this.field.prime >> BigInt(this.field.limbBits * (this.field.limbs - 1)));
    const shift = Math.floor(Math.log2(highest)) + 6;
    const inverse = Math.round(2 ** shift / highest);
    const times = frame.local();
    const rounded = lanes(
      'add32',
      lanes('mul32', limbs(this.field.limbs - 1), everyWord32(inverse)),
      everyWord32(2 ** (shift - 1)),
    );
    frame.taken.push(set(times, shiftLanes('shrS32', rounded, shift)));
    return this.carried(frame, {
      limbs: (at) => lanes('sub32', limbs(at), lanes('mul32', get(times), everyWord32(digits[at] ?? 0))),
      size: 6,
    });
  }

  private carried(frame: Frame, { limbs, size }: Factor): Factor {
    const { limbBits } = this.field;
    if (size > factorSizeMax(this.field)) throw new RangeError(`a sum of size ${size} does not fit in a word`);
    const half = everyWord32(1 << (limbBits - 1));
    const results = Array.from({ length: this.field.limbs }, () => frame.local());
    const carry = frame.local();
    for (const [at, local] of results.entries()) {
      const above = shiftLanes('shrS32', lanes('add32', get(carry), half), limbBits);
      frame.taken.push(set(carry, at === 0 ? limbs(0) : lanes('add32', limbs(at), above)));
      frame.taken.push(set(local, at === results.length - 1 ? get(carry) : within32(get(carry), limbBits)));
    }
    return { limbs: (at) => get(itemOf(results, at)), size: 1 };
  }
}

/** Locals of a function behind its parameters, and what is taken into them at its begin. */
class Frame {
  readonly taken: Code[] = [];
  private readonly field: Field;
  private readonly parameters: number;
  private next: number;
  private readonly parts = new Map<number, Factor>();

  constructor(parameters: number, field: Field) {
    this.parameters = parameters;
    this.next = parameters;
    this.field = field;
  }

  local(): number {
    return this.next++;
  }

  take({ limbs, size }: Factor): Factor {
    const first = this.next;
    this.next += this.field.limbs;
    this.taken.push(eachLimb(this.field, (at) => set(first + at, limbs(at))));
    return { limbs: (at) => get(first + at), size };
  }

  readonly operand: Operand = (parameter) => {
    const address = get(parameter);
    const known =
      this.parts.get(parameter) ?? this.take({ limbs: (at) => loadVector(address, at * LIMB_BYTES), size: 1 });
    this.parts.set(parameter, known);
    return known;
  };

  function(name: string, body: Code): WasmFunction {
    return {
      name,
      params: new Array<number>(this.parameters).fill(I32),
      results: [],
      locals: new Array<number>(this.next - this.parameters).fill(V128),
      body: [this.taken, body],
    };
  }
}

function eachLimb({ limbs }: Field, code: (at: number) => Code): Code {
  return Array.from({ length: limbs }, (_, at) => code(at));
}

function sumOf([first = ZERO_VECTOR, ...others]: readonly Code[]): Code {
  return others.reduce((sum, term) => lanes('add64', sum, term), first);
}

/** Sizes that a word of 32 bits holds, with what is carried. */
function factorSizeMax({ limbBits }: Field): number {
  return 2 ** (32 - limbBits) - 2;
}

/** The lower words of two of 64 bits, as the first two of 32. */
function narrow(a: Code): Code {
  return shuffle(a, ZERO_VECTOR, [0, 2, 0, 2]);
}

/** The first two words of 32 bits as two of 64. */
function wide(a: Code): Code {
  return lanes('low', a, everyWord32(1));
}

/** The lower bits of a word as a number that may be negative. */
function within32(a: Code, bits: number): Code {
  return shiftLanes('shrS32', shiftLanes('shl32', a, 32 - bits), 32 - bits);
}

/** Of a and b: a, b, -b and a. */
function mirrored(a: Code): Code {
  return lanes('sub32', vector('xor', shuffle(a, ZERO_VECTOR, [0, 1, 1, 0]), THIRD), THIRD);
}

const THIRD = vectorOf(new Uint8Array(Int32Array.of(0, 0, -1, 0).buffer));

function everyWord64(value: bigint): Code {
  return vectorOf(new Uint8Array(BigInt64Array.of(BigInt.asIntN(64, value), BigInt.asIntN(64, value)).buffer));
}
