import type { Address } from '../../primitives/address.js';
import { itemAt } from '../../primitives/assert.js';
import { copyBytes } from '../../primitives/bytes.js';
import { WORD_BYTES } from '../../primitives/units.js';
import type { Machine } from '../machine/machine.js';
import type { RuleSet } from '../machine/rule-set.js';

export interface PrecompileOutput {
  /** False takes all energy given and undoes the value that came with the call. */
  readonly isSuccess: boolean;
  readonly data: Uint8Array;
}

export interface PrecompileContext {
  readonly machine: Machine;
  /** Contract that called; for a delegate call its own caller. */
  readonly caller: Address;
}

/** A contract of the machine itself. Reference: PrecompiledContracts.PrecompiledContract. */
export interface Precompile {
  /** Energy that the input costs. */
  energy(data: Uint8Array, rules: RuleSet): number;
  /**
   * Where a unit of energy buys much time: energy for a millisecond of it, on a slow machine. A call against the clock
   * asks.
   */
  readonly energyPerMs?: number;
  /** Takes many times longer here than in the reference's native library: a producer does not count that time. */
  readonly isSlowHere?: true;
  /**
   * @param data as it lies in the caller's memory: neither it nor a part of it is kept or answered
   * @throws {VmError} where the reference's implementation lets an exception out
   */
  run(data: Uint8Array, context: PrecompileContext): PrecompileOutput;
}

export function success(data: Uint8Array): PrecompileOutput {
  return { isSuccess: true, data };
}

export const FAILED: PrecompileOutput = { isSuccess: false, data: new Uint8Array(0) };

/** 32 bytes of a number; a negative one as a long with zeros before it. Reference: ByteUtil.longTo32Bytes. */
export function longWord(value: bigint): Uint8Array {
  const bytes = Buffer.alloc(WORD_BYTES);
  bytes.writeBigInt64BE(BigInt.asIntN(64, value), 24);
  return bytes;
}

export function booleanWord(value: boolean): Uint8Array {
  return longWord(value ? 1n : 0n);
}

/** Word `index` of the input, zeros where there is none. Reference: ByteUtil.parseWord. */
export function wordAt(data: Uint8Array, index: number): Uint8Array {
  const start = index * WORD_BYTES;
  if (start + WORD_BYTES <= data.length) return copyBytes(data.subarray(start, start + WORD_BYTES));
  const word = new Uint8Array(WORD_BYTES);
  word.set(data.subarray(start));
  return word;
}

/** A whole word as a non-negative int; what does not fit is the greatest one. Reference: DataWord.intValueSafe. */
export function safeInt(word: Uint8Array, at = 0): number {
  for (let i = at; i < at + 28; i++) if (word[i] !== 0) return 0x7fffffff;
  const value = [28, 29, 30, 31].reduce((high, i) => (high << 8) | itemAt(word, at + i), 0);
  return value < 0 ? 0x7fffffff : value;
}

/** A word as a non-negative long; what does not fit is the greatest one. Reference: DataWord.longValueSafe. */
export function safeLong(word: Uint8Array): bigint {
  for (let i = 0; i < 24; i++) if (word[i] !== 0) return 0x7fffffffffffffffn;
  const value = Buffer.from(word.buffer, word.byteOffset, word.byteLength).readBigInt64BE(24);
  return value < 0n ? 0x7fffffffffffffffn : value;
}

/** Address that a word names: its last 20 bytes. */
export function addressAt({ machine }: PrecompileContext, word: Uint8Array): Address {
  return (machine.state.rules.addressPrefix.toString(16) +
    Buffer.from(word.buffer, word.byteOffset + 12, 20).toString('hex')) as Address;
}

/** Energy by words of the input. */
export function perWord(base: number, each: number): (data: Uint8Array) => number {
  return (data) => base + Math.floor((data.length + 31) / 32) * each;
}
