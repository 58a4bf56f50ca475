import { inverse } from '../inverse.js';
import { FIELD_BYTES, LIMB_BITS, LIMBS } from '../limbs.js';
import { readBytes } from '../number-bytes.js';
import { ComplexNumbers } from '../pairing/complex.js';
import { type Complex, type Field, montgomery, numberBytes } from '../pairing/complex-field.js';
import {
  compileCurve,
  type MemoryOffset,
  type PairingCurve,
  PairingField,
  type TowerFunctions,
} from '../pairing/pairing-field.js';
import { DEGREE, timesNinePlusI } from '../pairing/tower.js';
import { WORDS } from '../pairing/word-functions.js';
import { BN254_P } from './functions.js';

interface Functions extends TowerFunctions {
  inverse(to: number, a: number): void;
  readBytes(to: number, bytes: number): number;
}

/** Number form of `limbs.ts`, used by `inverse` and `readBytes`. */
const FIELD: Field = { prime: BN254_P, limbs: LIMBS, limbBits: LIMB_BITS, form: WORDS };

/** Size of a number a + b i in bytes, and of an element of the pairing field. */
export const BN254_NUMBER: number = numberBytes(FIELD);
export const BN254_TOWER: number = DEGREE * BN254_NUMBER;

/** Encoded size of the real or the imaginary part of a number in bytes, big-endian. */
export const BN254_WORD = 32;

/** The twist is y² = x³ + 3 / XI. */
const XI: Complex = [9n, 1n];
export const TWIST_B: Complex = new ComplexNumbers(BN254_P).quotient([3n, 0n], XI);

const CURVE: PairingCurve = {
  field: FIELD,
  xi: XI,
  twistB: TWIST_B,
  timesXi: timesNinePlusI,
  linePowers: [0, 1, 3],
  more: () => [inverse(BN254_P), readBytes(BN254_P)],
};
const PAGES = 2;

/** The pairing field of BN254, and decoding of its numbers. */
export class Bn254Field extends PairingField<Functions> {
  private readonly exchange = this.allocate(BN254_WORD);
  private readonly words64 = this.allocate(2 * FIELD_BYTES);
  private readonly ofInverse = this.constant([montgomery(FIELD) ** 2n % BN254_P, 0n]);

  constructor() {
    super(CURVE, PAGES, compileCurve(CURVE));
  }

  /** Reads 32 bytes as a real number. @returns false if the value is not below the prime */
  readReal(to: MemoryOffset, bytes: Uint8Array, at: number): boolean {
    this.zero(to, this.number);
    return this.readPart(to, bytes, at, 0) && this.keep(to);
  }

  /** Reads 64 bytes as a complex number, imaginary part first. @returns false if a part is not below the prime */
  readComplex(to: MemoryOffset, bytes: Uint8Array, at: number): boolean {
    return this.readPart(to, bytes, at, 1) && this.readPart(to, bytes, at + BN254_WORD, 0) && this.keep(to);
  }

  override invertReal(at: MemoryOffset): void {
    const { run, words, words64 } = this;
    for (let limb = 0; limb < LIMBS; limb++) {
      const word = words[(at >> 2) + 4 * limb] ?? 0;
      words.set([word, word >> 31], (words64 >> 2) + 2 * limb);
    }
    run.inverse(words64 + FIELD_BYTES, words64);
    for (let limb = 0; limb < LIMBS; limb++) {
      const word = words[((words64 + FIELD_BYTES) >> 2) + 2 * limb] ?? 0;
      words.set([word, 0, 0, word], (at >> 2) + 4 * limb);
    }
    run.multiply(at, at, this.ofInverse);
  }

  /** Reads 32 bytes into a part. @returns false if the value is not below the prime */
  private readPart(to: MemoryOffset, bytes: Uint8Array, from: number, part: 0 | 1): boolean {
    const { words, words64 } = this;
    this.bytes.set(bytes.subarray(from, from + BN254_WORD), this.exchange);
    if (this.run.readBytes(words64, this.exchange) === 0) return false;
    for (let at = 0; at < LIMBS; at++) {
      const limb = words[(words64 >> 2) + 2 * at] ?? 0;
      const word = (to >> 2) + 4 * at;
      words[word + part] = limb;
      words[word + 3 - part] = part === 0 ? limb : -limb;
    }
    return true;
  }
}
