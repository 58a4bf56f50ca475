import type { MemoryOffset } from '../pairing/pairing-field.js';
import {
  BLS12_381_LIMBS,
  BLS12_381_NUMBER,
  BLS12_381_ORDER,
  type Bls12381Field,
  type Bls12381Part,
  POINT,
} from './field.js';

/** Affine coordinates of a point other than infinity. Each coordinate is below the prime. */
export interface AffinePoint<Coordinate> {
  readonly x: Coordinate;
  readonly y: Coordinate;
}

/**
 * Number of bits of a window, which represents one digit of a scalar.
 *
 * A scalar has 43 odd digits from −63 to 63, so no digit is 0. A digit of an odd scalar k is 2 × b − 63, where b is
 * the corresponding base-64 digit of (k + 64^43 − 1) / 2. An even scalar is made odd by adding the group order.
 *
 * The base of a window is 64 times the base of the previous window. The table of a window has 32 points: its base
 * times 1, 3, ... 63.
 */
const WINDOW_BITS = 6;
const WINDOW_MASK = (1 << WINDOW_BITS) - 1;
const WINDOWS = 43;
const TABLE_POINTS = 1 << (WINDOW_BITS - 1);
const OFFSET = (1n << BigInt(WINDOW_BITS * WINDOWS)) - 1n;
const OFFSET_BYTES = Math.ceil((WINDOW_BITS * WINDOWS) / 8);

/** Number of words per table point: the limbs of x, followed by the limbs of y. */
const POINT_WORDS = 2 * BLS12_381_LIMBS;
const TABLE_WORDS = TABLE_POINTS * POINT_WORDS;

/**
 * Computes sums of multiples of fixed points. Adds two pairs of points in parallel. The tables use 151 KiB per fixed
 * point.
 */
export class FixedBases {
  private readonly field: Bls12381Field;
  private readonly count: number;
  private readonly tables: Int32Array;
  /** Memory offset of the sum (x, y, z). */
  private readonly sum: MemoryOffset;
  /** Memory offset of the point (x, y, z) that is added next. */
  private readonly addend: MemoryOffset;
  /** Memory offset of the base of a window (x, y, z). */
  private readonly unit: MemoryOffset;

  /**
   * Computes one table of multiples for each base and window.
   * @param table workspace, used only by this constructor
   * @param bases points of G1; infinity is not allowed
   */
  constructor(field: Bls12381Field, table: BaseTable, bases: readonly AffinePoint<bigint>[]) {
    this.field = field;
    this.count = bases.length;
    [this.sum, this.addend, this.unit] = [0, 1, 2].map(() => field.allocate(POINT)) as [
      MemoryOffset,
      MemoryOffset,
      MemoryOffset,
    ];
    this.tables = new Int32Array(bases.length * WINDOWS * TABLE_WORDS);
    for (const [at, base] of bases.entries()) {
      if (at % 2 === 1) continue;
      const second = bases[at + 1] ?? base;
      field.store(this.unit, [base.x, second.x]);
      field.store(this.unit + BLS12_381_NUMBER, [base.y, second.y]);
      field.store(this.unit + 2 * BLS12_381_NUMBER, [1n, 1n]);
      for (let window = 0; window < WINDOWS; window++) {
        table.make(this.unit);
        for (const part of [0, 1] as const) {
          if (at + part >= bases.length) continue;
          table.write(this.tables, ((at + part) * WINDOWS + window) * TABLE_WORDS, part);
        }
      }
    }
  }

  /**
   * Computes the sum of `scalars[i] × bases[i]`.
   * @param scalars one per base
   * @returns memory offset of x, y and z of the sum, which are real numbers
   */
  sumOf(scalars: readonly bigint[]): MemoryOffset {
    const { field, sum, addend } = this;
    const chosen = this.choose(scalars);
    this.storeChosen(sum, 0, chosen[0] ?? 0);
    field.store(sum + 2 * BLS12_381_NUMBER, [1n, 1n]);
    // Two sums are computed in parallel. If the number of points is odd, the second sum starts with infinity.
    let at = 2 - (chosen.length % 2);
    if (at === 2) this.storeChosen(sum, 1, chosen[1] ?? 0);
    else field.storeInfinity(sum, 1);
    for (; at < chosen.length; at += 2) {
      this.storeChosen(addend, 0, chosen[at] ?? 0);
      this.storeChosen(addend, 1, chosen[at + 1] ?? 0);
      field.run.addAffine(sum, addend);
    }
    field.copyReal(addend, sum, 1);
    field.copyReal(sum, sum, 0);
    field.run.addPoints(sum, addend);
    return sum;
  }

  /**
   * Returns the table offset of the selected point for each base and window. If the point must be negated, the
   * element is the offset with inverted bits, which is a negative number.
   */
  private choose(scalars: readonly bigint[]): Int32Array {
    const chosen = new Int32Array(this.count * WINDOWS);
    for (let base = 0; base < this.count; base++) {
      const scalar = (scalars[base] ?? 0n) % BLS12_381_ORDER;
      const shifted = ((scalar % 2n === 0n ? scalar + BLS12_381_ORDER : scalar) + OFFSET) / 2n;
      const bytes = Buffer.from(shifted.toString(16).padStart(2 * OFFSET_BYTES, '0'), 'hex').reverse();
      for (let window = 0; window < WINDOWS; window++) {
        const bit = window * WINDOW_BITS;
        const two = (bytes[bit >> 3] ?? 0) | ((bytes[(bit >> 3) + 1] ?? 0) << 8);
        const digit = (two >> (bit & 7)) & WINDOW_MASK;
        const table = (base * WINDOWS + window) * TABLE_WORDS;
        chosen[base * WINDOWS + window] =
          digit < TABLE_POINTS
            ? ~(table + (TABLE_POINTS - 1 - digit) * POINT_WORDS)
            : table + (digit - TABLE_POINTS) * POINT_WORDS;
      }
    }
    return chosen;
  }

  private storeChosen(to: MemoryOffset, part: Bls12381Part, choice: number): void {
    const at = choice < 0 ? ~choice : choice;
    this.field.writeLimbs(to, part, this.tables, at, 1);
    this.field.writeLimbs(to + BLS12_381_NUMBER, part, this.tables, at + BLS12_381_LIMBS, choice < 0 ? -1 : 1);
  }
}

/** Workspace that creates the tables of one window for two bases in parallel. */
export class BaseTable {
  private readonly field: Bls12381Field;
  private readonly points: MemoryOffset;
  private readonly products: MemoryOffset;
  private readonly twice: MemoryOffset;
  private readonly inverse: MemoryOffset;

  constructor(field: Bls12381Field) {
    this.field = field;
    this.points = field.allocate(TABLE_POINTS * POINT);
    this.products = field.allocate((TABLE_POINTS + 1) * BLS12_381_NUMBER);
    this.twice = field.allocate(POINT);
    this.inverse = field.allocate(BLS12_381_NUMBER);
  }

  /** Creates the table of a window. @param unit base of the window; replaced by the base of the next window */
  make(unit: MemoryOffset): void {
    const { field, twice } = this;
    const { run } = field;
    field.copy(twice, unit, POINT);
    run.doublePoints(twice);
    field.copy(this.point(0), unit, POINT);
    for (let at = 1; at < TABLE_POINTS; at++) {
      field.copy(this.point(at), this.point(at - 1), POINT);
      run.addPoints(this.point(at), twice);
    }
    run.addPoints(unit, this.point(TABLE_POINTS - 1));
    this.normalize();
  }

  write(tables: Int32Array, from: number, part: Bls12381Part): void {
    for (let at = 0; at < TABLE_POINTS; at++) {
      const to = from + at * POINT_WORDS;
      this.field.readLimbs(tables, to, this.point(at), part);
      this.field.readLimbs(tables, to + BLS12_381_LIMBS, this.point(at) + BLS12_381_NUMBER, part);
    }
  }

  /** Normalizes all points to z = 1, with one inversion for all points. */
  private normalize(): void {
    const { field, inverse } = this;
    const { run } = field;
    const product = (at: number): MemoryOffset => this.products + at * BLS12_381_NUMBER;
    const z = (at: number): MemoryOffset => this.point(at) + 2 * BLS12_381_NUMBER;
    field.store(product(0), [1n, 1n]);
    for (let at = 0; at < TABLE_POINTS; at++) run.multiplyPairwise(product(at + 1), product(at), z(at));
    field.copy(inverse, product(TABLE_POINTS), BLS12_381_NUMBER);
    field.invertPairwise(inverse);
    for (let at = TABLE_POINTS - 1; at >= 0; at--) {
      run.multiplyPairwise(product(at), product(at), inverse);
      run.multiplyPairwise(inverse, inverse, z(at));
      for (const part of [this.point(at), this.point(at) + BLS12_381_NUMBER])
        run.multiplyPairwise(part, part, product(at));
    }
  }

  private point(at: number): MemoryOffset {
    return this.points + at * POINT;
  }
}
