import type { MemoryOffset } from '../pairing/pairing-field.js';
import {
  BLS12_381_NUMBER,
  BLS12_381_P,
  BLS12_381_WORD,
  type Bls12381Field,
  type Bls12381Part,
  CUBE_ROOT,
  SEED_ADDS,
} from './field.js';

export const G1_BYTES = BLS12_381_WORD;
export const G2_BYTES: number = 2 * BLS12_381_WORD;

/** Flag in the first byte of an encoded point: the point is compressed. */
const COMPRESSED = 0x80;
/** Flag in the first byte of an encoded point: the point is infinity. */
const INFINITY = 0x40;
/** Flag in the first byte of an encoded point: y is the greater of its two possible values. */
const GREATER = 0x20;

/**
 * Encoded points of a Groth16 proof. `first` (A) and `second` (C) are points of the curve. `twist` (B) is a point of
 * the twist. A proof contains them in the order A, B, C.
 */
interface ProofBytes {
  readonly first: Uint8Array;
  readonly twist: Uint8Array;
  readonly second: Uint8Array;
}

/**
 * Decompresses points. An encoded point consists of x and a flag that selects one of the two possible values of y. The
 * class rejects infinity and points outside of the group. Format: Zcash.
 */
export class CompressedPoints {
  private readonly field: Bls12381Field;
  /**
   * Memory offset of y² of the two points of the curve. Both values are real; they are stored as real and imaginary
   * part.
   */
  private readonly square: MemoryOffset;
  /** Memory offset of y² of the point of the twist: a number a + b × i. */
  private readonly twistSquare: MemoryOffset;
  private readonly power: MemoryOffset;
  private readonly root: MemoryOffset;
  private readonly norm: MemoryOffset;
  private readonly cubeRoot: MemoryOffset;
  private readonly half: MemoryOffset;
  private readonly four: MemoryOffset;
  private readonly multiple: MemoryOffset;
  private readonly base: MemoryOffset;

  constructor(field: Bls12381Field) {
    this.field = field;
    const allocate = () => field.allocate(BLS12_381_NUMBER);
    [this.square, this.twistSquare, this.power, this.root, this.norm] = [
      allocate(),
      allocate(),
      allocate(),
      allocate(),
      allocate(),
    ];
    this.cubeRoot = field.constant([CUBE_ROOT, CUBE_ROOT]);
    this.half = field.constant([(BLS12_381_P + 1n) / 2n, (BLS12_381_P + 1n) / 2n]);
    this.four = field.constant([4n, 4n]);
    [this.multiple, this.base] = [field.allocate(3 * BLS12_381_NUMBER), field.allocate(3 * BLS12_381_NUMBER)];
  }

  /**
   * Decompresses two points of the curve (48 bytes each) and one point of the twist (96 bytes). Writes x and y of
   * `first` to the real parts at `to`, and x and y of `second` to the imaginary parts. Does not check that the point of
   * the twist is in its group.
   * @returns false if an encoding is invalid, a point of the curve is not in its group, or no point of the twist has
   * this x
   */
  read(to: MemoryOffset, twist: MemoryOffset, { first, second, twist: twistBytes }: ProofBytes): boolean {
    const { field, square, root } = this;
    const { run } = field;
    if (!isPlain(first) || !isPlain(second) || !isPlain(twistBytes)) return false;
    // A point of the twist is encoded as the imaginary part of x, then the real part. Only the imaginary part has
    // flags.
    if (((twistBytes[BLS12_381_WORD] ?? 0) & (COMPRESSED | INFINITY | GREATER)) !== 0) return false;
    if (!field.readPart(to, first, 0, 0) || !field.readPart(to, second, 0, 1)) return false;
    if (!field.readPart(twist, twistBytes, 0, 1) || !field.readPart(twist, twistBytes, BLS12_381_WORD, 0)) return false;
    field.keepRead(to);
    field.keepRead(twist);
    const [y, twistY] = [to + BLS12_381_NUMBER, twist + BLS12_381_NUMBER];
    if (!this.findRoots(to, twist)) return false;
    run.squarePairwise(root, y);
    run.minus(root, root, square);
    if (!field.isZero(root)) return false;
    for (const [part, bytes] of [first, second].entries()) this.choose(y, part as Bls12381Part, bytes);
    const imaginary = field.plainValue(twistY, 1);
    const isGreater = imaginary === 0n ? isAboveHalf(field.plainValue(twistY, 0)) : isAboveHalf(imaginary);
    if (isGreater !== ((twistBytes[0] ?? 0) & GREATER) > 0) run.negate(twistY, twistY);
    return this.isInGroup(to);
  }

  /**
   * Computes y of all three points. For a point of the curve, y is wrong if no point has this x. The caller checks
   * this.
   *
   * For y² = a + b × i of the twist, let n² = a² + b² and h = (a + n) / 2. If this h is 0, let h = (a − n) / 2. Let w
   * = h^((p − 3) / 4). If h is a square, y is h × w + i × b × w / 2. Otherwise, y is −b × w / 2 + i × h × w.
   *
   * This needs four powers. A call of `raiseToRoot` computes two of them in parallel. The first call is for y² of the
   * first curve point and for n², the second call for y² of the second curve point and for h.
   * @returns false if no point of the twist has this x
   */
  private findRoots(to: MemoryOffset, twist: MemoryOffset): boolean {
    const { field, square, twistSquare, power, root, norm, half } = this;
    const { run } = field;
    const [y, twistY] = [to + BLS12_381_NUMBER, twist + BLS12_381_NUMBER];
    run.squarePairwise(square, to);
    run.multiplyPairwise(square, square, to);
    run.plus(square, square, this.four);
    run.square(twistSquare, twist);
    run.multiply(twistSquare, twistSquare, twist);
    run.plus(twistSquare, twistSquare, this.four);
    run.conjugate(norm, twistSquare);
    run.multiply(norm, norm, twistSquare);
    field.copyPart(power, 0, square, 0);
    field.copyPart(power, 1, norm, 0);
    field.raiseToRoot(root, power);
    run.multiplyPairwise(root, root, power);
    field.copyPart(y, 0, root, 0);
    // Stores n and a as the imaginary parts of two numbers with real part 0.
    for (const at of [norm, power]) field.zero(at, BLS12_381_NUMBER);
    field.copyPart(norm, 1, root, 1);
    field.copyPart(power, 1, twistSquare, 0);
    run.plus(root, power, norm);
    if (field.isZero(root)) run.minus(root, power, norm);
    run.multiplyPairwise(power, root, half);
    field.copyPart(power, 0, square, 1);
    field.raiseToRoot(root, power);
    field.copyPart(norm, 1, twistSquare, 1);
    run.multiplyPairwise(norm, norm, root);
    run.multiplyPairwise(norm, norm, half);
    run.multiplyPairwise(root, root, power);
    field.copyPart(y, 1, root, 0);
    field.copyPart(twistY, 0, root, 1);
    field.copyPart(twistY, 1, norm, 1);
    if (this.isTwistRoot(twistY)) return true;
    field.copyPart(twistY, 0, norm, 1, -1);
    field.copyPart(twistY, 1, root, 1);
    return this.isTwistRoot(twistY);
  }

  private isTwistRoot(a: MemoryOffset): boolean {
    const { field, power, twistSquare } = this;
    field.run.square(power, a);
    field.run.minus(power, power, twistSquare);
    return field.isZero(power);
  }

  /** Negates y if the flag selects the other root. */
  private choose(y: MemoryOffset, part: Bls12381Part, bytes: Uint8Array): void {
    const { field } = this;
    const isGreater = ((bytes[0] ?? 0) & GREATER) > 0;
    if (isAboveHalf(field.plainValue(y, part)) !== isGreater) field.copyPart(y, part, y, part, -1);
  }

  /**
   * Returns true if both points are in the group. A point P is in the group if u² × P is the negative of f(P), with
   * f(x, y) = (CUBE_ROOT × x, y).
   *
   * Reason: f satisfies f² + f + 1 = 0. Therefore, the order of a point that passes the test divides u⁴ − u² + 1,
   * which is the group order.
   */
  private isInGroup(point: MemoryOffset): boolean {
    const { field, multiple, base, root, square } = this;
    const { run } = field;
    const [x, y, z] = [multiple, multiple + BLS12_381_NUMBER, multiple + 2 * BLS12_381_NUMBER];
    field.copy(base, point, 2 * BLS12_381_NUMBER);
    for (const part of [0, 1] as const) field.copyPart(base + 2 * BLS12_381_NUMBER, part, field.one, 0);
    for (let round = 0; round < 2; round++) {
      field.copy(multiple, base, 3 * BLS12_381_NUMBER);
      for (const adds of SEED_ADDS) {
        run.doublePoints(multiple);
        if (adds) run.addPoints(multiple, base);
      }
      field.copy(base, multiple, 3 * BLS12_381_NUMBER);
    }
    run.multiplyPairwise(root, point, this.cubeRoot);
    run.multiplyPairwise(root, root, z);
    run.minus(root, root, x);
    run.multiplyPairwise(square, point + BLS12_381_NUMBER, z);
    run.plus(square, square, y);
    return field.isZero(root) && field.isZero(square);
  }
}

function isPlain(bytes: Uint8Array): boolean {
  return ((bytes[0] ?? 0) & (COMPRESSED | INFINITY)) === COMPRESSED;
}

function isAboveHalf(value: bigint): boolean {
  return value > (BLS12_381_P - 1n) / 2n;
}
