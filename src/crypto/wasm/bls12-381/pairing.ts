import { ComplexNumbers } from '../pairing/complex.js';
import type { Complex } from '../pairing/complex-field.js';
import type { MemoryOffset } from '../pairing/pairing-field.js';
import { BLS12_381_NUMBER, BLS12_381_P, BLS12_381_TOWER, type Bls12381Field, SEED_ADDS, XI } from './field.js';

/** Lines of a loop: -2 Y Z, 3 X² and the rest of each. */
const LINE = 3 * BLS12_381_NUMBER;
/** Those that are made before: divided by the first part, so that two are left. */
const MONIC_LINE = 2 * BLS12_381_NUMBER;
const LINES = (SEED_ADDS.length + SEED_ADDS.filter((adds) => adds).length) * MONIC_LINE;
/**
 * Monic lines that a loop multiplies by in a row: with more of them numbers could grow beyond what a product reduces.
 */
const MONIC_IN_A_ROW = 2;

/** Pairs of one loop, at most: of the points that its lines are made of, and of those that were made before. */
export const PAIRS_MAX = 4;
export const PREPARED_MAX = 6;

/**
 * A point of the curve, and one of the twist (x, y). Those of the curve are real numbers x / z, y / z; what they are is
 * lost.
 */
interface Pair {
  readonly point: MemoryOffset;
  readonly twist: MemoryOffset;
}

/** The same with the lines of a loop of a point of the twist that were made before. */
interface PreparedPair {
  readonly point: MemoryOffset;
  readonly lines: MemoryOffset;
}

/**
 * The optimal ate pairing of BLS12-381. The seed is negative, so that a loop's value is the inverse of what it would
 * be: of all alike.
 */
export class Bls12381Pairing {
  private readonly field: Bls12381Field;
  /** Multiples so far of the points of the twist. */
  private readonly sums: MemoryOffset;
  private readonly line: MemoryOffset;
  private readonly temp: MemoryOffset;
  private readonly image: MemoryOffset;
  private readonly towers: readonly MemoryOffset[];
  private readonly one: MemoryOffset;
  /** What is inverted, and products of it. */
  private readonly divisors: MemoryOffset;
  private readonly products: MemoryOffset;
  /** What the p-th power of x and y is multiplied by to be the image of a point of the twist. */
  private readonly frobenius: readonly MemoryOffset[];

  constructor(field: Bls12381Field) {
    this.field = field;
    this.sums = field.room(PAIRS_MAX * 3 * BLS12_381_NUMBER);
    this.line = field.room(LINE);
    this.temp = field.room(BLS12_381_NUMBER);
    this.image = field.room(BLS12_381_NUMBER);
    this.towers = Array.from({ length: 4 }, () => field.room(BLS12_381_TOWER));
    this.one = field.room(BLS12_381_TOWER);
    field.setOne(this.one);
    this.divisors = field.room((PAIRS_MAX + PREPARED_MAX) * BLS12_381_NUMBER);
    this.products = field.room((PAIRS_MAX + PREPARED_MAX + 1) * BLS12_381_NUMBER);
    const numbers = new ComplexNumbers(BLS12_381_P);
    const one: Complex = [1n, 0n];
    this.frobenius = [3n, 2n].map((part) =>
      field.constant(numbers.quotient(one, numbers.raised(XI, (BLS12_381_P - 1n) / part))),
    );
  }

  /** Lines of the loop of a point of the twist (x, y), which is of the group. */
  prepare(twist: MemoryOffset): MemoryOffset {
    const { field, sums: sum, line } = this;
    const lines = field.room(LINES);
    this.begin(sum, twist);
    let to = lines;
    const keepMonic = (): void => {
      field.invertComplex(line);
      for (const part of [line + BLS12_381_NUMBER, line + 2 * BLS12_381_NUMBER]) {
        field.run.multiply(to, part, line);
        to += BLS12_381_NUMBER;
      }
    };
    for (const adds of SEED_ADDS) {
      field.run.doubleStep(sum, line);
      keepMonic();
      if (!adds) continue;
      field.run.addStep(sum, twist, line);
      keepMonic();
    }
    return lines;
  }

  /**
   * The product of the Miller loops of pairs, but for numbers that the last power takes to 1.
   * @param pairs their points of the curve are not infinity
   * @returns false where a point of the twist is not in its group
   */
  loop(to: MemoryOffset, pairs: readonly Pair[], prepared: readonly PreparedPair[]): boolean {
    const { field } = this;
    const { run } = field;
    this.divide(pairs, prepared);
    for (const [at, { twist }] of pairs.entries()) this.begin(this.sum(at), twist);
    field.setOne(to);
    let line = 0;
    const step = (make: (sum: MemoryOffset, twist: MemoryOffset) => void): void => {
      let monic = 0;
      const multiplyByMonic = (): void => {
        for (const { lines, point } of prepared.slice(monic, monic + MONIC_IN_A_ROW))
          run.multiplyByMonicLine(to, lines + line * MONIC_LINE, point);
        monic += MONIC_IN_A_ROW;
      };
      for (const [at, { point, twist }] of pairs.entries()) {
        make(this.sum(at), twist);
        run.multiplyByLine(to, this.line, point);
        multiplyByMonic();
      }
      while (monic < prepared.length) {
        run.multiplyTower(to, to, this.one);
        multiplyByMonic();
      }
      line++;
    };
    for (const [at, adds] of SEED_ADDS.entries()) {
      if (at > 0) run.squareTower(to, to);
      step((sum) => run.doubleStep(sum, this.line));
      if (adds) step((sum, twist) => run.addStep(sum, twist, this.line));
    }
    return pairs.every(({ twist }, at) => this.isSumImage(this.sum(at), twist));
  }

  private sum(at: number): MemoryOffset {
    return this.sums + at * 3 * BLS12_381_NUMBER;
  }

  /**
   * Makes x / z and y / z of the points of pairs, and x / y and z / y of those of prepared ones, of which y is never 0,
   * as their order is odd: with one inversion for all.
   */
  private divide(pairs: readonly Pair[], prepared: readonly PreparedPair[]): void {
    const { field, divisors, products } = this;
    const { run } = field;
    if (pairs.length > PAIRS_MAX) throw new RangeError(`a loop takes ${PAIRS_MAX} pairs`);
    if (prepared.length > PREPARED_MAX) throw new RangeError(`a loop takes ${PREPARED_MAX} prepared pairs`);
    const parts = [
      ...pairs.map(({ point }) => ({ point, by: 2, kept: 1 })),
      ...prepared.map(({ point }) => ({ point, by: 1, kept: 2 })),
    ];
    const divisor = (at: number): MemoryOffset => divisors + at * BLS12_381_NUMBER;
    for (const [at, { point, by }] of parts.entries())
      field.copy(divisor(at), point + by * BLS12_381_NUMBER, BLS12_381_NUMBER);
    field.invertAll(
      parts.map((_, at) => divisor(at)),
      products,
    );
    for (const [at, { point, kept }] of parts.entries()) {
      run.multiply(point, point, divisor(at));
      run.multiply(point + BLS12_381_NUMBER, point + kept * BLS12_381_NUMBER, divisor(at));
    }
  }

  /**
   * Whether the power of a product of loops by (p^12 - 1) / r is one; the product is lost. Of p⁴ - p² + 1, the power is
   * taken three times as high, which changes nothing, as (u - 1)² (u + p) (u² + p² - 1) + 3. Source: Hayashida,
   * Hayasaka, Teruya, "Efficient final exponentiation via cyclotomic structure for pairings over families of elliptic
   * curves".
   */
  isPowerOne(f: MemoryOffset): boolean {
    const { field } = this;
    const { run } = field;
    const [a, b, c, d] = this.towers as [MemoryOffset, MemoryOffset, MemoryOffset, MemoryOffset];
    field.raiseEasy(f, a);
    this.raiseToSeedLessOne(a, f);
    this.raiseToSeedLessOne(b, a);
    // u + p
    this.raiseToSeed(c, b);
    field.raise(a, b, 1);
    run.multiplyTower(b, c, a);
    // u² + p² - 1
    this.raiseToSeed(a, b);
    this.raiseToSeed(c, a);
    field.raise(a, b, 2);
    run.multiplyTower(c, c, a);
    field.conjugate(d, b);
    run.multiplyTower(c, c, d);
    run.squareCyclotomic(a, f);
    run.multiplyTower(a, a, f);
    run.multiplyTower(c, c, a);
    return field.isOne(c);
  }

  private begin(sum: MemoryOffset, twist: MemoryOffset): void {
    this.field.copy(sum, twist, 2 * BLS12_381_NUMBER);
    this.field.copy(sum + 2 * BLS12_381_NUMBER, this.field.one, BLS12_381_NUMBER);
  }

  /**
   * Whether the sum that a loop leaves, -u Q, is the negative of the image f(Q) of its point: if and only if Q is of
   * the group's order. What f satisfies on the twist, f² - t f + p = 0 with t = u + 1, makes p - u times a point that
   * passes 0, and that number has nothing but the group's order in common with the number of points of the twist. In
   * the group no step adds a point to itself or its opposite, so z is not 0. Source: eprint.iacr.org/2021/1130.
   */
  private isSumImage(sum: MemoryOffset, twist: MemoryOffset): boolean {
    const { field, temp, image } = this;
    const { run } = field;
    const z = sum + 2 * BLS12_381_NUMBER;
    if (field.isZero(z)) return false;
    return this.frobenius.every((factor, part) => {
      run.conjugate(image, twist + part * BLS12_381_NUMBER);
      run.multiply(image, image, factor);
      if (part === 1) run.negate(image, image);
      run.lessProduct(temp, sum + part * BLS12_381_NUMBER, image, z);
      return field.isZero(temp);
    });
  }

  /** f^(u - 1), of f whose inverse is its conjugate. */
  private raiseToSeedLessOne(to: MemoryOffset, f: MemoryOffset): void {
    const { field } = this;
    const [, , , d] = this.towers as [MemoryOffset, MemoryOffset, MemoryOffset, MemoryOffset];
    this.raiseToSeed(to, f);
    field.conjugate(d, f);
    field.run.multiplyTower(to, to, d);
  }

  private raiseToSeed(to: MemoryOffset, f: MemoryOffset): void {
    const { run } = this.field;
    this.field.copy(to, f, BLS12_381_TOWER);
    for (const adds of SEED_ADDS) {
      run.squareCyclotomic(to, to);
      if (adds) run.multiplyTower(to, to, f);
    }
    this.field.conjugate(to, to);
  }
}
