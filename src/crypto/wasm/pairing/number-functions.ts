import {
  type Code,
  get,
  I32,
  i32,
  isAnySet,
  lanes,
  loadVector,
  set,
  storeVector,
  unary,
  V128,
  vector,
  vectorOf,
  type WasmFunction,
  ZERO_VECTOR,
} from '../assembler.js';
import { type Factor, type Field, LIMB_BYTES } from './complex-field.js';

/** Operations that a linear function can apply to its terms. */
interface TermOperations {
  /** Carries the limbs of a sum, so that its size is 1. */
  carried(factor: Factor): Factor;
  /**
   * Subtracts multiples of the prime p from a number between −5 × p and 5 × p. The result is between −0.6 × p and 0.6
   * × p.
   */
  reduced(factor: Factor): Factor;
}

/**
 * Returns the number whose address is the WebAssembly parameter with the index `parameter`. Index 0 is the address of
 * the result.
 */
type Operand = (parameter: number) => Factor;

/**
 * Creates functions for numbers of a field. Their parameters are addresses; the first is the address of the result.
 * The result may overwrite an operand.
 *
 * Product functions add to an accumulator, which is twice as long as a number. `end` reduces the accumulator. The
 * same few functions therefore compute every sum of products, and their code fits into the processor cache. The
 * accumulator is zero between two sums.
 */
export abstract class NumberFunctions {
  protected readonly field: Field;
  private readonly sums: Code;

  constructor(field: Field, sums: number) {
    this.field = field;
    this.sums = i32(sums);
  }

  /** WebAssembly function `name(a, b)`. Adds a × b to the accumulator. */
  abstract product(name: string): WasmFunction;
  /** WebAssembly function `name(a, b)`. Multiplies b by the real part of a, and adds the product to the accumulator. */
  abstract scaled(name: string): WasmFunction;
  /**
   * WebAssembly function `name(a, b)`. Multiplies two pairs of numbers. Adds the product of the real parts to the real
   * part of the accumulator, and the product of the imaginary parts to its imaginary part.
   */
  abstract pairwise(name: string): WasmFunction;
  /** WebAssembly function `name(a)`. Like `pairwise` with a as both operands. */
  abstract pairwiseSquare(name: string): WasmFunction;
  /**
   * WebAssembly function `name(a)`. Adds the square of a = x + y × i to the accumulator. Its parts are (x + y) × (x −
   * y) and 2 × x × y.
   */
  abstract square(name: string): WasmFunction;
  /**
   * WebAssembly function `name(a)`. Adds a × 2^(limbs × limbBits) to the accumulator. `end` divides the accumulator
   * by this power of 2, so a is an addend of the next result of `end`.
   */
  abstract addend(name: string): WasmFunction;
  /**
   * WebAssembly function `name(to)`. Divides the accumulator by 2^(limbs × limbBits) modulo the prime. Writes the
   * result to `to`, and clears the accumulator.
   */
  abstract end(name: string): WasmFunction;
  /** Carries a number to size 1, and stores the result in locals. */
  protected abstract carried(frame: LocalFrame, factor: Factor): Factor;
  /** Subtracts multiples of the prime, see `TermOperations.reduced`. @param factor number of size 1 */
  protected abstract withoutMultiples(frame: LocalFrame, factor: Factor): Factor;

  /**
   * Returns a WebAssembly function that computes a linear combination of operands and propagates the carries. The
   * result has size 1 (see `Field`).
   */
  linear(name: string, operands: number, make: (of: Operand, means: TermOperations) => Factor): WasmFunction {
    const frame = new LocalFrame(1 + operands, this.field);
    const carried = (factor: Factor) => this.carried(frame, factor);
    const reduced = (factor: Factor) => this.withoutMultiples(frame, carried(factor));
    const { limbs } = carried(make(frame.operand, { carried, reduced }));
    return frame.function(
      name,
      eachNumberLimb(this.field, (at) => storeVector(get(0), limbs(at), at * LIMB_BYTES)),
    );
  }

  /**
   * WebAssembly function `isZero(a)`. Returns 1 if a is 0, else 0. a must be the result of a sum of products without
   * an addend.
   */
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

  /** Returns code for the current value of an accumulator column. */
  protected columnOf(column: number): Code {
    return loadVector(this.sums, column * LIMB_BYTES);
  }

  protected setColumn(column: number, value: Code): Code {
    return storeVector(this.sums, value, column * LIMB_BYTES);
  }

  protected clearColumns(): Code {
    return Array.from({ length: 2 * this.field.limbs }, (_, column) => this.setColumn(column, ZERO_VECTOR));
  }
}

/** Allocates the locals of a function, and collects the code that initializes them. */
export class LocalFrame {
  readonly initializers: Code[] = [];
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
    this.initializers.push(eachNumberLimb(this.field, (at) => set(first + at, limbs(at))));
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
      body: [this.initializers, body],
    };
  }
}

export function eachNumberLimb({ limbs }: Field, code: (at: number) => Code): Code {
  return Array.from({ length: limbs }, (_, at) => code(at));
}

/** Returns code for a sum of vectors with two 64-bit words each. */
export function sumOfNumbers([first = ZERO_VECTOR, ...others]: readonly Code[]): Code {
  return others.reduce((sum, term) => lanes('add64', sum, term), first);
}

export function everyWord64(value: bigint): Code {
  return vectorOf(new Uint8Array(BigInt64Array.of(BigInt.asIntN(64, value), BigInt.asIntN(64, value)).buffer));
}
