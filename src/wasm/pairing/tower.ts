import { type Code, call, copyBytes, get, I32, i32, op, type WasmFunction } from '../assembler.js';
import {
  ComplexFunctions,
  conjugate,
  type Factor,
  type Field,
  type Means,
  minus,
  numberBytes,
  plus,
  times,
  turned,
} from './complex-field.js';

/**
 * The field that pairings lie in: sums of f0 to f5 times powers of w, whose sixth power is the constant ξ of the twist, each a number of
 * `complex-field.ts`; they lie behind each other. And the steps of a Miller loop on the twist, where a point is x / z, y / z.
 */
export const DEGREE = 6;

/** Parts of the product of a number of the field and a line: what of the line stands at which power of w. */
type LinePowers = readonly [number, number, number];

/** What differs from curve to curve. */
interface Tower {
  readonly field: Field;
  /** ξ times a number. */
  readonly timesXi: (a: Factor, means: Means) => Factor;
  /** Powers of w that a line's parts stand at: that of y, of x, and the rest. */
  readonly linePowers: LinePowers;
}

/** Places of one number each at the begin of the memory: what is computed with, the sum of products, then constants. */
const SUMS = 3 * DEGREE;
export const ONE = SUMS + 2;
export const TWO = ONE + 1;
export const MINUS_TWO = ONE + 2;
/** Three times the constant of the twist's equation. */
export const THREE_B = ONE + 3;
export const PLACES_END = ONE + 4;

export function towerFunctions(tower: Tower): readonly WasmFunction[] {
  const functions = numberFunctions(tower);
  const bytes = numberBytes(tower.field);
  const run = (name: string, ...operands: Code[]): Code => {
    const index = functions.findIndex((one) => one.name === name);
    if (index < 0) throw new RangeError(`there is no function ${name}`);
    return call(index, ...operands);
  };
  const made = new Composer(bytes, run, tower.linePowers);
  return [
    ...functions,
    made.multiply(),
    made.square(),
    made.lessProduct(),
    made.multiplyTower(),
    made.squareTower(),
    made.squareCyclotomic(),
    made.multiplyByLine(),
    made.doubleStep(),
    made.addStep(),
  ];
}

/** Numbers of the functions that others call, by name. */
function numberFunctions({ field, timesXi }: Tower): readonly WasmFunction[] {
  const make = new ComplexFunctions(field, SUMS * numberBytes(field));
  return [
    make.product('begin', 'begins'),
    make.product('add', 'adds'),
    make.scaled('beginScaled', 'begins'),
    make.scaled('addScaled', 'adds'),
    make.square('beginSquare'),
    make.end('end', 'none'),
    make.end('endAdded', 'added'),
    make.linear('timesXi', 1, (of, means) => timesXi(of(1), means)),
    make.linear('twice', 1, (of) => times(2, of(1))),
    make.linear('threeTimes', 1, (of) => times(3, of(1))),
    make.linear('sixTimes', 1, (of) => times(6, of(1))),
    make.linear('plus', 2, (of) => plus(of(1), of(2))),
    make.linear('minus', 2, (of) => minus(of(1), of(2))),
    make.linear('negate', 1, (of) => times(-1, of(1))),
    make.linear('conjugate', 1, (of) => conjugate(of(1))),
    /** a + b - 2 c */
    make.linear('plusLessTwice', 3, (of) => minus(plus(of(1), of(2)), times(2, of(3)))),
    make.isZero(),
  ];
}

/**
 * ξ = 9 + i, of BN254: sums of ten limbs would not fit in a word. Were ten times a number not reduced, products with it could grow from one
 * to the next; as it is, a sum of six adds 0.1 p to the 0.5 p that are left of any sum.
 */
export function timesNinePlusI(a: Factor, { reduced }: Means): Factor {
  return plus(times(3, reduced(times(3, a))), turned(a));
}

type Run = (name: string, ...operands: Code[]) => Code;
type SixParts = [Code, Code, Code, Code, Code, Code];

/** Functions that call those of numbers. */
class Composer {
  private readonly bytes: number;
  private readonly run: Run;
  private readonly linePowers: LinePowers;

  constructor(bytes: number, run: Run, linePowers: LinePowers) {
    this.bytes = bytes;
    this.run = run;
    this.linePowers = linePowers;
  }

  /** (to, a, b): a b */
  multiply(): WasmFunction {
    return this.composed('multiply', 3, [this.product(get(0), get(1), get(2))]);
  }

  /** (to, a): a² */
  square(): WasmFunction {
    return this.composed('square', 2, [this.run('beginSquare', get(1)), this.run('end', get(0))]);
  }

  /** (to, a, b, c): a - b c */
  lessProduct(): WasmFunction {
    return this.composed('lessProduct', 4, [this.differenceOfProduct(get(0), get(1), get(2), get(3))]);
  }

  /** (to, f, g): f g */
  multiplyTower(): WasmFunction {
    const { run } = this;
    const [result, xi] = [this.scratch(0), this.scratch(DEGREE)];
    const factors = (power: number): [Code, Code][] =>
      Array.from({ length: DEGREE }, (_, at) => [
        this.part(get(1), at),
        at <= power ? this.part(get(2), power - at) : xi(power - at + DEGREE),
      ]);
    return this.composed('multiplyTower', 3, [
      [1, 2, 3, 4, 5].map((at) => run('timesXi', xi(at), this.part(get(2), at))),
      Array.from({ length: DEGREE }, (_, power) => this.sum(result(power), ...factors(power))),
      copyBytes(get(0), result(0), i32(DEGREE * this.bytes)),
    ]);
  }

  /** (to, f): f² */
  squareTower(): WasmFunction {
    const { run } = this;
    const [result, xi] = [this.scratch(0), this.scratch(DEGREE)];
    const [f0, f1, f2, f3, f4, f5] = this.parts(get(1));
    const twice = this.scratch(2 * DEGREE);
    const [xi3, xi4, xi5] = [xi(3), xi(4), xi(5)];
    return this.composed('squareTower', 2, [
      [3, 4, 5].map((at) => run('timesXi', xi(at), this.part(get(1), at))),
      [0, 1, 2, 3, 4].map((at) => run('twice', twice(at), this.part(get(1), at))),
      this.squareAndSum(result(0), f0, [f3, xi3], [twice(1), xi5], [twice(2), xi4]),
      this.sum(result(1), [twice(0), f1], [twice(2), xi5], [twice(3), xi4]),
      this.squareAndSum(result(2), f1, [f4, xi4], [twice(0), f2], [twice(3), xi5]),
      this.sum(result(3), [twice(0), f3], [twice(1), f2], [twice(4), xi5]),
      this.squareAndSum(result(4), f2, [f5, xi5], [twice(0), f4], [twice(1), f3]),
      this.sum(result(5), [twice(0), f5], [twice(1), f4], [twice(2), f3]),
      copyBytes(get(0), result(0), i32(DEGREE * this.bytes)),
    ]);
  }

  /** (to, f): f², where the power p⁴ - p² + 1 of f is 1. Source: Granger, Scott, "Faster squaring in the cyclotomic subgroup", 3.2. */
  squareCyclotomic(): WasmFunction {
    const { run } = this;
    const [result, xi] = [this.scratch(0), this.scratch(DEGREE)];
    const [f0, f1, f2, f3, f4, f5] = this.parts(get(1));
    const [triple, temp] = [this.scratch(2 * DEGREE)(0), this.scratch(2 * DEGREE)(1)];
    // 3 a² + 3 ξ b² - 2 c. What is added to a sum is not reduced: that c is multiplied by 2 keeps it from growing from square to square.
    const even = (power: number, a: Code, b: Code, xiB: Code, c: Code): Code => [
      run('threeTimes', triple, a),
      run('threeTimes', temp, b),
      run('begin', triple, a),
      run('add', temp, xiB),
      run('addScaled', this.place(MINUS_TWO), c),
      run('end', result(power)),
    ];
    // 6 a b + 2 c
    const odd = (power: number, a: Code, b: Code, c: Code): Code => [
      run('sixTimes', temp, a),
      run('begin', temp, b),
      run('addScaled', this.place(TWO), c),
      run('end', result(power)),
    ];
    return this.composed('squareCyclotomic', 2, [
      [3, 4, 5].map((at) => run('timesXi', xi(at), this.part(get(1), at))),
      even(0, f0, f3, xi(3), f0),
      odd(1, f2, xi(5), f1),
      even(2, f1, f4, xi(4), f2),
      odd(3, f0, f3, f3),
      even(4, f2, f5, xi(5), f4),
      odd(5, f1, f4, f5),
      copyBytes(get(0), result(0), i32(DEGREE * this.bytes)),
    ]);
  }

  /** (f, line, point): f times a line's value at a point, both its coordinates. */
  multiplyByLine(): WasmFunction {
    const { run } = this;
    const [result, scaled, xi] = [this.scratch(0), this.scratch(DEGREE), this.scratch(DEGREE + 3)];
    const [x, y] = [this.part(get(2), 0), this.part(get(2), 1)];
    const factors = (power: number): [Code, Code][] =>
      this.linePowers.map((of, at) => [
        this.part(get(0), (power - of + DEGREE) % DEGREE),
        of <= power ? scaled(at) : xi(at),
      ]);
    return this.composed('multiplyByLine', 3, [
      run('beginScaled', y, this.part(get(1), 0)),
      run('end', scaled(0)),
      run('beginScaled', x, this.part(get(1), 1)),
      run('end', scaled(1)),
      copyBytes(scaled(2), this.part(get(1), 2), i32(this.bytes)),
      this.linePowers.map((power, at) => (power === 0 ? [] : run('timesXi', xi(at), scaled(at)))),
      Array.from({ length: DEGREE }, (_, power) => this.sum(result(power), ...factors(power))),
      copyBytes(get(0), result(0), i32(DEGREE * this.bytes)),
    ]);
  }

  /**
   * (point, line): doubles a point and writes the line that touches it, which at (x, y) is -2 Y Z y, 3 X² x and 3 b Z² - Y².
   * Source: Aranha and others, "Faster explicit formulas for computing pairings over ordinary curves", 4, all four times as much.
   */
  doubleStep(): WasmFunction {
    const { run } = this;
    const [x, y, z] = this.parts(get(0));
    const [l0, l1, l2] = this.parts(get(1));
    const [a, b, e, f, g, h] = [0, 1, 2, 3, 4, 5].map(this.scratch(0)) as SixParts;
    const square = (to: Code, of: Code) => [run('beginSquare', of), run('end', to)];
    return this.composed('doubleStep', 2, [
      this.product(a, x, y),
      square(b, y),
      square(e, z),
      this.product(e, e, this.place(THREE_B)),
      this.product(h, y, z),
      run('twice', h, h),
      run('negate', l0, h),
      square(l1, x),
      run('threeTimes', l1, l1),
      run('minus', l2, e, b),
      run('threeTimes', f, e),
      run('minus', g, b, f),
      run('twice', a, a),
      this.product(x, a, g),
      run('plus', g, b, f),
      run('beginSquare', g),
      run('negate', f, f),
      run('twice', f, f),
      run('twice', e, e),
      run('add', f, e),
      run('end', y),
      run('twice', h, h),
      run('twice', h, h),
      this.product(z, b, h),
    ]);
  }

  /**
   * (point, other, line): adds another point, whose z is 1, and writes the line through both. Where x is the same, z becomes 0 and stays so.
   * Source: Costello, Lange, Naehrig, "Faster pairing computations on curves with high-degree twists", 5.
   */
  addStep(): WasmFunction {
    const { run } = this;
    const [x, y, z] = this.parts(get(0));
    const [otherX, otherY] = this.parts(get(1));
    const [lambda, minusTheta, rest] = this.parts(get(2));
    const [theta, c, d, e, g, h] = [0, 1, 2, 3, 4, 5].map(this.scratch(0)) as SixParts;
    return this.composed('addStep', 3, [
      this.differenceOfProduct(theta, y, otherY, z),
      this.differenceOfProduct(lambda, x, otherX, z),
      run('negate', minusTheta, theta),
      run('beginSquare', theta),
      run('end', c),
      run('beginSquare', lambda),
      run('end', d),
      this.product(e, lambda, d),
      this.product(c, z, c),
      this.product(g, x, d),
      run('plusLessTwice', h, e, c, g),
      this.product(x, lambda, h),
      run('minus', h, h, g),
      this.product(c, minusTheta, h),
      this.differenceOfProduct(y, c, e, y),
      this.product(z, z, e),
      this.product(c, theta, otherX),
      this.differenceOfProduct(rest, c, lambda, otherY),
    ]);
  }

  private product(to: Code, a: Code, b: Code): Code {
    return [this.run('begin', a, b), this.run('end', to)];
  }

  /** a - b c; `to` is not c */
  private differenceOfProduct(to: Code, a: Code, b: Code, c: Code): Code {
    const temp = this.scratch(2 * DEGREE)(0);
    return [this.run('negate', temp, b), this.run('begin', temp, c), this.run('endAdded', to, a)];
  }

  private sum(to: Code, ...pairs: readonly (readonly [Code, Code])[]): Code {
    return [pairs.map(([a, b], at) => this.run(at === 0 ? 'begin' : 'add', a, b)), this.run('end', to)];
  }

  private squareAndSum(to: Code, root: Code, ...pairs: readonly (readonly [Code, Code])[]): Code {
    return [this.run('beginSquare', root), pairs.map(([a, b]) => this.run('add', a, b)), this.run('end', to)];
  }

  private composed(name: string, parameters: number, body: Code): WasmFunction {
    return { name, params: new Array<number>(parameters).fill(I32), results: [], locals: [], body };
  }

  private parts(address: Code): [Code, Code, Code, Code, Code, Code] {
    return [0, 1, 2, 3, 4, 5].map((at) => this.part(address, at)) as [Code, Code, Code, Code, Code, Code];
  }

  private part(address: Code, at: number): Code {
    return at === 0 ? address : op('add', address, i32(at * this.bytes));
  }

  private place(number: number): Code {
    return i32(number * this.bytes);
  }

  private scratch(first: number): (at: number) => Code {
    return (at) => i32((first + at) * this.bytes);
  }
}
