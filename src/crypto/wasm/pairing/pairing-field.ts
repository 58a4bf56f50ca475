import { assemble, type WasmFunction } from '../assembler.js';
import { compileRelaxed, createMemory, instantiate } from '../web-assembly.js';
import { ComplexNumbers } from './complex.js';
import { type Complex, montgomery, numberBytes, writeComplex } from './complex-field.js';
import { ONE_TERM } from './composer.js';
import { DEGREE, THREE_B, TOWER_MEMORY_END, type Tower, towerFunctions } from './tower.js';

/** The functions of every such module; what they take are addresses, that of the result first. */
export interface TowerFunctions {
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
}

/** What a curve gives to the field that its pairings lie in. */
export interface PairingCurve extends Tower {
  /** Of the twist's equation. */
  readonly xi: Complex;
  readonly twistB: Complex;
  /** Functions that the module has beside those that are made for every curve. */
  readonly more?: readonly WasmFunction[];
}

export function compileCurve(curve: PairingCurve): object {
  return compileRelaxed(assemble([], [...towerFunctions(curve), ...(curve.more ?? [])]));
}

/** Where a value lies in the module's memory. */
export type MemoryOffset = number;

/**
 * The field that pairings of a curve lie in: a module, its memory, and what is computed of single numbers and towers.
 */
export abstract class PairingField<Functions extends TowerFunctions> {
  readonly run: Functions;
  /** Bytes of a number a + b i, and of one of the field that pairings lie in: a tower of six. */
  readonly number: number;
  readonly tower: number;
  readonly one: MemoryOffset;
  protected readonly words: Int32Array;
  protected readonly doubles: Float64Array;
  protected readonly bytes: Uint8Array;
  private readonly curve: PairingCurve;
  private readonly montgomery: bigint;
  private end: number;
  private readonly temp: MemoryOffset;
  private readonly other: MemoryOffset;
  private readonly norm: MemoryOffset;
  private readonly conjugated: MemoryOffset;
  private readonly toMontgomery: MemoryOffset;
  /** Powers of ξ that the p-th, p²-th and p³-th powers of w differ from w by, for each power of w. */
  private readonly frobenius: readonly (readonly MemoryOffset[])[];

  /** @param pages of 64 KiB, of the memory @param module the curve's */
  constructor(curve: PairingCurve, pages: number, module: object) {
    const { field, xi } = curve;
    const { prime } = field;
    this.curve = curve;
    this.number = numberBytes(field);
    this.tower = DEGREE * this.number;
    this.one = ONE_TERM * this.number;
    this.end = TOWER_MEMORY_END * this.number;
    this.montgomery = montgomery(field);
    const memory = createMemory(pages, pages);
    this.run = instantiate<Functions>(module, { env: { memory } }).exports;
    this.words = new Int32Array(memory.buffer);
    this.doubles = new Float64Array(memory.buffer);
    this.bytes = new Uint8Array(memory.buffer);
    const numbers = new ComplexNumbers(prime);
    this.place(this.one, [1n, 0n]);
    this.place(THREE_B * this.number, numbers.times(curve.twistB, [3n, 0n]));
    [this.temp, this.other] = [this.room(this.number), this.room(this.number)];
    [this.norm, this.conjugated] = [this.room(this.tower), this.room(this.tower)];
    this.toMontgomery = this.constant([this.montgomery, 0n]);
    this.frobenius = [1n, 2n, 3n].map((power) =>
      Array.from({ length: DEGREE }, (_, at) =>
        this.constant(numbers.raised(xi, (BigInt(at) * (prime ** power - 1n)) / BigInt(DEGREE))),
      ),
    );
  }

  /** Replaces a number without an imaginary part, as a product left it, by its inverse, and 0 by 0. */
  abstract invertReal(at: MemoryOffset): void;

  /** Room that stays for ever. @throws {RangeError} there is none */
  room(bytes: number): MemoryOffset {
    if (this.end + bytes > this.bytes.length) throw new RangeError(`the memory has no room for ${bytes} bytes`);
    this.end += bytes;
    return this.end - bytes;
  }

  /** A number that stays. */
  constant(value: Complex): MemoryOffset {
    const at = this.room(this.number);
    this.place(at, value);
    return at;
  }

  place(at: MemoryOffset, [a, b]: Complex): void {
    const { field } = this.curve;
    const kept = (value: bigint): bigint => (value * this.montgomery) % field.prime;
    writeComplex({ words: this.words, doubles: this.doubles }, at, field, [kept(a), kept(b)]);
  }

  copy(to: MemoryOffset, from: MemoryOffset, bytes: number): void {
    this.words.copyWithin(to >> 2, from >> 2, (from + bytes) >> 2);
  }

  zero(at: MemoryOffset, bytes: number): void {
    this.words.fill(0, at >> 2, (at + bytes) >> 2);
  }

  /** Brings a number that was read into the form in which numbers are kept. */
  protected keep(to: MemoryOffset): true {
    this.run.multiply(to, to, this.toMontgomery);
    return true;
  }

  /** A product that was not added to has one form of 0 only. */
  isZero(a: MemoryOffset): boolean {
    this.run.multiply(this.other, a, this.one);
    return this.run.isZero(this.other) === 1;
  }

  setOne(f: MemoryOffset): void {
    this.zero(f, this.tower);
    this.copy(f, this.one, this.number);
  }

  isOne(f: MemoryOffset): boolean {
    const { run, temp } = this;
    for (let at = 0; at < DEGREE; at++) {
      const part = f + at * this.number;
      if (at === 0) run.minus(temp, part, this.one);
      if (!this.isZero(at === 0 ? temp : part)) return false;
    }
    return true;
  }

  /** f^(p^6): w becomes -w. */
  conjugate(to: MemoryOffset, f: MemoryOffset): void {
    if (to !== f) this.copy(to, f, this.tower);
    for (let at = 1; at < DEGREE; at += 2) this.run.negate(to + at * this.number, to + at * this.number);
  }

  /** f^((p^6 - 1)(p² + 1)), into f; what it is to be inverted by is computed in `temp`. */
  raiseEasy(f: MemoryOffset, temp: MemoryOffset): void {
    this.invert(temp, f);
    this.conjugate(f, f);
    this.run.multiplyTower(f, f, temp);
    this.raise(temp, f, 2);
    this.run.multiplyTower(f, f, temp);
  }

  /** 1 / f, by its product with its conjugate, which has even powers of w only, and that one's norm. */
  private invert(to: MemoryOffset, f: MemoryOffset): void {
    const { run, temp, other, norm: g, conjugated: h, number } = this;
    this.conjugate(h, f);
    run.multiplyTower(g, f, h);
    const [a, b, c] = [g, g + 2 * number, g + 4 * number];
    this.zero(to, this.tower);
    const [x, y, z] = [to, to + 2 * number, to + 4 * number];
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
    this.invertComplex(temp);
    for (const part of [x, y, z]) run.multiply(part, part, temp);
    run.multiplyTower(to, to, h);
  }

  /** What the power of w at a place is multiplied by when a tower is raised to p^power. */
  power(power: 1 | 2 | 3, at: number): MemoryOffset {
    return this.frobenius[power - 1]?.[at] ?? 0;
  }

  /** f^(p^power) */
  raise(to: MemoryOffset, f: MemoryOffset, power: 1 | 2 | 3): void {
    for (let at = 0; at < DEGREE; at++) {
      const [part, factor] = [at * this.number, this.power(power, at)];
      if (power !== 2) this.run.conjugate(to + part, f + part);
      this.run.multiply(to + part, (power === 2 ? f : to) + part, factor);
    }
  }

  /** 1 / (a + b i) is (a - b i) / (a² + b²). */
  invertComplex(a: MemoryOffset): void {
    const { run, other } = this;
    run.conjugate(other, a);
    run.multiply(other, other, a);
    this.invertReal(other);
    run.conjugate(a, a);
    run.multiply(a, a, other);
  }
}
