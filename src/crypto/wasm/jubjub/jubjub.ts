import { assemble } from '../assembler.js';
import { FIELD_BYTES, writeLimbs } from '../limbs.js';
import { compileModule, createMemory, instantiate, PAGE_BYTES, type WasmMemory } from '../web-assembly.js';
import { JUBJUB_P, jubjubFieldFunctions, MONTGOMERY } from './field.js';
import {
  D,
  HALF,
  JUBJUB_MEMORY_END,
  JUBJUB_ONE,
  JUBJUB_POINT_BYTES,
  JUBJUB_ZERO,
  OF_INVERSE,
  PLAIN_ONE,
  pointFunctions,
  TO_MONTGOMERY,
} from './points.js';

/** Maximum memory in pages of 64 KiB. 16 MiB are 1.5 times the size of the tables for the longest Pedersen hash. */
const PAGES_MAX = 256;
/** Size in bytes of a coordinate that is returned to callers. The byte order is little-endian. */
export const COORDINATE_BYTES = 32;

/** Coefficient d of the curve: −(10240 / 10241) modulo p. */
const CURVE_D = 0x2a93_18e7_4bfa_2b48_f5fd_9207_e6bd_7fd4_292d_7f6d_3757_9d26_0106_5fd6_d634_3eb1n;

/** Functions of the module. Parameters are addresses. `points.ts` defines the format of points and summands. */
interface Functions {
  multiply(to: number, a: number, b: number): void;
  sumAndDifference(to: number, a: number, b: number): void;
  add(to: number, a: number, b: number): void;
  subtract(to: number, a: number, b: number): void;
  inverse(to: number, a: number): void;
  writeBytes(to: number, a: number): void;
  addKnown(point: number, summand: number): void;
  addSummand(point: number, summand: number): void;
  addAllKnown(point: number, list: number, count: number): void;
  chooseKnown(list: number, bits: number, tables: number, count: number): void;
  double(point: number): void;
  summandOf(to: number, point: number): void;
  knownSummand(to: number, summand: number): void;
}

/**
 * Projective coordinates of a point: its affine coordinates are X / Z and Y / Z, and T is X × Y / Z. Each number is
 * below the prime.
 */
interface Coordinates {
  readonly X: bigint;
  readonly Y: bigint;
  readonly Z: bigint;
  readonly T: bigint;
}

/** Arithmetic of the curve Jubjub. Each instance has its own memory. */
export class Jubjub {
  readonly run: Functions;
  private readonly memory: WasmMemory;
  private words: Int32Array;
  private bytes: Uint8Array;
  private end: number;
  private readonly scratch: number;
  private readonly inverseZ: number;
  private readonly quotient: number;

  constructor() {
    this.memory = createMemory(1, PAGES_MAX);
    const binary = assemble([], [...jubjubFieldFunctions(), ...pointFunctions()]);
    const { exports } = instantiate<Functions>(compileModule(binary), { env: { memory: this.memory } });
    this.run = exports;
    this.words = new Int32Array(this.memory.buffer);
    this.bytes = new Uint8Array(this.memory.buffer);
    this.end = JUBJUB_MEMORY_END * FIELD_BYTES;
    this.scratch = this.allocate(FIELD_BYTES);
    this.inverseZ = this.allocate(FIELD_BYTES);
    this.quotient = this.allocate(FIELD_BYTES);
    writeLimbs(this.words, PLAIN_ONE * FIELD_BYTES, 1n);
    writeLimbs(this.words, TO_MONTGOMERY * FIELD_BYTES, (MONTGOMERY * MONTGOMERY) % JUBJUB_P);
    writeLimbs(this.words, OF_INVERSE * FIELD_BYTES, MONTGOMERY ** 3n % JUBJUB_P);
    this.write(JUBJUB_ONE * FIELD_BYTES, 1n);
    this.write(HALF * FIELD_BYTES, (JUBJUB_P + 1n) / 2n);
    this.write(D * FIELD_BYTES, CURVE_D);
  }

  /** Allocates memory permanently. @throws {RangeError} the memory is exhausted */
  allocate(bytes: number): number {
    const at = this.end;
    this.end += bytes;
    const missing = this.end - this.memory.buffer.byteLength;
    if (missing > 0) {
      this.memory.grow(Math.ceil(missing / PAGE_BYTES));
      this.words = new Int32Array(this.memory.buffer);
      this.bytes = new Uint8Array(this.memory.buffer);
    }
    return at;
  }

  /** Writes a number in Montgomery form. @param value below the prime */
  write(address: number, value: bigint): void {
    writeLimbs(this.words, address, value);
    this.run.multiply(address, address, TO_MONTGOMERY * FIELD_BYTES);
  }

  /** Computes the inverse of a number. The inverse of 0 is 0. */
  invert(to: number, from: number): void {
    this.run.inverse(to, from);
    this.run.multiply(to, to, OF_INVERSE * FIELD_BYTES);
  }

  writePoint(address: number, { X, Y, Z, T }: Coordinates): void {
    for (const [at, value] of [X, Y, Z, T].entries()) this.write(address + at * FIELD_BYTES, value);
  }

  writeAddress(at: number, address: number): void {
    this.words[at >> 2] = address;
  }

  storeBytes(address: number, bytes: Uint8Array): void {
    this.bytes.set(bytes, address);
  }

  /** Reads a number. @returns 32 bytes of a number below the prime, little-endian */
  read(address: number): Uint8Array {
    const { run, scratch, bytes } = this;
    run.multiply(scratch, address, PLAIN_ONE * FIELD_BYTES);
    run.writeBytes(scratch, scratch);
    const number = new Uint8Array(COORDINATE_BYTES);
    for (let at = 0; at < COORDINATE_BYTES; at++) number[at] = bytes[scratch + COORDINATE_BYTES - 1 - at] ?? 0;
    return number;
  }

  /** Returns the affine coordinates x / z and y / z of a point. */
  readAffine(point: number): { readonly x: Uint8Array; readonly y: Uint8Array } {
    return { x: this.readX(point), y: this.readQuotient(point + FIELD_BYTES) };
  }

  /** Returns the affine coordinate x / z of a point. */
  readX(point: number): Uint8Array {
    this.invert(this.inverseZ, point + 2 * FIELD_BYTES);
    return this.readQuotient(point);
  }

  private readQuotient(part: number): Uint8Array {
    this.run.multiply(this.quotient, part, this.inverseZ);
    return this.read(this.quotient);
  }

  negatePoint(to: number, from: number): void {
    this.copyPoint(to, from);
    for (const at of [to, to + 3 * FIELD_BYTES]) this.run.subtract(at, JUBJUB_ZERO * FIELD_BYTES, at);
  }

  copyPoint(to: number, from: number): void {
    this.words.copyWithin(to >> 2, from >> 2, (from + JUBJUB_POINT_BYTES) >> 2);
  }
}
