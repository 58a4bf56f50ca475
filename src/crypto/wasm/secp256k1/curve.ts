import { assemble } from '../assembler.js';
import { FIELD_BYTES, LIMB_BITS, LIMB_MASK, LIMBS, writeLimbs } from '../limbs.js';
import { compileModule, createMemory, instantiate, PAGE_BYTES, type WasmMemory } from '../web-assembly.js';
import { curveFunctions } from './curve-functions.js';
import { SECP256K1_P } from './field.js';
import { secp256k1FieldFunctions } from './field-functions.js';
import { PRIME, SECP256K1_ONE } from './layout.js';
import { multiplyScalarsFunction } from './scalar.js';

const WORDS = FIELD_BYTES / 4;
const MASK = Number(LIMB_MASK);

/** Size in bytes of an encoded number. The byte order is big-endian. */
export const NUMBER_BYTES = 32;

/** Functions of the module. Parameters are addresses; the first is the address of the result. */
interface Functions {
  multiply(to: number, a: number, b: number): void;
  inverse(to: number, a: number): void;
  canonical(a: number): number;
  plusTimes(to: number, a: number, b: number, times: bigint): void;
  lift(point: number, isOdd: number): number;
  addPairs(pairs: number, count: number, sums: number, products: number): number;
  addPoints(to: number, p: number, x: number, y: number, z: number): void;
  multiplyScalars(to: number, a: number, b: number): void;
}

/** Arithmetic of the curve secp256k1. Each instance has its own memory. */
export class Curve {
  readonly run: Functions;
  readonly memory: WasmMemory;
  /**
   * Memory as 32-bit words, used for limbs and for the addresses in pairs. A positive limb fits into the lower half
   * of its 64-bit word.
   */
  readonly words: Int32Array;

  /**
   * Creates the module and its memory.
   * @param bytes size of the memory; the functions use the field elements before `SECP256K1_MEMORY_END`
   */
  constructor(bytes: number) {
    const pages = Math.ceil(bytes / PAGE_BYTES);
    this.memory = createMemory(pages, pages);
    const binary = assemble([], [...secp256k1FieldFunctions(), ...curveFunctions, multiplyScalarsFunction()]);
    const { exports } = instantiate<Functions>(compileModule(binary), { env: { memory: this.memory } });
    this.run = exports;
    this.words = new Int32Array(this.memory.buffer);
    this.write(SECP256K1_ONE * FIELD_BYTES, 1n);
    this.write(PRIME * FIELD_BYTES, SECP256K1_P);
  }

  write(address: number, value: bigint): void {
    writeLimbs(this.words, address, value);
  }

  /** Reads a field element. All its limbs must be positive. */
  read(address: number): bigint {
    let value = 0n;
    for (let at = LIMBS - 1; at >= 0; at--)
      value = (value << BigInt(LIMB_BITS)) + BigInt(this.words[address / 4 + at * 2] ?? 0);
    return value;
  }

  /** Writes a number of up to 32 bytes. */
  writeBytes(address: number, bytes: Uint8Array): void {
    const { words } = this;
    const first = address >> 2;
    words.fill(0, first, first + WORDS);
    let limb = first;
    let rest = 0;
    let bits = 0;
    for (let at = bytes.length - 1; at >= 0; at--) {
      const byte = bytes[at] ?? 0;
      rest |= byte << bits;
      bits += 8;
      if (bits < LIMB_BITS) continue;
      words[limb] = rest & MASK;
      limb += 2;
      bits -= LIMB_BITS;
      rest = byte >> (8 - bits);
    }
    words[limb] = rest;
  }
}
