import { assemble, type WasmFunction } from '../assembler.js';
import { compileModule, createMemory, instantiate } from '../web-assembly.js';
import { ComplexNumbers } from './complex.js';
import { type Complex, montgomery, numberBytes, writeComplex } from './complex-field.js';
import { ONE_TERM } from './composer.js';
import { DEGREE, THREE_B, TOWER_MEMORY_END, type Tower, towerFunctions } from './tower.js';

/** Functions that every pairing module exports. Parameters are addresses; the first is the address of the result. */
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
  multiplyByMonicLine(f: number, line: number, point: number): void;
  doubleStep(point: number, line: number): void;
  addStep(point: number, other: number, line: number): void;
}

/** Constants and functions of one curve. The WebAssembly module of the curve is compiled from them. */
export interface PairingCurve extends Tower {
  /** Constant ξ of the equation of the twist. */
  readonly xi: Complex;
  readonly twistB: Complex;
  /** Creates the functions that only this curve has. The module contains them after the `towerFunctions`. */
  readonly more: () => readonly WasmFunction[];
}

export function compileCurve(curve: PairingCurve): object {
  return compileModule(assemble([], [...towerFunctions(curve), ...curve.more()]));
}

/** Address of a value in the memory of the module, in bytes. */
export type MemoryOffset = number;

/**
 * Arithmetic of a pairing-friendly curve: a WebAssembly module, its memory, and operations. Operands are elements of
 * Fp2 (a + b × i), or of Fp12 (six elements of Fp2).
 */
export abstract class PairingField<Functions extends TowerFunctions> {
  readonly run: Functions;
  /** Size of a number a + b × i in bytes. */
  readonly number: number;
  /** Size in bytes of an element of Fp12. An element consists of six numbers a + b × i. */
  readonly tower: number;
  readonly one: MemoryOffset;
  protected readonly words: Int32Array;
  protected readonly bytes: Uint8Array;
  private readonly curve: PairingCurve;
  private readonly montgomery: bigint;
  private end: number;
  private readonly temp: MemoryOffset;
  private readonly other: MemoryOffset;
  private readonly norm: MemoryOffset;
  private readonly conjugated: MemoryOffset;
  private readonly toMontgomery: MemoryOffset;
  /** Factors of the Frobenius map for the powers p and p². Each of the two lists has one factor per power of w. */
  private readonly frobenius: readonly (readonly MemoryOffset[])[];

  /** Creates the field. @param pages memory size in pages of 64 KiB @param module compiled module of the curve */
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
    this.bytes = new Uint8Array(memory.buffer);
    const numbers = new ComplexNumbers(prime);
    this.store(this.one, [1n, 0n]);
    this.store(THREE_B * this.number, numbers.times(curve.twistB, [3n, 0n]));
    [this.temp, this.other] = [this.allocate(this.number), this.allocate(this.number)];
    [this.norm, this.conjugated] = [this.allocate(this.tower), this.allocate(this.tower)];
    this.toMontgomery = this.constant([this.montgomery, 0n]);
    this.frobenius = [1n, 2n].map((power) =>
      Array.from({ length: DEGREE }, (_, at) =>
        this.constant(numbers.raised(xi, (BigInt(at) * (prime ** power - 1n)) / BigInt(DEGREE))),
      ),
    );
  }

  /** Replaces a real number by its inverse. The number must be the result of a product. The inverse of 0 is 0. */
  abstract invertReal(at: MemoryOffset): void;

  /** Allocates memory permanently. @throws {RangeError} the memory is exhausted */
  allocate(bytes: number): MemoryOffset {
    if (this.end + bytes > this.bytes.length) throw new RangeError(`cannot allocate ${bytes} bytes: memory exhausted`);
    this.end += bytes;
    return this.end - bytes;
  }

  /** Allocates memory for a constant, and stores the constant. */
  constant(value: Complex): MemoryOffset {
    const at = this.allocate(this.number);
    this.store(at, value);
    return at;
  }

  store(at: MemoryOffset, [a, b]: Complex): void {
    const { field } = this.curve;
    const kept = (value: bigint): bigint => (value * this.montgomery) % field.prime;
    writeComplex(this.words, at, field, [kept(a), kept(b)]);
  }

  copy(to: MemoryOffset, from: MemoryOffset, bytes: number): void {
    this.words.copyWithin(to >> 2, from >> 2, (from + bytes) >> 2);
  }

  zero(at: MemoryOffset, bytes: number): void {
    this.words.fill(0, at >> 2, (at + bytes) >> 2);
  }

  /** Converts a number that was decoded from bytes to Montgomery form. */
  protected keep(to: MemoryOffset): true {
    this.run.multiply(to, to, this.toMontgomery);
    return true;
  }

  /**
   * Returns true if a number is 0. Multiplies by 1 first, because only the result of a product has a single
   * representation of 0.
   */
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

  /** Computes f^(p^6). This power replaces w by −w. */
  conjugate(to: MemoryOffset, f: MemoryOffset): void {
    if (to !== f) this.copy(to, f, this.tower);
    for (let at = 1; at < DEGREE; at += 2) this.run.negate(to + at * this.number, to + at * this.number);
  }

  /** Computes f^((p^6 − 1) × (p² + 1)) in place. @param temp workspace for one element of Fp12 */
  raiseEasy(f: MemoryOffset, temp: MemoryOffset): void {
    this.invert(temp, f);
    this.conjugate(f, f);
    this.run.multiplyTower(f, f, temp);
    this.raise(temp, f, 2);
    this.run.multiplyTower(f, f, temp);
  }

  /**
   * Computes 1 / f. The product of f and its conjugate has only even powers of w. The norm of this product leads to
   * the inverse.
   */
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
    // Computes a × x + ξ × (c × y + b × z).
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

  /** Computes f^(p^power). */
  raise(to: MemoryOffset, f: MemoryOffset, power: 1 | 2): void {
    for (let at = 0; at < DEGREE; at++) {
      const [part, factor] = [at * this.number, this.frobenius[power - 1]?.[at] ?? 0];
      if (power !== 2) this.run.conjugate(to + part, f + part);
      this.run.multiply(to + part, (power === 2 ? f : to) + part, factor);
    }
  }

  /** Computes 1 / (a + b × i) = (a − b × i) / (a² + b²) in place. */
  invertComplex(a: MemoryOffset): void {
    const { run, other } = this;
    run.conjugate(other, a);
    run.multiply(other, other, a);
    this.invertReal(other);
    run.conjugate(a, a);
    run.multiply(a, a, other);
  }
}
