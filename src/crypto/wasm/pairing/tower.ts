import { type Code, copyMemoryBytes, get, i32, type WasmFunction } from '../assembler.js';
import {
  conjugate,
  type Factor,
  type Field,
  minusComplex,
  numberBytes,
  plusComplex,
  timesComplex,
  turned,
} from './complex-field.js';
import {
  addNumbers,
  Composer,
  composeProduct,
  composeSquare,
  ONE_TERM,
  type SixParts,
  scaled,
  type Term,
} from './composer.js';
import type { NumberFunctions, TermOperations } from './number-functions.js';

/**
 * Degree of the pairing field over the numbers of `complex-field.ts`. An element is the sum of f0 to f5 times powers of
 * w, where w⁶ is the constant ξ of the twist. f0 to f5 are consecutive in memory. This file also contains the steps of
 * a Miller loop on the twist, where the coordinates of a point are x / z and y / z.
 */
export const DEGREE = 6;

/** Powers of w by which the three coefficients of a line are multiplied. */
type LinePowers = readonly [number, number, number];

/** Parameters of a curve. */
export interface Tower {
  readonly field: Field;
  /** Multiplies a number by ξ. */
  readonly timesXi: (a: Factor, means: TermOperations) => Factor;
  /** Powers of w of the coefficients of a line: that of y, that of x, and the rest. */
  readonly linePowers: LinePowers;
  /** Set if lines are monic: the coefficient at w³ is one, and the other two are at w² and 1. */
  readonly hasMonicLines?: boolean;
  /** Additional number functions and composed functions of this curve. */
  readonly numbers?: (make: NumberFunctions) => readonly WasmFunction[];
  readonly compose?: (made: Composer) => void;
}

/** Index of the constant that is three times the constant of the twist equation. It follows the number 1. */
export const THREE_B: number = ONE_TERM + 1;
export const TOWER_MEMORY_END: number = ONE_TERM + 2;

export function towerFunctions(tower: Tower): readonly WasmFunction[] {
  const made = new Composer(tower.field, (make) => [
    make.linear('timesXi', 1, (of, means) => tower.timesXi(of(1), means)),
    /** Computes 3 a - 2 b reduced, and 2 (3 a + b) reduced before the doubling. */
    make.linear('threeTimesLessTwice', 2, (of, { reduced }) =>
      reduced(minusComplex(timesComplex(3, of(1)), timesComplex(2, of(2)))),
    ),
    make.linear('sixTimesAndTwice', 2, (of, { reduced }) =>
      timesComplex(2, reduced(plusComplex(timesComplex(3, of(1)), of(2)))),
    ),
    make.linear('conjugate', 1, (of) => conjugate(of(1))),
    /** Computes a + b - 2 c. */
    make.linear('plusLessTwice', 3, (of) => minusComplex(plusComplex(of(1), of(2)), timesComplex(2, of(3)))),
    ...(tower.numbers?.(make) ?? []),
  ]);
  addNumbers(made);
  const towers = new Towers(made, tower);
  towers.multiply();
  towers.square();
  towers.squareCyclotomic();
  towers.multiplyByLine();
  if (tower.hasMonicLines === true) towers.multiplyByMonicLine();
  towers.doubleStep();
  towers.addStep();
  tower.compose?.(made);
  return made.all();
}

/**
 * Multiplies by ξ = 9 + i of BN254. The intermediate result of ten times a number is reduced. Otherwise sums of ten
 * limbs would overflow a word, and results of consecutive products could grow. With the reduction, a sum of six such
 * terms adds 0.1 p to the 0.5 p of any sum.
 */
export function timesNinePlusI(a: Factor, { reduced }: TermOperations): Factor {
  return plusComplex(timesComplex(3, reduced(timesComplex(3, a))), turned(a));
}

/** Multiplies by ξ = 1 + i of BLS12-381, whose limbs have enough spare bits. */
export function timesOnePlusI(a: Factor): Factor {
  return plusComplex(a, turned(a));
}

/** Composes functions for towers and points of the twist. */
class Towers {
  private readonly made: Composer;
  private readonly bytes: number;
  private readonly linePowers: LinePowers;

  constructor(made: Composer, { field, linePowers }: Tower) {
    this.made = made;
    this.bytes = numberBytes(field);
    this.linePowers = linePowers;
  }

  /** WebAssembly function `multiplyTower(to, f, g)`. Computes f g. */
  multiply(): void {
    const { made } = this;
    const xi = (at: number) => made.scratch(DEGREE + at);
    const factors = (power: number): Term[] =>
      Array.from({ length: DEGREE }, (_, at) =>
        composeProduct(made.part(get(1), at), at <= power ? made.part(get(2), power - at) : xi(power - at + DEGREE)),
      );
    made.add(
      'multiplyTower',
      3,
      [1, 2, 3, 4, 5].map((at) => made.run('timesXi', xi(at), made.part(get(2), at))),
      Array.from({ length: DEGREE }, (_, power) => made.sum(made.scratch(power), ...factors(power))),
      this.copyResult(),
    );
  }

  /** WebAssembly function `squareTower(to, f)`. Computes f². */
  square(): void {
    const { made } = this;
    const [f0, f1, f2, f3, f4, f5] = made.parts(get(1));
    const twice = (at: number) => made.scratch(2 * DEGREE + at);
    const [xi3, xi4, xi5] = this.timesXi();
    const result = made.scratch.bind(made);
    made.add(
      'squareTower',
      2,
      this.highTimesXi(),
      [0, 1, 2, 3, 4].map((at) => made.run('twice', twice(at), made.part(get(1), at))),
      made.sum(
        result(0),
        composeSquare(f0),
        composeProduct(f3, xi3),
        composeProduct(twice(1), xi5),
        composeProduct(twice(2), xi4),
      ),
      made.sum(result(1), composeProduct(twice(0), f1), composeProduct(twice(2), xi5), composeProduct(twice(3), xi4)),
      made.sum(
        result(2),
        composeSquare(f1),
        composeProduct(f4, xi4),
        composeProduct(twice(0), f2),
        composeProduct(twice(3), xi5),
      ),
      made.sum(result(3), composeProduct(twice(0), f3), composeProduct(twice(1), f2), composeProduct(twice(4), xi5)),
      made.sum(
        result(4),
        composeSquare(f2),
        composeProduct(f5, xi5),
        composeProduct(twice(0), f4),
        composeProduct(twice(1), f3),
      ),
      made.sum(result(5), composeProduct(twice(0), f5), composeProduct(twice(1), f4), composeProduct(twice(2), f3)),
      this.copyResult(),
    );
  }

  /**
   * WebAssembly function `squareCyclotomic(to, f)`. Computes f², if f^(p⁴ - p² + 1) is 1. Each part of the result is
   * three times a reduced sum minus an unreduced number. Without another reduction, repeated squares would grow.
   * Therefore the result is reduced again. Source: Granger, Scott, "Faster squaring in the cyclotomic subgroup", 3.2.
   */
  squareCyclotomic(): void {
    const { made } = this;
    const [f0, f1, f2, f3, f4, f5] = made.parts(get(1));
    const [xi3, xi4, xi5] = this.timesXi();
    const sum = made.scratch(2 * DEGREE);
    // Computes 3 (a² + ξ b²) - 2 c.
    const even = (power: number, a: Code, b: Code, xiB: Code, c: Code): Code => [
      made.sum(sum, composeSquare(a), composeProduct(b, xiB)),
      made.run('threeTimesLessTwice', made.scratch(power), sum, c),
    ];
    // Computes 6 a b + 2 c.
    const odd = (power: number, a: Code, b: Code, c: Code): Code => [
      made.sum(sum, composeProduct(a, b)),
      made.run('sixTimesAndTwice', made.scratch(power), sum, c),
    ];
    made.add(
      'squareCyclotomic',
      2,
      this.highTimesXi(),
      even(0, f0, f3, xi3, f0),
      odd(1, f2, xi5, f1),
      even(2, f1, f4, xi4, f2),
      odd(3, f0, f3, f3),
      even(4, f2, f5, xi5, f4),
      odd(5, f1, f4, f5),
      this.copyResult(),
    );
  }

  /** WebAssembly function `multiplyByLine(f, line, point)`. Multiplies f by the value of a line at a point. */
  multiplyByLine(): void {
    const { made } = this;
    const [parts, xi] = [
      [0, 1, 2],
      [3, 4, 5],
    ].map((indexes) => indexes.map((at) => made.scratch(DEGREE + at))) as [SixParts, SixParts];
    const [x, y] = made.parts(get(2));
    const [ofY, ofX, rest] = made.parts(get(1));
    const factors = (power: number): Term[] =>
      this.linePowers.map((of, at) =>
        composeProduct(made.part(get(0), (power - of + DEGREE) % DEGREE), (of <= power ? parts : xi)[at] as Code),
      );
    made.add(
      'multiplyByLine',
      3,
      made.sum(parts[0], scaled(y, ofY)),
      made.sum(parts[1], scaled(x, ofX)),
      copyMemoryBytes(parts[2], rest, i32(this.bytes)),
      this.linePowers.map((power, at) => (power === 0 ? [] : made.run('timesXi', xi[at] as Code, parts[at] as Code))),
      Array.from({ length: DEGREE }, (_, power) => made.sum(made.scratch(power), ...factors(power))),
      this.copyResult(),
    );
  }

  /**
   * multiplyByMonicLine(f, line, ratios): multiplies f by w³ + a r w² + b s, for a line a, b and real numbers r, s.
   * Parts of f are added after the reduction, so the absolute value of the result is at most the prime plus twice that
   * of f.
   */
  multiplyByMonicLine(): void {
    const { made } = this;
    const [a, b, xiA] = [0, 1, 2].map((at) => made.scratch(DEGREE + at)) as SixParts;
    const xiF = (at: number): Code => made.scratch(DEGREE + at);
    const [ofA, ofB] = made.parts(get(1));
    const [r, s] = made.parts(get(2));
    made.add(
      'multiplyByMonicLine',
      3,
      made.sum(a, scaled(r, ofA)),
      made.sum(b, scaled(s, ofB)),
      made.run('timesXi', xiA, a),
      [3, 4, 5].map((at) => made.run('timesXi', xiF(at), made.part(get(0), at))),
      Array.from({ length: DEGREE }, (_, power) =>
        made.sumAnd(
          power < 3 ? xiF(power + 3) : made.part(get(0), power - 3),
          made.scratch(power),
          composeProduct(made.part(get(0), power), b),
          composeProduct(made.part(get(0), (power - 2 + DEGREE) % DEGREE), power < 2 ? xiA : a),
        ),
      ),
      this.copyResult(),
    );
  }

  /**
   * WebAssembly function `doubleStep(point, line)`. Doubles a point and writes its tangent, whose value at (x, y) has
   * the parts -2 Y Z y, 3 X² x and 3 b Z² - Y². Source: Aranha and others, "Faster explicit formulas for computing
   * pairings over ordinary curves", 4, with all values multiplied by four.
   */
  doubleStep(): void {
    const { made } = this;
    const [x, y, z] = made.parts(get(0));
    const [l0, l1, l2] = made.parts(get(1));
    const [a, b, e, f, g, h] = [0, 1, 2, 3, 4, 5].map((at) => made.scratch(at)) as SixParts;
    made.add(
      'doubleStep',
      2,
      made.sum(a, composeProduct(x, y)),
      made.sum(b, composeSquare(y)),
      made.sum(e, composeSquare(z)),
      made.sum(e, composeProduct(e, made.offsetOf(THREE_B))),
      made.sum(h, composeProduct(y, z)),
      made.run('twice', h, h),
      made.run('negate', l0, h),
      made.sum(l1, composeSquare(x)),
      made.run('threeTimes', l1, l1),
      made.run('minus', l2, e, b),
      made.run('threeTimes', f, e),
      made.run('minus', g, b, f),
      made.run('twice', a, a),
      made.sum(x, composeProduct(a, g)),
      made.run('plus', g, b, f),
      made.run('negate', f, f),
      made.run('twice', f, f),
      made.run('twice', e, e),
      made.sum(y, composeSquare(g), composeProduct(f, e)),
      made.run('twice', h, h),
      made.run('twice', h, h),
      made.sum(z, composeProduct(b, h)),
    );
  }

  /**
   * WebAssembly function `addStep(point, other, line)`. Adds another point with z = 1, and writes the line through
   * both. If both have the same x, z becomes 0 and stays 0. Source: Costello, Lange, Naehrig, "Faster pairing
   * computations on curves with high-degree twists", 5.
   */
  addStep(): void {
    const { made } = this;
    const [x, y, z] = made.parts(get(0));
    const [otherX, otherY] = made.parts(get(1));
    const [lambda, minusTheta, rest] = made.parts(get(2));
    const [theta, c, d, e, g, h] = [0, 1, 2, 3, 4, 5].map((at) => made.scratch(at)) as SixParts;
    made.add(
      'addStep',
      3,
      made.differenceOfProduct(theta, y, otherY, z),
      made.differenceOfProduct(lambda, x, otherX, z),
      made.run('negate', minusTheta, theta),
      made.sum(c, composeSquare(theta)),
      made.sum(d, composeSquare(lambda)),
      made.sum(e, composeProduct(lambda, d)),
      made.sum(c, composeProduct(z, c)),
      made.sum(g, composeProduct(x, d)),
      made.run('plusLessTwice', h, e, c, g),
      made.sum(x, composeProduct(lambda, h)),
      made.run('minus', h, h, g),
      made.sum(c, composeProduct(minusTheta, h)),
      made.differenceOfProduct(y, c, e, y),
      made.sum(z, composeProduct(z, e)),
      made.sum(c, composeProduct(theta, otherX)),
      made.differenceOfProduct(rest, c, lambda, otherY),
    );
  }

  /** Computes ξ times the three highest parts of f. */
  private highTimesXi(): Code {
    const { made } = this;
    return this.timesXi().map((to, at) => made.run('timesXi', to, made.part(get(1), 3 + at)));
  }

  private timesXi(): [Code, Code, Code] {
    return [3, 4, 5].map((at) => this.made.scratch(DEGREE + at)) as [Code, Code, Code];
  }

  private copyResult(): Code {
    return copyMemoryBytes(get(0), this.made.scratch(0), i32(DEGREE * this.bytes));
  }
}
