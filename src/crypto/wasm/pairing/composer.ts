import { type Code, callFunction, get, I32, i32, op, type WasmFunction } from '../assembler.js';
import { type Field, minusComplex, numberBytes, plusComplex, timesComplex } from './complex-field.js';
import type { NumberFunctions } from './number-functions.js';

/** Places of one number each at the begin of the memory: what is computed with, the sum of products, then constants. */
const SCRATCH_PLACES = 18;
const SUMS = SCRATCH_PLACES;
export const ONE_TERM: number = SUMS + 2;

/** How two numbers are multiplied in a sum: as they are, by the real part of the first, or part by part. */
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

/** The function of each kind, and how much of a word it takes, in halves of a product. */
const KINDS: Readonly<Record<Kind, { readonly adds: string; readonly halves: number }>> = {
  product: { adds: 'addProduct', halves: 2 },
  scaled: { adds: 'addScaled', halves: 1 },
  square: { adds: 'addSquare', halves: 4 },
  pairwise: { adds: 'addPairwise', halves: 1 },
  pairwiseSquare: { adds: 'addPairwiseSquare', halves: 1 },
};

export type SixParts = [Code, Code, Code, Code, Code, Code];

/**
 * Makes functions that call those of numbers: what a sum of products is made with is called here only, so that none is
 * too long.
 */
export class Composer {
  readonly functions: readonly WasmFunction[];
  private readonly field: Field;
  private readonly bytes: number;
  private readonly composed: WasmFunction[] = [];

  /** @param more functions of numbers that a curve has beside those that all have */
  constructor(field: Field, more: (make: NumberFunctions) => readonly WasmFunction[]) {
    this.field = field;
    this.bytes = numberBytes(field);
    const make = field.form.functionsOf(field, SUMS * this.bytes);
    this.functions = [...numberFunctions(make), ...more(make)];
  }

  all(): readonly WasmFunction[] {
    return [...this.functions, ...this.composed];
  }

  /** Adds a function over addresses. */
  add(name: string, parameters: number, ...body: Code[]): void {
    this.composed.push({ name, params: new Array<number>(parameters).fill(I32), results: [], locals: [], body });
  }

  /** Calls a function of numbers. @throws {RangeError} there is none */
  run(name: string, ...operands: Code[]): Code {
    const index = this.functions.findIndex((one) => one.name === name);
    if (index < 0) throw new RangeError(`there is no function ${name}`);
    return callFunction(index, ...operands);
  }

  /** A sum of products, reduced. @throws {RangeError} it may not fit in a word */
  sum(to: Code, ...terms: readonly Term[]): Code {
    return [this.summed(terms), this.run('end', to)];
  }

  /** The same with a number that is added, and is not reduced. */
  sumAnd(addend: Code, to: Code, ...terms: readonly Term[]): Code {
    return [this.summed(terms), this.run('addend', addend), this.run('end', to)];
  }

  /** a - b c; `to` is not c */
  differenceOfProduct(to: Code, a: Code, b: Code, c: Code): Code {
    const temp = this.scratch(SCRATCH_PLACES - 1);
    return [this.run('negate', temp, b), this.sumAnd(a, to, composeProduct(temp, c))];
  }

  /** The first numbers of those behind each other. */
  parts(address: Code): SixParts {
    return [0, 1, 2, 3, 4, 5].map((at) => this.part(address, at)) as SixParts;
  }

  part(address: Code, at: number): Code {
    return at === 0 ? address : op('add', address, i32(at * this.bytes));
  }

  place(number: number): Code {
    return i32(number * this.bytes);
  }

  scratch(at: number): Code {
    if (at >= SCRATCH_PLACES) throw new RangeError(`there is no place ${at} to compute in`);
    return this.place(at);
  }

  private summed(terms: readonly Term[]): Code {
    const halves = terms.reduce((sum, { kind }) => sum + KINDS[kind].halves, 0);
    if (halves > this.field.form.halvesMax(this.field))
      throw new RangeError(`a sum of ${halves / 2} products may not fit in a word`);
    return terms.map(({ kind, operands }) => this.run(KINDS[kind].adds, ...operands));
  }
}

/** Numbers of the functions that others call, by name. Parameters are addresses, that of the result first. */
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

/** Functions of single numbers: what every curve asks for. */
export function addNumbers(made: Composer): void {
  made.add('multiply', 3, made.sum(get(0), composeProduct(get(1), get(2))));
  made.add('square', 2, made.sum(get(0), composeSquare(get(1))));
  made.add('lessProduct', 4, made.differenceOfProduct(get(0), get(1), get(2), get(3)));
}
