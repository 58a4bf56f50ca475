import { ComplexNumbers } from '../pairing/complex.js';
import type { Complex } from '../pairing/complex-field.js';
import type { MemoryOffset } from '../pairing/pairing-field.js';
import { BLS12_381_NUMBER, BLS12_381_P, BLS12_381_TOWER, type Bls12381Field, SEED_ADDS, XI } from './field.js';

/** Size in bytes of a line of the Miller loop. A line has three coefficients: for y, for x, and a constant term. */
const LINE = 3 * BLS12_381_NUMBER;
/**
 * Size in bytes of a prepared line. Its coefficients are divided by the first one, which is then 1 and is not stored.
 */
const MONIC_LINE = 2 * BLS12_381_NUMBER;
const LINES = (SEED_ADDS.length + SEED_ADDS.filter((adds) => adds).length) * MONIC_LINE;
/**
 * Maximum number of consecutive multiplications by monic lines (lines with first coefficient 1). Each of them makes
 * the number larger. After more multiplications, the number may be too large as a factor of a product.
 */
const MONIC_IN_A_ROW = 2;

/** Maximum number of pairs with a point of the twist per Miller loop. */
export const PAIRS_MAX = 4;
/** Maximum number of pairs with prepared lines per Miller loop. */
export const PREPARED_MAX = 6;

/**
 * A point of the curve, and a point (x, y) of the twist. The coordinates of the point of the curve are x / z and y / z,
 * all real. The Miller loop overwrites the point of the curve.
 */
interface Pair {
  readonly point: MemoryOffset;
  readonly twist: MemoryOffset;
}

/** A point of the curve, and the prepared lines of a point of the twist. */
interface PreparedPair {
  readonly point: MemoryOffset;
  readonly lines: MemoryOffset;
}

/**
 * The optimal ate pairing of BLS12-381. The seed is negative, so each Miller loop returns the inverse of the usual
 * value.
 */
export class Bls12381Pairing {
  private readonly field: Bls12381Field;
  /** Current multiple of each point of the twist during a Miller loop, as X : Y : Z. */
  private readonly sums: MemoryOffset;
  private readonly line: MemoryOffset;
  private readonly temp: MemoryOffset;
  private readonly image: MemoryOffset;
  private readonly towers: readonly MemoryOffset[];
  private readonly one: MemoryOffset;
  /** Numbers to invert with one inversion. */
  private readonly divisors: MemoryOffset;
  /** Products of the numbers to invert, see `Bls12381Field.invertAll`. */
  private readonly products: MemoryOffset;
  /**
   * Factors of x and y in the Frobenius image of a point of the twist: the image of (x, y) is (x^p, y^p), with each
   * coordinate multiplied by its factor.
   */
  private readonly frobenius: readonly MemoryOffset[];

  constructor(field: Bls12381Field) {
    this.field = field;
    this.sums = field.allocate(PAIRS_MAX * 3 * BLS12_381_NUMBER);
    this.line = field.allocate(LINE);
    this.temp = field.allocate(BLS12_381_NUMBER);
    this.image = field.allocate(BLS12_381_NUMBER);
    this.towers = Array.from({ length: 4 }, () => field.allocate(BLS12_381_TOWER));
    this.one = field.allocate(BLS12_381_TOWER);
    field.setOne(this.one);
    this.divisors = field.allocate((PAIRS_MAX + PREPARED_MAX) * BLS12_381_NUMBER);
    this.products = field.allocate((PAIRS_MAX + PREPARED_MAX + 1) * BLS12_381_NUMBER);
    const numbers = new ComplexNumbers(BLS12_381_P);
    const one: Complex = [1n, 0n];
    this.frobenius = [3n, 2n].map((part) =>
      field.constant(numbers.quotient(one, numbers.raised(XI, (BLS12_381_P - 1n) / part))),
    );
  }

  /** Computes the lines of the Miller loop for a point (x, y) of the twist. The point must be in the group. */
  prepare(twist: MemoryOffset): MemoryOffset {
    const { field, sums: sum, line } = this;
    const lines = field.allocate(LINES);
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
   * Computes the product of the Miller loops of all pairs. The result may differ by factors that the final
   * exponentiation removes.
   * @param pairs pairs whose point of the curve is not infinity
   * @returns false if a point of the twist is not in its group
   * @throws {RangeError} there are more pairs than `PAIRS_MAX` or `PREPARED_MAX`
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
   * Divides the coordinates of all points, with one inversion for all of them. A point of a pair gets x / z and y /
   * z. A point of a prepared pair gets x / y and z / y; its y is never 0, because only points of even order have y =
   * 0.
   */
  private divide(pairs: readonly Pair[], prepared: readonly PreparedPair[]): void {
    const { field, divisors, products } = this;
    const { run } = field;
    if (pairs.length > PAIRS_MAX) throw new RangeError(`too many pairs: ${pairs.length}, maximum ${PAIRS_MAX}`);
    if (prepared.length > PREPARED_MAX)
      throw new RangeError(`too many prepared pairs: ${prepared.length}, maximum ${PREPARED_MAX}`);
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
   * Returns true if f to the power (p^12 − 1) / r is one, where f is a product of Miller loops and r is the group
   * order. Overwrites f.
   *
   * The last part of the exponent is (p⁴ − p² + 1) / r. This method uses three times this number: (u − 1)² × (u + p)
   * × (u² + p² − 1) + 3. The factor 3 does not change the answer.
   *
   * Source: Hayashida, Hayasaka, Teruya, "Efficient final exponentiation via cyclotomic structure for pairings over
   * families of elliptic curves".
   */
  isPowerOne(f: MemoryOffset): boolean {
    const { field } = this;
    const { run } = field;
    const [a, b, c, d] = this.towers as [MemoryOffset, MemoryOffset, MemoryOffset, MemoryOffset];
    field.raiseEasy(f, a);
    this.raiseToSeedLessOne(a, f);
    this.raiseToSeedLessOne(b, a);
    // Multiplies the exponent by u + p.
    this.raiseToSeed(c, b);
    field.raise(a, b, 1);
    run.multiplyTower(b, c, a);
    // Multiplies the exponent by u² + p² − 1.
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
   * Returns true if a point Q of the twist is in the group. This is the case if and only if the final sum of its
   * Miller loop, −u × Q, is the negative of the Frobenius image f(Q).
   *
   * Reason: on the twist, f satisfies f² − t × f + p = 0 with t = u + 1. Therefore, (p − u) × Q is infinity for a
   * point Q that passes. The only common factor of p − u and the order of the twist is the group order.
   *
   * For Q in the group, no step of the loop adds a point to itself or to its negative, so z is not 0. Source:
   * eprint.iacr.org/2021/1130.
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

  /** Computes f^(u − 1). f must be in the cyclotomic subgroup, so its inverse is its conjugate. */
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
