import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { BLS12_381, MCLBN_COMPILED_TIME_VAR } from 'mcl-wasm/dist/constants.js';
import { onFirstUse } from '../../../domain/on-first-use.js';
import { compileModule, createMemory, instantiate, type WasmMemory } from '../../../wasm/web-assembly.js';

/** Where a value lies in the library's memory. */
export type Pointer = number;

/** The functions of mcl's C interface that are used here: results first, then operands; 1 is yes, reads return how many bytes they took. */
interface Functions {
  mclBn_init(curve: number, compiled: number): number;
  mclBn_setETHserialization(isOn: number): void;
  mclBn_verifyOrderG1(isOn: number): void;
  mclBn_verifyOrderG2(isOn: number): void;
  mclBnFr_setBigEndianMod(to: Pointer, bytes: Pointer, length: number): number;
  mclBnFr_setLittleEndianMod(to: Pointer, bytes: Pointer, length: number): number;
  mclBnFr_getLittleEndian(to: Pointer, room: number, from: Pointer): number;
  mclBnFr_div(to: Pointer, a: Pointer, b: Pointer): void;
  mclBnFr_squareRoot(to: Pointer, of: Pointer): number;
  mclBnG1_deserialize(to: Pointer, bytes: Pointer, length: number): number;
  mclBnG1_isZero(point: Pointer): number;
  mclBnG1_neg(to: Pointer, of: Pointer): void;
  mclBnG1_mulVec(to: Pointer, points: Pointer, scalars: Pointer, count: number): void;
  mclBnG2_deserialize(to: Pointer, bytes: Pointer, length: number): number;
  mclBn_precomputeG2(to: Pointer, twistPoint: Pointer): void;
  mclBn_getUint64NumToPrecompute(): number;
  mclBn_precomputedMillerLoop(to: Pointer, point: Pointer, lines: Pointer): void;
  mclBn_precomputedMillerLoop2mixed(
    to: Pointer,
    point: Pointer,
    twistPoint: Pointer,
    second: Pointer,
    lines: Pointer,
  ): void;
  mclBn_millerLoop(to: Pointer, point: Pointer, twistPoint: Pointer): void;
  mclBn_finalExp(to: Pointer, of: Pointer): void;
  mclBnGT_mul(to: Pointer, a: Pointer, b: Pointer): void;
  mclBnGT_isOne(value: Pointer): number;
  malloc(bytes: number): Pointer;
  __wasm_call_ctors(): void;
}

/** Bytes that values take in the library's memory. */
const FP_BYTES = 48;
export const FR_BYTES = 32;
export const G1_BYTES = 3 * FP_BYTES;
export const G2_BYTES = 6 * FP_BYTES;
export const GT_BYTES = 12 * FP_BYTES;
/** Bytes that go in or out at once. */
const EXCHANGE_BYTES = 256;

/** Pages that the module asks for, and how many it may come to have: 64 MiB. */
const PAGES = 32;
const PAGES_MAX = 1024;

/**
 * The library's code, which its package keeps as a text. Read at the start, though it is compiled at its first use: a block that needs it
 * does not depend on a file.
 */
const CODE = readCode();
const compiled = onFirstUse(() => compileModule(CODE));

/** @throws {Error} the package is another one than that which this was written for */
function readCode(): Uint8Array {
  const file = createRequire(import.meta.url).resolve('mcl-wasm/dist/mcl_c.js');
  const [, text] = /wasmBase64 = '([^']+)'/.exec(readFileSync(file, 'latin1')) ?? [];
  if (text === undefined) throw new Error(`there is no code of mcl in ${file}`);
  return Buffer.from(text, 'base64');
}

/**
 * BLS12-381, in WebAssembly: mcl is the library of its kind that is kept, and many times as fast as one in JavaScript, with which a block
 * full of proofs would hold a witness up. Its own wrapper knows one curve in a process, copies each value into the
 * library's memory and back for each step, and compiles everything at the start, which takes 13 MiB a curve; here values stay where they
 * are, and each function is compiled when it is called.
 */
export class Mcl {
  readonly call: Functions;
  private readonly memory: WasmMemory;
  private bytes: Uint8Array;
  private readonly exchange: Pointer;

  constructor() {
    this.memory = createMemory(PAGES, PAGES_MAX);
    this.call = instantiate<Functions>(compiled(), { env: { memory: this.memory } }).exports;
    this.call.__wasm_call_ctors();
    const failure = this.call.mclBn_init(BLS12_381, MCLBN_COMPILED_TIME_VAR);
    if (failure !== 0) throw new Error(`mcl has no BLS12-381: ${failure}`);
    this.bytes = new Uint8Array(this.memory.buffer);
    this.exchange = this.room(EXCHANGE_BYTES);
  }

  /** Room for values that stays for ever. */
  room(bytes: number): Pointer {
    const at = this.call.malloc(bytes);
    if (at === 0) throw new RangeError(`mcl has no room for ${bytes} bytes`);
    return at;
  }

  /** @param bytes 256 at most; valid until the next call */
  give(bytes: Uint8Array): Pointer {
    if (bytes.length > EXCHANGE_BYTES) throw new RangeError(`${bytes.length} bytes are too many to exchange`);
    this.heap.set(bytes, this.exchange);
    return this.exchange;
  }

  /** A scalar of any size, reduced. */
  setScalar(to: Pointer, bigEndian: Uint8Array): void {
    this.call.mclBnFr_setBigEndianMod(to, this.give(bigEndian), bigEndian.length);
  }

  /** The same from 32 bytes, lowest first. */
  setScalarLittleEndian(to: Pointer, bytes: Uint8Array): void {
    this.call.mclBnFr_setLittleEndianMod(to, this.give(bytes), bytes.length);
  }

  /** @returns 32 bytes, lowest first */
  scalarLittleEndian(from: Pointer): Uint8Array {
    this.zero(this.exchange, FR_BYTES);
    this.call.mclBnFr_getLittleEndian(this.exchange, EXCHANGE_BYTES, from);
    return Uint8Array.from(this.heap.subarray(this.exchange, this.exchange + FR_BYTES));
  }

  copy(to: Pointer, from: Pointer, bytes: number): void {
    this.heap.copyWithin(to, from, from + bytes);
  }

  zero(at: Pointer, bytes: number): void {
    this.heap.fill(0, at, at + bytes);
  }

  /** The library's memory, which moves when it grows. */
  private get heap(): Uint8Array {
    if (this.bytes.length === 0) this.bytes = new Uint8Array(this.memory.buffer);
    return this.bytes;
  }
}
