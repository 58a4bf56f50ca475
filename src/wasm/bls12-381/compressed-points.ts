import type { Address } from '../pairing/pairing-field.js';
import { type Bls12381Field, NUMBER, P, type Part, SEED_ADDS, WORD } from './field.js';

export const G1_BYTES = WORD;
export const G2_BYTES: number = 2 * WORD;

/** Highest bits of a point: that it is compressed, that it is infinity, that y is the greater root. */
const COMPRESSED = 0x80;
const INFINITY = 0x40;
const GREATER = 0x20;

/** A cube root of 1: (BETA x, y) is -u² (x, y) in the group, u being the seed. */
const BETA = 0x5f19_672f_df76_ce51_ba69_c607_6a0f_77ea_ddb3_a93b_e6f8_9688_de17_d813_620a_0002_2e01_ffff_fffe_fffen;

/** Reads points that have x and which of two roots y is; each but infinity must be of its group. Source of the form: ZCash. */
export class CompressedPoints {
  private readonly field: Bls12381Field;
  private readonly square: Address;
  private readonly root: Address;
  private readonly norm: Address;
  private readonly halves: Address;
  private readonly beta: Address;
  private readonly half: Address;
  private readonly four: Address;
  private readonly multiple: Address;
  private readonly base: Address;

  constructor(field: Bls12381Field) {
    this.field = field;
    [this.square, this.root, this.norm, this.halves] = [0, 1, 2, 3].map(() => field.room(NUMBER)) as [
      Address,
      Address,
      Address,
      Address,
    ];
    this.beta = field.constant([BETA, BETA]);
    this.half = field.constant([(P + 1n) / 2n, (P + 1n) / 2n]);
    this.four = field.constant([4n, 4n]);
    [this.multiple, this.base] = [field.room(3 * NUMBER), field.room(3 * NUMBER)];
  }

  /** Takes two points of the curve, of 48 bytes each, into the parts of x and y. @returns false where one is none of the group */
  readPair(to: Address, first: Uint8Array, second: Uint8Array): boolean {
    const { field, square, root } = this;
    const { run } = field;
    if (!isPlain(first) || !isPlain(second)) return false;
    const [x, y] = [to, to + NUMBER];
    if (!field.readPart(x, first, 0, 0) || !field.readPart(x, second, 0, 1)) return false;
    field.keepRead(x);
    run.squarePairwise(square, x);
    run.multiplyPairwise(square, square, x);
    run.plus(square, square, this.four);
    field.raiseToRoot(root, square);
    run.multiplyPairwise(y, root, square);
    run.squarePairwise(root, y);
    run.minus(root, root, square);
    if (!field.isZero(root)) return false;
    for (const [part, bytes] of [first, second].entries()) this.choose(y, part as Part, bytes);
    return this.isInGroup(to);
  }

  /** Takes a point of the twist, of 96 bytes, the imaginary part of x first. @returns false for none; it may be outside the group */
  readTwist(to: Address, bytes: Uint8Array): boolean {
    const { field, square } = this;
    const { run } = field;
    if (!isPlain(bytes)) return false;
    const [x, y] = [to, to + NUMBER];
    // The highest bits of the second number are none of its own.
    if (((bytes[WORD] ?? 0) & (COMPRESSED | INFINITY | GREATER)) !== 0) return false;
    if (!field.readPart(x, bytes, 0, 1) || !field.readPart(x, bytes, WORD, 0)) return false;
    field.keepRead(x);
    run.square(square, x);
    run.multiply(square, square, x);
    run.plus(square, square, this.four);
    if (!this.complexRoot(y)) return false;
    const imaginary = field.plainValue(y, 1);
    const isGreater = imaginary === 0n ? isAboveHalf(field.plainValue(y, 0)) : isAboveHalf(imaginary);
    if (isGreater !== ((bytes[0] ?? 0) & GREATER) > 0) run.negate(y, y);
    return true;
  }

  /**
   * A root of a + b i in `square`. With n² = a² + b² and h = (a + n) / 2 or (a - n) / 2, and w the power (p - 3) / 4 of h, a root is
   * h w + i b w / 2 where h is a square, and otherwise -b w / 2 + i h w. h may be 0 one way only.
   */
  private complexRoot(to: Address): boolean {
    const { field, square, root, norm, halves } = this;
    const { run } = field;
    run.conjugate(norm, square);
    run.multiply(norm, norm, square);
    field.raiseToRoot(root, norm);
    run.multiplyPairwise(norm, norm, root);
    field.copyPart(norm, 1, norm, 0, -1);
    field.copyPart(halves, 0, square, 0);
    field.copyPart(halves, 1, square, 0);
    run.plus(halves, halves, norm);
    run.multiplyPairwise(halves, halves, this.half);
    field.raiseToRoot(root, halves);
    run.multiplyPairwise(halves, halves, root);
    // From here on the root's parts are multiplied by b / 2.
    run.multiplyPairwise(root, root, this.half);
    for (const part of [0, 1] as const) field.copyPart(norm, part, square, 1);
    run.multiplyPairwise(root, root, norm);
    for (const part of [0, 1] as const) {
      field.copyPart(to, 0, halves, part);
      field.copyPart(to, 1, root, part);
      if (this.isRoot(to)) return true;
      field.copyPart(to, 0, root, part, -1);
      field.copyPart(to, 1, halves, part);
      if (this.isRoot(to)) return true;
    }
    return false;
  }

  private isRoot(a: Address): boolean {
    const { field, square, norm } = this;
    field.run.square(norm, a);
    field.run.minus(norm, norm, square);
    return field.isZero(norm);
  }

  /** Takes the other root where the bytes say so. */
  private choose(y: Address, part: Part, bytes: Uint8Array): void {
    const { field } = this;
    const isGreater = ((bytes[0] ?? 0) & GREATER) > 0;
    if (isAboveHalf(field.plainValue(y, part)) !== isGreater) field.copyPart(y, part, y, part, -1);
  }

  /**
   * Whether u² (x, y) is the negative of (BETA x, y), for both points: f(x, y) = (BETA x, y) satisfies f² + f + 1 = 0, so a point that
   * passes is 0 when it is multiplied by u⁴ - u² + 1, the group's order.
   */
  private isInGroup(point: Address): boolean {
    const { field, multiple, base, root, square } = this;
    const { run } = field;
    const [x, y, z] = [multiple, multiple + NUMBER, multiple + 2 * NUMBER];
    field.copy(base, point, 2 * NUMBER);
    for (const part of [0, 1] as const) field.copyPart(base + 2 * NUMBER, part, field.one, 0);
    for (let round = 0; round < 2; round++) {
      field.copy(multiple, base, 3 * NUMBER);
      for (const adds of SEED_ADDS) {
        run.doublePoints(multiple);
        if (adds) run.addPoints(multiple, base);
      }
      field.copy(base, multiple, 3 * NUMBER);
    }
    run.multiplyPairwise(root, point, this.beta);
    run.multiplyPairwise(root, root, z);
    run.minus(root, root, x);
    run.multiplyPairwise(square, point + NUMBER, z);
    run.plus(square, square, y);
    return field.isZero(root) && field.isZero(square);
  }
}

function isPlain(bytes: Uint8Array): boolean {
  return ((bytes[0] ?? 0) & (COMPRESSED | INFINITY)) === COMPRESSED;
}

function isAboveHalf(value: bigint): boolean {
  return value > (P - 1n) / 2n;
}
