import { randomFillSync } from 'node:crypto';
import type { MemoryOffset } from '../pairing/pairing-field.js';
import { BLS12_381_NUMBER, BLS12_381_ORDER, type Bls12381Field, CUBE_ROOT, MINUS_SEED, POINT } from './field.js';

/** Number of digits of each of the two random numbers a and b, which have 64 bits. Digits are odd, from −15 to 15. */
const DIGITS = 16;
const DIGIT_BITS = 4;
const TABLE_POINTS = 1 << (DIGIT_BITS - 1);
/** Number λ such that (CUBE_ROOT × x, y) is λ × (x, y) for each point of the group. */
const LAMBDA = BLS12_381_ORDER - ((MINUS_SEED * MINUS_SEED) % BLS12_381_ORDER);

/** A random number a + b × λ. It has 2^128 equally probable values, which are distinct modulo the group order. */
export class RandomFactor {
  /** Value modulo the group order. */
  readonly value: bigint;
  /** Digits of a and b, lowest first. Digits of a have even indexes, and digits of b have odd indexes. */
  readonly digits: Int8Array;

  constructor() {
    const bytes = randomFillSync(new Uint8Array(DIGITS));
    this.digits = Int8Array.from({ length: 2 * DIGITS }, (_, at) => {
      const nibble = ((bytes[at >> 1] ?? 0) >> (DIGIT_BITS * (at & 1))) & 0xf;
      return 2 * nibble - 15;
    });
    let [a, b] = [0n, 0n];
    for (let at = 2 * DIGITS - 2; at >= 0; at -= 2) {
      a = (a << BigInt(DIGIT_BITS)) + BigInt(this.digits[at] ?? 0);
      b = (b << BigInt(DIGIT_BITS)) + BigInt(this.digits[at + 1] ?? 0);
    }
    this.value = (((a + b * LAMBDA) % BLS12_381_ORDER) + BLS12_381_ORDER) % BLS12_381_ORDER;
  }
}

/**
 * Multiplies two points of the group by the same random number. One point is in the real parts, the other point in the
 * imaginary parts.
 */
export class RandomMultiples {
  private readonly field: Bls12381Field;
  private readonly cubeRoot: MemoryOffset;
  private readonly addend: MemoryOffset;
  /** Odd multiples of both points: the points times 1, 3, ... 15. */
  private readonly multiples: MemoryOffset;
  /** For each odd multiple (x, y), the x coordinate of λ × (x, y). */
  private readonly images: MemoryOffset;

  constructor(field: Bls12381Field) {
    this.field = field;
    this.cubeRoot = field.constant([CUBE_ROOT, CUBE_ROOT]);
    this.addend = field.allocate(POINT);
    this.multiples = field.allocate(TABLE_POINTS * POINT);
    this.images = field.allocate(TABLE_POINTS * BLS12_381_NUMBER);
  }

  /** Replaces both points (x, y, z) by point × factor. */
  multiply(point: MemoryOffset, { digits }: RandomFactor): void {
    const { field } = this;
    this.storeMultiples(point);
    for (let part = 0; part < 2; part++) field.storeInfinity(point, part as 0 | 1);
    for (let at = 2 * DIGITS - 2; at >= 0; at -= 2) {
      for (let bit = 0; bit < DIGIT_BITS; bit++) field.run.doublePoints(point);
      this.add(point, digits[at] ?? 0, false);
      this.add(point, digits[at + 1] ?? 0, true);
    }
  }

  private storeMultiples(point: MemoryOffset): void {
    const { field, addend, multiples, images, cubeRoot } = this;
    field.copy(addend, point, POINT);
    field.run.doublePoints(addend);
    field.copy(multiples, point, POINT);
    for (let at = 0; at < TABLE_POINTS; at++) {
      const multiple = multiples + at * POINT;
      if (at > 0) {
        field.copy(multiple, multiple - POINT, POINT);
        field.run.addPoints(multiple, addend);
      }
      field.run.multiplyPairwise(images + at * BLS12_381_NUMBER, multiple, cubeRoot);
    }
  }

  private add(point: MemoryOffset, digit: number, isImage: boolean): void {
    const { field, addend, multiples, images } = this;
    const at = Math.abs(digit) >> 1;
    field.copy(addend, multiples + at * POINT, POINT);
    if (isImage) field.copy(addend, images + at * BLS12_381_NUMBER, BLS12_381_NUMBER);
    if (digit < 0) field.run.negate(addend + BLS12_381_NUMBER, addend + BLS12_381_NUMBER);
    field.run.addPoints(point, addend);
  }
}
