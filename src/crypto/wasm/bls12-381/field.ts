import { invert } from '@noble/curves/abstract/modular.js';
import { inverse } from '../inverse.js';
import { signedDigits } from '../limbs.js';
import { type Complex, digitsOf, type Field, montgomery, numberBytes } from '../pairing/complex-field.js';
import {
  compileCurve,
  type MemoryOffset,
  type PairingCurve,
  PairingField,
  type TowerFunctions,
} from '../pairing/pairing-field.js';
import { DEGREE, timesOnePlusI } from '../pairing/tower.js';
import { powerSteps } from '../power-steps.js';
import { composePoints, pointNumbers } from './points.js';

/** Prime p of the coordinate field. */
export const BLS12_381_P =
  0x1a01_11ea_397f_e69a_4b1b_a7b6_434b_acd7_6477_4b84_f385_12bf_6730_d2a0_f6b0_f624_1eab_fffe_b153_ffff_b9fe_ffff_ffff_aaabn;
/** Order of the groups G1 and G2. */
export const BLS12_381_ORDER = 0x73ed_a753_299d_7d48_3339_d808_09a1_d805_53bd_a402_fffe_5bfe_ffff_ffff_0000_0001n;
/** The number −u, where u is the BLS parameter. Prime and group order of the curve are polynomials in u. */
export const MINUS_SEED = 0xd201_0000_0001_0000n;
/**
 * A cube root of 1 modulo p, other than 1. For a point P = (x, y) of G1, the point (CUBE_ROOT × x, y) is −u² × P, where
 * u is the BLS parameter.
 */
export const CUBE_ROOT =
  0x5f19_672f_df76_ce51_ba69_c607_6a0f_77ea_ddb3_a93b_e6f8_9688_de17_d813_620a_0002_2e01_ffff_fffe_fffen;
/**
 * For each bit of −u after the highest bit: true if the bit is 1. Used for a multiplication by −u (double and add)
 * and for a power with exponent −u (square and multiply): an addition or multiplication follows if the element is
 * true.
 */
export const SEED_ADDS: readonly boolean[] = [...MINUS_SEED.toString(2)].slice(1).map((bit) => bit === '1');

/**
 * Field elements have 14 limbs of 28 bits, together 392 bits. 2^392 is more than 2^11 × p.
 *
 * The reduction of a sum of products s returns a value between s / 2^392 − p / 2 and s / 2^392 + p / 2. The result is
 * therefore between −p and p if s is below 2^10 × p². In the verification of a proof, results that include an addend
 * stay below 3 × p, and factors in point formulas stay below 19 × p.
 */
const FIELD: Field = { prime: BLS12_381_P, limbs: 14, limbBits: 28 };
const LIMB_BITS = BigInt(FIELD.limbBits);
/** Layout of field elements in the function `inverse`: the limbs of `FIELD`, each in a 64-bit word. */
const INVERSE_FORM = { limbs: 14, limbBits: 28 };
const INVERSE_MONTGOMERY = invert(montgomery(FIELD), BLS12_381_P);

/** Size of a number a + b × i in bytes. */
export const BLS12_381_NUMBER: number = numberBytes(FIELD);
/** Size in bytes of an element of Fp12, the field of pairing values. An element consists of six numbers a + b × i. */
export const BLS12_381_TOWER: number = DEGREE * BLS12_381_NUMBER;
/** Size in bytes of a projective point X : Y : Z. Its affine coordinates are X / Z and Y / Z. */
export const POINT: number = 3 * BLS12_381_NUMBER;
export const BLS12_381_LIMBS = FIELD.limbs;

/** Constant ξ = 1 + i. The equation of the twist is y² = x³ + 4 × XI. */
export const XI: Complex = [1n, 1n];
/** Constant 4 × XI of the equation of the twist. */
const TWIST_B: Complex = [4n, 4n];

/** Size in bytes of an encoded real or imaginary part. The byte order is big-endian. */
export const BLS12_381_WORD = 48;
/**
 * Number of 32-bit words per limb. The first two words are the real and the imaginary part. `Field` explains the
 * other two.
 */
const WORDS_PER_LIMB = 4;

interface Functions extends TowerFunctions {
  multiplyPairwise(to: number, a: number, b: number): void;
  squarePairwise(to: number, a: number): void;
  doublePoints(point: number): void;
  addPoints(point: number, other: number): void;
  addAffine(point: number, other: number): void;
  inverse(to: number, a: number): void;
}

/** Part of a number a + b i: 0 for real, 1 for imaginary. */
export type Bls12381Part = 0 | 1;

/** Window size in bits for the power (p − 3) / 4. */
const POWER_WINDOW = 5;
/** Steps of the power (p − 3) / 4 with a table of odd powers. */
const POWER = powerSteps((BLS12_381_P - 3n) / 4n, POWER_WINDOW);

const CURVE: PairingCurve = {
  field: FIELD,
  xi: XI,
  twistB: TWIST_B,
  timesXi: timesOnePlusI,
  linePowers: [3, 2, 0],
  numbers: pointNumbers,
  compose: composePoints,
  more: () => [inverse(BLS12_381_P, INVERSE_FORM)],
};
let compiled: object | undefined;

/**
 * Arithmetic in Fp2 and Fp12 of BLS12-381. A number a + b × i can also store two separate numbers modulo p, as its real
 * and imaginary part.
 */
export class Bls12381Field extends PairingField<Functions> {
  private readonly plainOne: MemoryOffset;
  private readonly odd: readonly MemoryOffset[];
  private readonly square: MemoryOffset;
  private readonly copyOf: MemoryOffset;
  private readonly wide: MemoryOffset;
  private readonly ofInverse: MemoryOffset;

  constructor(pages: number) {
    compiled ??= compileCurve(CURVE);
    super(CURVE, pages, compiled);
    this.plainOne = this.allocate(this.number);
    this.store(this.plainOne, [INVERSE_MONTGOMERY, 0n]);
    this.odd = Array.from({ length: 1 << (POWER_WINDOW - 1) }, () => this.allocate(this.number));
    [this.square, this.copyOf] = [this.allocate(this.number), this.allocate(this.number)];
    this.wide = this.allocate(INVERSE_FORM.limbs * 8);
    this.ofInverse = this.constant([montgomery(FIELD) ** 2n % BLS12_381_P, 0n]);
  }

  /**
   * Reads 48 bytes into the real or the imaginary part of a number. Ignores the three highest bits, which are flags.
   * Call {@link keepRead} after both parts are read.
   * @returns false if the value is not below the prime
   */
  readPart(to: MemoryOffset, bytes: Uint8Array, from: number, part: Bls12381Part): boolean {
    let isBelow = false;
    const byte = (at: number): number => (bytes[from + at] ?? 0) & (at === 0 ? 0x1f : 0xff);
    for (let at = 0; at < BLS12_381_WORD; at++) {
      const difference = byte(at) - (PRIME_BYTES[at] ?? 0);
      if (difference > 0 && !isBelow) return false;
      isBelow ||= difference < 0;
    }
    if (!isBelow) return false;
    let [limb, value, bits] = [0, 0, 0];
    for (let at = BLS12_381_WORD - 1; at >= 0; at--) {
      const width = Math.min(8, FIELD.limbBits - bits);
      value += (byte(at) & ((1 << width) - 1)) * 2 ** bits;
      bits += width;
      if (bits < FIELD.limbBits && at > 0) continue;
      this.setLimb(to, limb++, part, value);
      value = byte(at) >> width;
      bits = 8 - width;
    }
    return true;
  }

  keepRead(at: MemoryOffset): void {
    this.keep(at);
  }

  /** Returns the real or imaginary part of a number as a value below the prime. */
  plainValue(at: MemoryOffset, part: Bls12381Part): bigint {
    this.run.multiply(this.copyOf, at, this.plainOne);
    return ((this.partOf(this.copyOf, part) % BLS12_381_P) + BLS12_381_P) % BLS12_381_P;
  }

  /**
   * Copies the real or imaginary part of a number, multiplied by `sign`, to a part of another number. Does not change
   * the other part of the target.
   */
  copyPart(to: MemoryOffset, toPart: Bls12381Part, from: MemoryOffset, part: Bls12381Part, sign: 1 | -1 = 1): void {
    for (let limb = 0; limb < BLS12_381_LIMBS; limb++)
      this.setLimb(to, limb, toPart, sign * this.limbOf(from, limb, part));
  }

  /**
   * Copies one of the two points (x, y, z) at `from` into the real parts at `to`. Sets the imaginary parts to 0. `to`
   * may equal `from`.
   */
  copyReal(to: MemoryOffset, from: MemoryOffset, part: Bls12381Part): void {
    for (let at = 0; at < POINT; at += BLS12_381_NUMBER) {
      this.copyPart(to + at, 0, from + at, part);
      this.copyPart(to + at, 1, this.one, 1);
    }
  }

  /** Writes infinity (x = 0, y = 1, z = 0) into the real or imaginary parts of a point. */
  storeInfinity(point: MemoryOffset, part: Bls12381Part): void {
    for (let at = 0; at < POINT; at += BLS12_381_NUMBER)
      this.copyPart(point + at, part, this.one, at === BLS12_381_NUMBER ? 0 : 1);
  }

  /** Writes adjacent limbs of an array, multiplied by `sign`, to the real or imaginary part of a number. */
  writeLimbs(to: MemoryOffset, part: Bls12381Part, limbs: Int32Array, from: number, sign: 1 | -1): void {
    for (let limb = 0; limb < BLS12_381_LIMBS; limb++) this.setLimb(to, limb, part, sign * (limbs[from + limb] ?? 0));
  }

  /** Copies the real or imaginary part of a number to adjacent limbs of an array. */
  readLimbs(limbs: Int32Array, to: number, from: MemoryOffset, part: Bls12381Part): void {
    for (let limb = 0; limb < BLS12_381_LIMBS; limb++) limbs[to + limb] = this.limbOf(from, limb, part);
  }

  /** Raises both parts to the power (p − 3) / 4. For a square s, the result is 1 / √s, so s × result is √s. */
  raiseToRoot(to: MemoryOffset, a: MemoryOffset): void {
    const { run, odd, square } = this;
    const [first] = odd as [MemoryOffset];
    this.copy(first, a, this.number);
    run.squarePairwise(square, first);
    for (let at = 1; at < odd.length; at++) run.multiplyPairwise(odd[at] ?? 0, odd[at - 1] ?? 0, square);
    for (const [at, { squares, factor }] of POWER.entries()) {
      if (at === 0) this.copy(to, odd[factor ?? 0] ?? 0, this.number);
      else {
        for (let i = 0; i < squares; i++) run.squarePairwise(to, to);
        if (factor !== undefined) run.multiplyPairwise(to, to, odd[factor] ?? 0);
      }
    }
  }

  /** Replaces the real part and the imaginary part of a number by their inverses modulo p. The inverse of 0 is 0. */
  invertPairwise(at: MemoryOffset): void {
    const { run, copyOf } = this;
    // p − 2 is 4 × (p − 3) / 4 + 1, so 1 / a is the fourth power of a^((p − 3) / 4), multiplied by a.
    this.raiseToRoot(copyOf, at);
    run.squarePairwise(copyOf, copyOf);
    run.squarePairwise(copyOf, copyOf);
    run.multiplyPairwise(at, at, copyOf);
  }

  /**
   * Replaces nonzero real numbers by their inverses. Inverts only the product of all numbers (Montgomery's trick).
   * @param products workspace for one number more than the list has
   */
  invertAll(numbers: readonly MemoryOffset[], products: MemoryOffset): void {
    const { run, copyOf } = this;
    const product = (at: number): MemoryOffset => products + at * BLS12_381_NUMBER;
    this.copy(product(0), this.one, BLS12_381_NUMBER);
    for (const [at, number] of numbers.entries()) run.multiply(product(at + 1), product(at), number);
    const inverse = product(numbers.length);
    this.invertReal(inverse);
    for (const [at, number] of [...numbers.entries()].reverse()) {
      this.copy(copyOf, number, BLS12_381_NUMBER);
      run.multiply(number, product(at), inverse);
      run.multiply(inverse, inverse, copyOf);
    }
  }

  override invertReal(at: MemoryOffset): void {
    const { wide } = this;
    const limbs = new BigInt64Array(this.bytes.buffer, wide, INVERSE_FORM.limbs);
    const { limbBits } = INVERSE_FORM;
    for (const [limb, digit] of signedDigits(this.partOf(at, 0), INVERSE_FORM.limbs, limbBits).entries())
      limbs[limb] = digit;
    this.run.inverse(wide, wide);
    const inverse = limbs.reduceRight((sum, limb) => (sum << BigInt(limbBits)) + limb, 0n);
    this.zero(at, this.number);
    for (const [limb, digit] of digitsOf(FIELD, inverse).entries()) this.setLimb(at, limb, 0, digit);
    this.run.multiply(at, at, this.ofInverse);
  }

  /** Returns the real or imaginary part as stored, in Montgomery form. The value may be negative. */
  private partOf(at: MemoryOffset, part: Bls12381Part): bigint {
    let value = 0n;
    for (let limb = BLS12_381_LIMBS - 1; limb >= 0; limb--)
      value = (value << LIMB_BITS) + BigInt(this.limbOf(at, limb, part));
    return value;
  }

  private limbOf(at: MemoryOffset, limb: number, part: Bls12381Part): number {
    return this.words[(at >> 2) + WORDS_PER_LIMB * limb + part] ?? 0;
  }

  private setLimb(at: MemoryOffset, limb: number, part: Bls12381Part, value: number): void {
    const first = (at >> 2) + WORDS_PER_LIMB * limb;
    this.words[first + part] = value;
    this.words[first + WORDS_PER_LIMB - 1 - part] = part === 0 ? value : -value;
  }
}

const PRIME_BYTES = Uint8Array.from(Buffer.from(BLS12_381_P.toString(16).padStart(2 * BLS12_381_WORD, '0'), 'hex'));
