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

/** What a sum is made with beside its terms. */
export interface Means {
  /** Brings a sum to size 1. */
  carried(factor: Factor): Factor;
  /** Takes multiples of the prime away from a number between -5 p and 5 p, until it lies between -0.6 p and 0.6 p. */
  reduced(factor: Factor): Factor;
}

/** What lies where a parameter says; that of the result is parameter 0. */
type Operand = (parameter: number) => Factor;

/**
 * Functions over a field's numbers. What they take are addresses; that of a result comes first and may be that of an
 * operand. Products are added up in one place, twice as long as a number, before `end` reduces them: so little code
 * does everything, and the processor keeps it. Between two sums that place holds zeros.
 */
export abstract class NumberFunctions {
  protected readonly field: Field;
  private readonly sums: Code;

  constructor(field: Field, sums: number) {
    this.field = field;
    this.sums = i32(sums);
  }

  /** (a, b): adds a b to the sum. */
  abstract product(name: string): WasmFunction;
  /** (a, b): adds the real part of a times b. */
  abstract scaled(name: string): WasmFunction;
  /** (a, b): adds the product of the real parts and that of the imaginary ones: two numbers in one. */
  abstract pairwise(name: string): WasmFunction;
  /** (a): adds the squares of both parts. */
  abstract pairwiseSquare(name: string): WasmFunction;
  /** (a): adds a², whose parts are (x + y)(x - y) and 2 x y. */
  abstract square(name: string): WasmFunction;
  /** (a): adds a number to what the sum is when it has been reduced. */
  abstract addend(name: string): WasmFunction;
  /** (to): divides the sum by 2^(limbs × limb bits) modulo the prime. */
  abstract end(name: string): WasmFunction;
  /** Locals that hold a number brought to size 1. */
  protected abstract carried(frame: LocalFrame, factor: Factor): Factor;
  /** The same without multiples of the prime. @param factor of size 1 */
  protected abstract withoutMultiples(frame: LocalFrame, factor: Factor): Factor;

  /** A sum of operands, brought to size 1. */
  linear(name: string, operands: number, make: (of: Operand, means: Means) => Factor): WasmFunction {
    const frame = new LocalFrame(1 + operands, this.field);
    const carried = (factor: Factor) => this.carried(frame, factor);
    const reduced = (factor: Factor) => this.withoutMultiples(frame, carried(factor));
    const { limbs } = carried(make(frame.operand, { carried, reduced }));
    return frame.function(
      name,
      eachNumberLimb(this.field, (at) => storeVector(get(0), limbs(at), at * LIMB_BYTES)),
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

  /** What the sum has in a column so far. */
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

/** Locals of a function behind its parameters, and what is taken into them at its begin. */
export class LocalFrame {
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

  take({ limbs, size, form }: Factor): Factor {
    const first = this.next;
    this.next += this.field.limbs;
    this.taken.push(eachNumberLimb(this.field, (at) => set(first + at, limbs(at))));
    return { limbs: (at) => get(first + at), size, form };
  }

  readonly operand: Operand = (parameter) => {
    const address = get(parameter);
    const { form } = this.field;
    const known =
      this.parts.get(parameter) ?? this.take({ limbs: (at) => loadVector(address, at * LIMB_BYTES), size: 1, form });
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

export function eachNumberLimb({ limbs }: Field, code: (at: number) => Code): Code {
  return Array.from({ length: limbs }, (_, at) => code(at));
}

/** A sum of words of 64 bits. */
export function sumOfNumbers([first = ZERO_VECTOR, ...others]: readonly Code[]): Code {
  return others.reduce((sum, term) => lanes('add64', sum, term), first);
}

export function everyWord64(value: bigint): Code {
  return vectorOf(new Uint8Array(BigInt64Array.of(BigInt.asIntN(64, value), BigInt.asIntN(64, value)).buffer));
}
