import { assemble } from '../assembler.js';
import { P } from '../bn254/functions.js';
import { inverse } from '../inverse.js';
import { FIELD_BYTES, LIMB_BITS, LIMBS } from '../limbs.js';
import { readBytes } from '../number-bytes.js';
import { compileModule, createMemory, instantiate } from '../web-assembly.js';
import { quotient, raised, times } from './complex.js';
import { type Complex, type Field, montgomery, numberBytes, writeComplex } from './complex-field.js';
import { DEGREE, MINUS_TWO, ONE, PLACES_END, THREE_B, TWO, timesNinePlusI, towerFunctions } from './tower.js';

/** The functions of the module; what they take are addresses, that of the result first. */
interface Functions {
  multiply(to: number, a: number, b: number): void;
  square(to: number, a: number): void;
  lessProduct(to: number, a: number, b: number, c: number): void;
  timesXi(to: number, a: number): void;
  minus(to: number, a: number, b: number): void;
  plus(to: number, a: number, b: number): void;
  negate(to: number, a: number): void;
  conjugate(to: number, a: number): void;
  isZero(a: number): number;
  multiplyTower(to: number, f: number, g: number): void;
  squareTower(to: number, f: number): void;
  squareCyclotomic(to: number, f: number): void;
  multiplyByLine(f: number, line: number, point: number): void;
  doubleStep(point: number, line: number): void;
  addStep(point: number, other: number, line: number): void;
  inverse(to: number, a: number): void;
  readBytes(to: number, bytes: number): number;
}

/** Limbs as those of `limbs.ts`, which `inverse` and `readBytes` work with. */
const FIELD: Field = { prime: P, limbs: LIMBS, limbBits: LIMB_BITS };
const MONTGOMERY = montgomery(FIELD);
/** Bytes of a number a + b i, and of one of the field that pairings lie in: a tower of six. */
export const NUMBER: number = numberBytes(FIELD);
export const TOWER: number = DEGREE * NUMBER;

/** Bytes of a part of a number, the highest first. */
export const WORD = 32;

/** The twist is y² = x³ + 3 / XI. */
const XI: Complex = [9n, 1n];
export const TWIST_B: Complex = quotient([3n, 0n], XI);

/** Where a value lies in the module's memory. */
export type Address = number;

/** The field that pairings of BN254 lie in: a module, its memory, and what is computed of single numbers and towers. */
export class PairingField {
  readonly run: Functions;
  private readonly words: Int32Array;
  private readonly bytes: Uint8Array;
  private end = PLACES_END * NUMBER;
  private readonly temp = this.room(NUMBER);
  private readonly other = this.room(NUMBER);
  private readonly norm = this.room(TOWER);
  private readonly conjugated = this.room(TOWER);
  private readonly exchange = this.room(WORD);
  private readonly words64 = this.room(2 * FIELD_BYTES);
  private readonly toMontgomery: Address;
  private readonly ofInverse: Address;
  /** Powers of ξ that the p-th, p²-th and p³-th powers of w differ from w by, for each power of w. */
  private readonly frobenius: readonly (readonly Address[])[];

  constructor() {
    const memory = createMemory(2, 2);
    const functions = towerFunctions({ field: FIELD, timesXi: timesNinePlusI, linePowers: [0, 1, 3] });
    const binary = assemble([], [...functions, inverse(P), readBytes(P)]);
    this.run = instantiate<Functions>(compileModule(binary), { env: { memory } }).exports;
    this.words = new Int32Array(memory.buffer);
    this.bytes = new Uint8Array(memory.buffer);
    this.place(ONE * NUMBER, [1n, 0n]);
    this.place(TWO * NUMBER, [2n, 0n]);
    this.place(MINUS_TWO * NUMBER, [P - 2n, 0n]);
    this.place(THREE_B * NUMBER, times(TWIST_B, [3n, 0n]));
    this.toMontgomery = this.constant([MONTGOMERY, 0n]);
    this.ofInverse = this.constant([MONTGOMERY ** 2n % P, 0n]);
    this.frobenius = [1n, 2n, 3n].map((power) =>
      Array.from({ length: DEGREE }, (_, at) =>
        this.constant(raised(XI, (BigInt(at) * (P ** power - 1n)) / BigInt(DEGREE))),
      ),
    );
  }

  room(bytes: number): Address {
    this.end += bytes;
    return this.end - bytes;
  }

  /** A number that stays. */
  constant(value: Complex): Address {
    const at = this.room(NUMBER);
    this.place(at, value);
    return at;
  }

  copy(to: Address, from: Address, bytes: number): void {
    this.words.copyWithin(to >> 2, from >> 2, (from + bytes) >> 2);
  }

  /** Takes 32 bytes as a number without an imaginary part. @returns false for what is not below the prime */
  readReal(to: Address, bytes: Uint8Array, at: number): boolean {
    this.words.fill(0, to >> 2, (to + NUMBER) >> 2);
    return this.readPart(to, bytes, at, 0) && this.keep(to);
  }

  /** Takes 64 bytes, the imaginary part first. @returns false for what is not below the prime */
  readComplex(to: Address, bytes: Uint8Array, at: number): boolean {
    return this.readPart(to, bytes, at, 1) && this.readPart(to, bytes, at + WORD, 0) && this.keep(to);
  }

  /** A product that was not added to has one form of 0 only. */
  isZero(a: Address): boolean {
    this.run.multiply(this.other, a, ONE * NUMBER);
    return this.run.isZero(this.other) === 1;
  }

  setOne(f: Address): void {
    this.words.fill(0, f >> 2, (f + TOWER) >> 2);
    this.copy(f, ONE * NUMBER, NUMBER);
  }

  isOne(f: Address): boolean {
    const { run, temp } = this;
    for (let at = 0; at < DEGREE; at++) {
      const part = f + at * NUMBER;
      if (at === 0) run.minus(temp, part, ONE * NUMBER);
      if (!this.isZero(at === 0 ? temp : part)) return false;
    }
    return true;
  }

  /** f^(p^6): w becomes -w. */
  conjugate(to: Address, f: Address): void {
    if (to !== f) this.copy(to, f, TOWER);
    for (let at = 1; at < DEGREE; at += 2) this.run.negate(to + at * NUMBER, to + at * NUMBER);
  }

  /** 1 / f, by its product with its conjugate, which has even powers of w only, and that one's norm. */
  invert(to: Address, f: Address): void {
    const { run, temp, other, norm: g, conjugated: h } = this;
    this.conjugate(h, f);
    run.multiplyTower(g, f, h);
    const [a, b, c] = [g, g + 2 * NUMBER, g + 4 * NUMBER];
    this.words.fill(0, to >> 2, (to + TOWER) >> 2);
    const [x, y, z] = [to, to + 2 * NUMBER, to + 4 * NUMBER];
    run.timesXi(temp, c);
    run.square(x, a);
    run.lessProduct(x, x, b, temp);
    run.multiply(y, temp, c);
    run.lessProduct(y, y, a, b);
    run.square(z, b);
    run.lessProduct(z, z, a, c);
    // a x + ξ (c y + b z)
    run.multiply(temp, temp, y);
    run.multiply(other, b, z);
    run.timesXi(other, other);
    run.plus(temp, temp, other);
    run.multiply(other, a, x);
    run.plus(temp, temp, other);
    this.invertComplex(temp, temp);
    for (const part of [x, y, z]) run.multiply(part, part, temp);
    run.multiplyTower(to, to, h);
  }

  /** What the power of w at a place is multiplied by when a tower is raised to p^power. */
  power(power: 1 | 2 | 3, at: number): Address {
    return this.frobenius[power - 1]?.[at] ?? 0;
  }

  /** f^(p^power) */
  raise(to: Address, f: Address, power: 1 | 2 | 3): void {
    for (let at = 0; at < DEGREE; at++) {
      const [part, factor] = [at * NUMBER, this.power(power, at)];
      if (power !== 2) this.run.conjugate(to + part, f + part);
      this.run.multiply(to + part, (power === 2 ? f : to) + part, factor);
    }
  }

  /** 1 / (a + b i) is (a - b i) / (a² + b²). */
  private invertComplex(to: Address, a: Address): void {
    const { run, words, words64, other } = this;
    run.conjugate(other, a);
    run.multiply(other, other, a);
    for (let at = 0; at < LIMBS; at++) {
      const limb = words[(other >> 2) + 4 * at] ?? 0;
      words.set([limb, limb >> 31], (words64 >> 2) + 2 * at);
    }
    run.inverse(words64 + FIELD_BYTES, words64);
    for (let at = 0; at < LIMBS; at++) {
      const limb = words[((words64 + FIELD_BYTES) >> 2) + 2 * at] ?? 0;
      words.set([limb, 0, 0, limb], (other >> 2) + 4 * at);
    }
    run.multiply(other, other, this.ofInverse);
    run.conjugate(to, a);
    run.multiply(to, to, other);
  }

  private place(at: Address, [a, b]: Complex): void {
    writeComplex(this.words, at, FIELD, [(a * MONTGOMERY) % P, (b * MONTGOMERY) % P]);
  }

  /** Brings a number that was read into the form in which numbers are kept. */
  private keep(to: Address): true {
    this.run.multiply(to, to, this.toMontgomery);
    return true;
  }

  /** Takes 32 bytes into one of the parts. @returns false for what is not below the prime */
  private readPart(to: Address, bytes: Uint8Array, from: number, part: 0 | 1): boolean {
    const { words, words64 } = this;
    this.bytes.set(bytes.subarray(from, from + WORD), this.exchange);
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
