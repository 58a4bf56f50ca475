import { type Code, callFunction, get, I32, i32, op, type WasmFunction } from '../assembler.js';
import { type Field, minusComplex, numberBytes, plusComplex, timesComplex } from './complex-field.js';
import type { NumberFunctions } from './number-functions.js';
import { halvesMax, WordFunctions } from './word-functions.js';

/** Size of the workspace at the start of the memory, in numbers a + b × i. */
const SCRATCH_PLACES = 18;
/**
 * Index of the accumulator of products in the memory, in numbers a + b × i. The accumulator has the length of two
 * numbers.
 */
const SUMS = SCRATCH_PLACES;
/**
 * Memory index of the constant 1, which is the first constant. The index counts numbers of the form a + b × i.
 */
export const ONE_TERM: number = SUMS + 2;

/**
 * Kind of a product in a sum. `product` and `square` multiply complex numbers. `scaled` multiplies the second factor by
 * the real part of the first. `pairwise` and `pairwiseSquare` multiply real parts and imaginary parts separately.
 */
type Kind = 'product' | 'scaled' | 'pairwise' | 'square' | 'pairwiseSquare';

export interface Term {
  readonly kind: Kind;
  readonly operands: readonly Code[];
}

export const composeProduct = (a: Code, b: Code): Term => ({ kind: 'product', operands: [a, b] });
export const scaled = (a: Code, b: Code): Term => ({ kind: 'scaled', operands: [a, b] });
export const composeSquare = (a: Code): Term => ({ kind: 'square', operands: [a] });
export const pairwise = (a: Code, b: Code): Term => ({ kind: 'pairwise', operands: [a, b] });
export const pairwiseSquare = (a: Code): Term => ({ kind: 'pairwiseSquare', operands: [a] });

/**
 * For each kind: the function that adds a product to the accumulator, and the number of half products that it adds to
 * a word of the accumulator. A half product multiplies one part (real or imaginary) of a factor by one part of the
 * other factor. A square counts as four half products, because its factors are sums of two parts.
 */
const KINDS: Readonly<Record<Kind, { readonly adds: string; readonly halves: number }>> = {
  product: { adds: 'addProduct', halves: 2 },
  scaled: { adds: 'addScaled', halves: 1 },
  square: { adds: 'addSquare', halves: 4 },
  pairwise: { adds: 'addPairwise', halves: 1 },
  pairwiseSquare: { adds: 'addPairwiseSquare', halves: 1 },
};

export type SixParts = [Code, Code, Code, Code, Code, Code];

/** Composes WebAssembly functions that call number functions. Rejects sums of products that may overflow. */
export class Composer {
  readonly functions: readonly WasmFunction[];
  private readonly field: Field;
  private readonly bytes: number;
  private readonly composed: WasmFunction[] = [];

  /** Creates a composer. @param more creates the additional number functions of a curve */
  constructor(field: Field, more: (make: NumberFunctions) => readonly WasmFunction[]) {
    this.field = field;
    this.bytes = numberBytes(field);
    const make = new WordFunctions(field, SUMS * this.bytes);
    this.functions = [...numberFunctions(make), ...more(make)];
  }

  all(): readonly WasmFunction[] {
    return [...this.functions, ...this.composed];
  }

  /** Adds a function. All its parameters are addresses. */
  add(name: string, parameters: number, ...body: Code[]): void {
    this.composed.push({ name, params: new Array<number>(parameters).fill(I32), results: [], locals: [], body });
  }

  /** Returns code that calls a number function. @throws {RangeError} no number function has this name */
  run(name: string, ...operands: Code[]): Code {
    const index = this.functions.findIndex((one) => one.name === name);
    if (index < 0) throw new RangeError(`unknown function ${name}`);
    return callFunction(index, ...operands);
  }

  /** Returns code that writes a reduced sum of products. @throws {RangeError} the sum may overflow a word */
  sum(to: Code, ...terms: readonly Term[]): Code {
    return [this.summed(terms), this.run('end', to)];
  }

  /**
   * Returns code that writes a reduced sum of products plus an addend. The addend is not reduced.
   * @throws {RangeError} the sum of products may overflow a word
   */
  sumAnd(addend: Code, to: Code, ...terms: readonly Term[]): Code {
    return [this.summed(terms), this.run('addend', addend), this.run('end', to)];
  }

  /**
   * Returns code that writes a − b × c to `to`. The last number of the workspace must not be a or c, because the code
   * stores −b there.
   */
  differenceOfProduct(to: Code, a: Code, b: Code, c: Code): Code {
    const temp = this.scratch(SCRATCH_PLACES - 1);
    return [this.run('negate', temp, b), this.sumAnd(a, to, composeProduct(temp, c))];
  }

  /** Returns the addresses of six adjacent numbers, starting at an address. */
  parts(address: Code): SixParts {
    return [0, 1, 2, 3, 4, 5].map((at) => this.part(address, at)) as SixParts;
  }

  part(address: Code, at: number): Code {
    return at === 0 ? address : op('add', address, i32(at * this.bytes));
  }

  offsetOf(number: number): Code {
    return i32(number * this.bytes);
  }

  scratch(at: number): Code {
    if (at >= SCRATCH_PLACES) throw new RangeError(`workspace index ${at} is out of range`);
    return this.offsetOf(at);
  }

  private summed(terms: readonly Term[]): Code {
    const halves = terms.reduce((sum, { kind }) => sum + KINDS[kind].halves, 0);
    if (halves > halvesMax(this.field)) throw new RangeError(`a sum of ${halves / 2} products may overflow a word`);
    return terms.map(({ kind, operands }) => this.run(KINDS[kind].adds, ...operands));
  }
}

/** Creates the number functions. Their parameters are addresses; the first is the address of the result. */
function numberFunctions(make: NumberFunctions): readonly WasmFunction[] {
  return [
    make.product('addProduct'),
    make.scaled('addScaled'),
    make.square('addSquare'),
    make.addend('addend'),
    make.end('end'),
    make.linear('twice', 1, (of) => timesComplex(2, of(1))),
    make.linear('threeTimes', 1, (of) => timesComplex(3, of(1))),
    make.linear('plus', 2, (of) => plusComplex(of(1), of(2))),
    make.linear('minus', 2, (of) => minusComplex(of(1), of(2))),
    make.linear('negate', 1, (of) => timesComplex(-1, of(1))),
    make.isZero(),
  ];
}

/** Adds the functions for single numbers, which every curve uses. */
export function addNumbers(composer: Composer): void {
  composer.add('multiply', 3, composer.sum(get(0), composeProduct(get(1), get(2))));
  composer.add('square', 2, composer.sum(get(0), composeSquare(get(1))));
  composer.add('lessProduct', 4, composer.differenceOfProduct(get(0), get(1), get(2), get(3)));
}
