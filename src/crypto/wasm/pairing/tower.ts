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
import type { NumberFunctions } from './number-functions.js';

/**
 * Degree of Fp12 over Fp2 (the numbers of `complex-field.ts`). An element f of Fp12 has six parts f0 to f5, which are
 * adjacent in memory. f is the sum of each part times its power of w, and w⁶ is the constant ξ of the twist.
 *
 * This file also contains the steps of a Miller loop on the twist. In these steps, the affine coordinates of a point
 * are x / z and y / z.
 */
export const DEGREE = 6;

/** Powers of w that belong to the three coefficients of a line. */
type LinePowers = readonly [number, number, number];

/** Parameters of a curve. */
export interface Tower {
  readonly field: Field;
  /** Returns a number multiplied by ξ. */
  readonly timesXi: (a: Factor) => Factor;
  /** Powers of w for the coefficient of y, the coefficient of x, and the constant term of a line. */
  readonly linePowers: LinePowers;
  /** Creates the additional number functions of this curve. */
  readonly numbers: (make: NumberFunctions) => readonly WasmFunction[];
  readonly compose: (composer: Composer) => void;
}

/**
 * Index of the constant 3 × B in the memory, in numbers a + b × i. The constant is directly after the constant 1. B is
 * the constant of the twist equation.
 */
export const THREE_B: number = ONE_TERM + 1;
export const TOWER_MEMORY_END: number = ONE_TERM + 2;

export function towerFunctions(tower: Tower): readonly WasmFunction[] {
  const composer = new Composer(tower.field, (make) => [
    make.linear('timesXi', 1, (of) => tower.timesXi(of(1))),
    /** Computes 3 × a − 2 × b, reduced. */
    make.linear('threeTimesLessTwice', 2, (of, { reduced }) =>
      reduced(minusComplex(timesComplex(3, of(1)), timesComplex(2, of(2)))),
    ),
    make.linear('sixTimesAndTwice', 2, (of, { reduced }) =>
      timesComplex(2, reduced(plusComplex(timesComplex(3, of(1)), of(2)))),
    ),
    make.linear('conjugate', 1, (of) => conjugate(of(1))),
    /** Computes a + b − 2 × c. */
    make.linear('plusLessTwice', 3, (of) => minusComplex(plusComplex(of(1), of(2)), timesComplex(2, of(3)))),
    ...tower.numbers(make),
  ]);
  addNumbers(composer);
  const towers = new Towers(composer, tower);
  towers.multiply();
  towers.square();
  towers.squareCyclotomic();
  towers.multiplyByLine();
  towers.multiplyByMonicLine();
  towers.doubleStep();
  towers.addStep();
  tower.compose(composer);
  return composer.all();
}

/** Returns a number multiplied by ξ = 1 + i of BLS12-381. The limbs have enough spare bits for the sum. */
export function timesOnePlusI(a: Factor): Factor {
  return plusComplex(a, turned(a));
}

/** Composes the WebAssembly functions for elements of Fp12, and for points of the twist. */
class Towers {
  private readonly composer: Composer;
  private readonly bytes: number;
  private readonly linePowers: LinePowers;

  constructor(composer: Composer, { field, linePowers }: Tower) {
    this.composer = composer;
    this.bytes = numberBytes(field);
    this.linePowers = linePowers;
  }

  /** WebAssembly function `multiplyTower(to, f, g)`. Computes f × g. */
  multiply(): void {
    const { composer } = this;
    const xi = (at: number) => composer.scratch(DEGREE + at);
    const factors = (power: number): Term[] =>
      Array.from({ length: DEGREE }, (_, at) =>
        composeProduct(
          composer.part(get(1), at),
          at <= power ? composer.part(get(2), power - at) : xi(power - at + DEGREE),
        ),
      );
    composer.add(
      'multiplyTower',
      3,
      [1, 2, 3, 4, 5].map((at) => composer.run('timesXi', xi(at), composer.part(get(2), at))),
      Array.from({ length: DEGREE }, (_, power) => composer.sum(composer.scratch(power), ...factors(power))),
      this.copyResult(),
    );
  }

  /** WebAssembly function `squareTower(to, f)`. Computes f². */
  square(): void {
    const { composer } = this;
    const [f0, f1, f2, f3, f4, f5] = composer.parts(get(1));
    const twice = (at: number) => composer.scratch(2 * DEGREE + at);
    const [xi3, xi4, xi5] = this.timesXi();
    const result = composer.scratch.bind(composer);
    composer.add(
      'squareTower',
      2,
      this.highTimesXi(),
      [0, 1, 2, 3, 4].map((at) => composer.run('twice', twice(at), composer.part(get(1), at))),
      composer.sum(
        result(0),
        composeSquare(f0),
        composeProduct(f3, xi3),
        composeProduct(twice(1), xi5),
        composeProduct(twice(2), xi4),
      ),
      composer.sum(
        result(1),
        composeProduct(twice(0), f1),
        composeProduct(twice(2), xi5),
        composeProduct(twice(3), xi4),
      ),
      composer.sum(
        result(2),
        composeSquare(f1),
        composeProduct(f4, xi4),
        composeProduct(twice(0), f2),
        composeProduct(twice(3), xi5),
      ),
      composer.sum(
        result(3),
        composeProduct(twice(0), f3),
        composeProduct(twice(1), f2),
        composeProduct(twice(4), xi5),
      ),
      composer.sum(
        result(4),
        composeSquare(f2),
        composeProduct(f5, xi5),
        composeProduct(twice(0), f4),
        composeProduct(twice(1), f3),
      ),
      composer.sum(result(5), composeProduct(twice(0), f5), composeProduct(twice(1), f4), composeProduct(twice(2), f3)),
      this.copyResult(),
    );
  }

  /**
   * WebAssembly function `squareCyclotomic(to, f)`. Computes f² for f with f^(p⁴ − p² + 1) = 1. Each part of the result
   * is a multiple of a reduced sum, plus or minus twice a part of f. Without the final reduction, the parts would grow
   * with each square. Source: Granger, Scott, "Faster squaring in the cyclotomic subgroup", 3.2.
   */
  squareCyclotomic(): void {
    const { composer } = this;
    const [f0, f1, f2, f3, f4, f5] = composer.parts(get(1));
    const [xi3, xi4, xi5] = this.timesXi();
    const sum = composer.scratch(2 * DEGREE);
    // Computes 3 × (a² + ξ × b²) − 2 × c.
    const even = (power: number, a: Code, b: Code, xiB: Code, c: Code): Code => [
      composer.sum(sum, composeSquare(a), composeProduct(b, xiB)),
      composer.run('threeTimesLessTwice', composer.scratch(power), sum, c),
    ];
    // Computes 6 × a × b + 2 × c.
    const odd = (power: number, a: Code, b: Code, c: Code): Code => [
      composer.sum(sum, composeProduct(a, b)),
      composer.run('sixTimesAndTwice', composer.scratch(power), sum, c),
    ];
    composer.add(
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
    const { composer } = this;
    const [parts, xi] = [
      [0, 1, 2],
      [3, 4, 5],
    ].map((indexes) => indexes.map((at) => composer.scratch(DEGREE + at))) as [SixParts, SixParts];
    const [x, y] = composer.parts(get(2));
    const [ofY, ofX, rest] = composer.parts(get(1));
    const factors = (power: number): Term[] =>
      this.linePowers.map((of, at) =>
        composeProduct(composer.part(get(0), (power - of + DEGREE) % DEGREE), (of <= power ? parts : xi)[at] as Code),
      );
    composer.add(
      'multiplyByLine',
      3,
      composer.sum(parts[0], scaled(y, ofY)),
      composer.sum(parts[1], scaled(x, ofX)),
      copyMemoryBytes(parts[2], rest, i32(this.bytes)),
      this.linePowers.map((power, at) =>
        power === 0 ? [] : composer.run('timesXi', xi[at] as Code, parts[at] as Code),
      ),
      Array.from({ length: DEGREE }, (_, power) => composer.sum(composer.scratch(power), ...factors(power))),
      this.copyResult(),
    );
  }

  /**
   * WebAssembly function `multiplyByMonicLine(f, line, ratios)`. Multiplies f by w³ + a × r × w² + b × s. `line`
   * contains a and b, and `ratios` the real numbers r and s.
   *
   * The term with w³ is added without a reduction. The absolute value of the result is therefore at most the prime
   * plus twice the absolute value of f.
   */
  multiplyByMonicLine(): void {
    const { composer } = this;
    const [a, b, xiA] = [0, 1, 2].map((at) => composer.scratch(DEGREE + at)) as SixParts;
    const xiF = (at: number): Code => composer.scratch(DEGREE + at);
    const [ofA, ofB] = composer.parts(get(1));
    const [r, s] = composer.parts(get(2));
    composer.add(
      'multiplyByMonicLine',
      3,
      composer.sum(a, scaled(r, ofA)),
      composer.sum(b, scaled(s, ofB)),
      composer.run('timesXi', xiA, a),
      [3, 4, 5].map((at) => composer.run('timesXi', xiF(at), composer.part(get(0), at))),
      Array.from({ length: DEGREE }, (_, power) =>
        composer.sumAnd(
          power < 3 ? xiF(power + 3) : composer.part(get(0), power - 3),
          composer.scratch(power),
          composeProduct(composer.part(get(0), power), b),
          composeProduct(composer.part(get(0), (power - 2 + DEGREE) % DEGREE), power < 2 ? xiA : a),
        ),
      ),
      this.copyResult(),
    );
  }

  /**
   * WebAssembly function `doubleStep(point, line)`. Doubles a point X : Y : Z and writes the coefficients of its
   * tangent. At (x, y), the three terms of the tangent are −2 × Y × Z × y, 3 × X² × x and 3 × b × Z² − Y². Source:
   * Aranha and others, "Faster explicit formulas for computing pairings over ordinary curves", 4, with all values
   * multiplied by four.
   */
  doubleStep(): void {
    const { composer } = this;
    const [x, y, z] = composer.parts(get(0));
    const [l0, l1, l2] = composer.parts(get(1));
    const [a, b, e, f, g, h] = [0, 1, 2, 3, 4, 5].map((at) => composer.scratch(at)) as SixParts;
    composer.add(
      'doubleStep',
      2,
      composer.sum(a, composeProduct(x, y)),
      composer.sum(b, composeSquare(y)),
      composer.sum(e, composeSquare(z)),
      composer.sum(e, composeProduct(e, composer.offsetOf(THREE_B))),
      composer.sum(h, composeProduct(y, z)),
      composer.run('twice', h, h),
      composer.run('negate', l0, h),
      composer.sum(l1, composeSquare(x)),
      composer.run('threeTimes', l1, l1),
      composer.run('minus', l2, e, b),
      composer.run('threeTimes', f, e),
      composer.run('minus', g, b, f),
      composer.run('twice', a, a),
      composer.sum(x, composeProduct(a, g)),
      composer.run('plus', g, b, f),
      composer.run('negate', f, f),
      composer.run('twice', f, f),
      composer.run('twice', e, e),
      composer.sum(y, composeSquare(g), composeProduct(f, e)),
      composer.run('twice', h, h),
      composer.run('twice', h, h),
      composer.sum(z, composeProduct(b, h)),
    );
  }

  /**
   * WebAssembly function `addStep(point, other, line)`. Adds `other`, which has z = 1, to `point`, and writes the line
   * through both points. If both points have the same x, the z of `point` becomes 0 and stays 0. Source: Costello,
   * Lange, Naehrig, "Faster pairing computations on curves with high-degree twists", 5.
   */
  addStep(): void {
    const { composer } = this;
    const [x, y, z] = composer.parts(get(0));
    const [otherX, otherY] = composer.parts(get(1));
    const [lambda, minusTheta, rest] = composer.parts(get(2));
    const [theta, c, d, e, g, h] = [0, 1, 2, 3, 4, 5].map((at) => composer.scratch(at)) as SixParts;
    composer.add(
      'addStep',
      3,
      composer.differenceOfProduct(theta, y, otherY, z),
      composer.differenceOfProduct(lambda, x, otherX, z),
      composer.run('negate', minusTheta, theta),
      composer.sum(c, composeSquare(theta)),
      composer.sum(d, composeSquare(lambda)),
      composer.sum(e, composeProduct(lambda, d)),
      composer.sum(c, composeProduct(z, c)),
      composer.sum(g, composeProduct(x, d)),
      composer.run('plusLessTwice', h, e, c, g),
      composer.sum(x, composeProduct(lambda, h)),
      composer.run('minus', h, h, g),
      composer.sum(c, composeProduct(minusTheta, h)),
      composer.differenceOfProduct(y, c, e, y),
      composer.sum(z, composeProduct(z, e)),
      composer.sum(c, composeProduct(theta, otherX)),
      composer.differenceOfProduct(rest, c, lambda, otherY),
    );
  }

  /** Returns code that computes ξ times the three highest parts of f. */
  private highTimesXi(): Code {
    const { composer } = this;
    return this.timesXi().map((to, at) => composer.run('timesXi', to, composer.part(get(1), 3 + at)));
  }

  private timesXi(): [Code, Code, Code] {
    return [3, 4, 5].map((at) => this.composer.scratch(DEGREE + at)) as [Code, Code, Code];
  }

  private copyResult(): Code {
    return copyMemoryBytes(get(0), this.composer.scratch(0), i32(DEGREE * this.bytes));
  }
}
