import { ComplexNumbers } from '../pairing/complex.js';
import type { Complex } from '../pairing/complex-field.js';
import type { Address } from '../pairing/pairing-field.js';
import { type Bls12381Field, NUMBER, P, SEED_ADDS, TOWER, XI } from './field.js';

/** Lines of a loop: -2 Y Z, 3 X² and the rest of each. */
const LINE = 3 * NUMBER;
/** Those that are made before: divided by the first part, so that two are left. */
const MONIC_LINE = 2 * NUMBER;
const LINES = (SEED_ADDS.length + SEED_ADDS.filter((adds) => adds).length) * MONIC_LINE;
/** Monic lines that a loop multiplies by in each step: with more of them numbers could grow beyond what a product reduces. */
const PREPARED_MAX = 2;

/** A point of the curve and lines of a loop of one of the twist that were made before. */
interface PreparedPair {
  /** Real parts of x and y, and of z where it is x / z, y / z. */
  readonly point: Address;
  readonly isProjective: boolean;
  readonly lines: Address;
}

/** The optimal ate pairing of BLS12-381. The seed is negative, so that a loop's value is the inverse of what it would be: of all alike. */
export class Bls12381Pairing {
  private readonly field: Bls12381Field;
  private readonly sum: Address;
  private readonly line: Address;
  private readonly temp: Address;
  private readonly image: Address;
  private readonly towers: readonly Address[];
  /** Of each prepared pair x / y and z / y, and of each the product of the y before it. */
  private readonly ratios: Address;
  private readonly products: Address;
  /** What the p-th power of x and y is multiplied by to be the image of a point of the twist. */
  private readonly frobenius: readonly Address[];

  constructor(field: Bls12381Field) {
    this.field = field;
    this.sum = field.room(3 * NUMBER);
    this.line = field.room(LINE);
    this.temp = field.room(NUMBER);
    this.image = field.room(NUMBER);
    this.towers = Array.from({ length: 4 }, () => field.room(TOWER));
    this.ratios = field.room(PREPARED_MAX * 2 * NUMBER);
    this.products = field.room((PREPARED_MAX + 1) * NUMBER);
    const numbers = new ComplexNumbers(P);
    const one: Complex = [1n, 0n];
    this.frobenius = [3n, 2n].map((part) => field.constant(numbers.quotient(one, numbers.raised(XI, (P - 1n) / part))));
  }

  /** Lines of the loop of a point of the twist (x, y), which is of the group. */
  prepare(twist: Address): Address {
    const { field, sum, line } = this;
    const lines = field.room(LINES);
    this.begin(twist);
    let to = lines;
    const keepMonic = (): void => {
      field.invertComplex(line);
      for (const part of [line + NUMBER, line + 2 * NUMBER]) {
        field.run.multiply(to, part, line);
        to += NUMBER;
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
   * The product of the Miller loops of a point of the curve and one of the twist (x, y each) and of up to two prepared pairs, but for numbers
   * that the last power takes to 1.
   * @returns false where the point of the twist is not in its group
   */
  loop(to: Address, point: Address, twist: Address, prepared: readonly PreparedPair[]): boolean {
    const { field, sum } = this;
    const { run } = field;
    this.begin(twist);
    field.setOne(to);
    this.divideByY(prepared);
    let line = 0;
    const multiplyByLines = (): void => {
      run.multiplyByLine(to, this.line, point);
      for (const [at, { lines }] of prepared.entries())
        run.multiplyByMonicLine(to, lines + line * MONIC_LINE, this.ratios + at * 2 * NUMBER);
      line++;
    };
    for (const [step, adds] of SEED_ADDS.entries()) {
      if (step > 0) run.squareTower(to, to);
      run.doubleStep(sum, this.line);
      multiplyByLines();
      if (!adds) continue;
      run.addStep(sum, twist, this.line);
      multiplyByLines();
    }
    return this.isSumImage(twist);
  }

  /** Places x / y and z / y of the prepared pairs' points, of which y is never 0, as their order is odd: with one inversion for all. */
  private divideByY(prepared: readonly PreparedPair[]): void {
    const { field, ratios, temp, image: inverse } = this;
    const { run } = field;
    if (prepared.length > PREPARED_MAX) throw new RangeError(`a loop takes ${PREPARED_MAX} prepared pairs`);
    const product = (at: number): Address => this.products + at * NUMBER;
    field.copy(product(0), field.one, NUMBER);
    for (const [at, { point }] of prepared.entries()) run.multiply(product(at + 1), product(at), point + NUMBER);
    field.copy(inverse, product(prepared.length), NUMBER);
    field.invertReal(inverse);
    for (const [at, { point, isProjective }] of [...prepared.entries()].reverse()) {
      const ratio = ratios + at * 2 * NUMBER;
      run.multiply(temp, product(at), inverse);
      run.multiply(inverse, inverse, point + NUMBER);
      run.multiply(ratio, point, temp);
      if (isProjective) run.multiply(ratio + NUMBER, point + 2 * NUMBER, temp);
      else field.copy(ratio + NUMBER, temp, NUMBER);
    }
  }

  /**
   * Whether the power of a product of loops by (p^12 - 1) / r is one; the product is lost. Of p⁴ - p² + 1, the power is taken three times as
   * high, which changes nothing, as (u - 1)² (u + p) (u² + p² - 1) + 3.
   * Source: Hayashida, Hayasaka, Teruya, "Efficient final exponentiation via cyclotomic structure for pairings over families of elliptic curves".
   */
  isPowerOne(f: Address): boolean {
    const { field } = this;
    const { run } = field;
    const [a, b, c, d] = this.towers as [Address, Address, Address, Address];
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

  private begin(twist: Address): void {
    this.field.copy(this.sum, twist, 2 * NUMBER);
    this.field.copy(this.sum + 2 * NUMBER, this.field.one, NUMBER);
  }

  /**
   * Whether the sum that a loop leaves, -u Q, is the negative of the image f(Q) of its point: if and only if Q is of the group's order. What
   * f satisfies on the twist, f² - t f + p = 0 with t = u + 1, makes p - u times a point that passes 0, and that number has nothing but the
   * group's order in common with the number of points of the twist. In the group no step adds a point to itself or its opposite, so z is
   * not 0. Source: eprint.iacr.org/2021/1130.
   */
  private isSumImage(twist: Address): boolean {
    const { field, sum, temp, image } = this;
    const { run } = field;
    const z = sum + 2 * NUMBER;
    if (field.isZero(z)) return false;
    return this.frobenius.every((factor, part) => {
      run.conjugate(image, twist + part * NUMBER);
      run.multiply(image, image, factor);
      if (part === 1) run.negate(image, image);
      run.lessProduct(temp, sum + part * NUMBER, image, z);
      return field.isZero(temp);
    });
  }

  /** f^(u - 1), of f whose inverse is its conjugate. */
  private raiseToSeedLessOne(to: Address, f: Address): void {
    const { field } = this;
    const [, , , d] = this.towers as [Address, Address, Address, Address];
    this.raiseToSeed(to, f);
    field.conjugate(d, f);
    field.run.multiplyTower(to, to, d);
  }

  private raiseToSeed(to: Address, f: Address): void {
    const { run } = this.field;
    this.field.copy(to, f, TOWER);
    for (const adds of SEED_ADDS) {
      run.squareCyclotomic(to, to);
      if (adds) run.multiplyTower(to, to, f);
    }
    this.field.conjugate(to, to);
  }
}
