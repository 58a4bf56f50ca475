import type { Address } from '../../primitives/address.js';
import { itemAt } from '../../primitives/assert.js';
import { WORD_BYTES } from '../../primitives/units.js';
import type { Machine } from '../machine/machine.js';
import type { RuleSet } from '../machine/rule-set.js';

export interface PrecompileOutput {
  /** If false, the precompile uses all energy of the call, and the transfer of the call value is reverted. */
  readonly isSuccess: boolean;
  readonly data: Uint8Array;
}

export interface PrecompileContext {
  readonly machine: Machine;
  /** Address of the contract that called the precompile. In a delegate call, it is the caller of that contract. */
  readonly caller: Address;
}

/** A precompiled contract. Reference: PrecompiledContracts.PrecompiledContract. */
export interface Precompile {
  /** Returns the energy that the input costs. */
  energy(data: Uint8Array, rules: RuleSet): number;
  /**
   * Energy that the precompile charges per millisecond of its duration on a slow machine. Set for precompiles that
   * charge little energy for their duration. A run with a time limit estimates the duration with this number.
   */
  readonly energyPerMs?: number;
  /**
   * Set if java-tron's native library is much faster than this implementation. The time limit of the run is then
   * extended by the duration of the precompile.
   */
  readonly isSlowHere?: true;
  /**
   * Executes the precompile.
   * @param data view of the caller's memory; the precompile must not store it, and must not return it or a part of it
   * @throws {VmError} java-tron's implementation throws an exception for this input
   */
  run(data: Uint8Array, context: PrecompileContext): PrecompileOutput;
}

export function success(data: Uint8Array): PrecompileOutput {
  return { isSuccess: true, data };
}

export const FAILED: PrecompileOutput = { isSuccess: false, data: new Uint8Array(0) };

/**
 * Returns a long as a word: 24 zero bytes, then the 8 bytes of the long. A negative number also starts with zero bytes.
 * Reference: ByteUtil.longTo32Bytes.
 */
export function longWord(value: bigint): Uint8Array {
  const bytes = Buffer.alloc(WORD_BYTES);
  bytes.writeBigInt64BE(BigInt.asIntN(64, value), 24);
  return bytes;
}

export function booleanWord(value: boolean): Uint8Array {
  return longWord(value ? 1n : 0n);
}

/** Returns word `index` of the input, padded with zeros. Reference: ByteUtil.parseWord. */
export function wordAt(data: Uint8Array, index: number): Uint8Array {
  return padded(data, index * WORD_BYTES, WORD_BYTES);
}

/** Returns a copy of a part of the input, padded with zeros after its end. */
export function padded(data: Uint8Array, offset: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  bytes.set(data.subarray(offset, offset + length));
  return bytes;
}

/** Returns a word as a non-negative int. A word above 2^31 − 1 becomes 2^31 − 1. Reference: DataWord.intValueSafe. */
export function safeInt(word: Uint8Array, at = 0): number {
  for (let i = at; i < at + 28; i++) if (word[i] !== 0) return 0x7fffffff;
  const value = [28, 29, 30, 31].reduce((high, i) => (high << 8) | itemAt(word, at + i), 0);
  return value < 0 ? 0x7fffffff : value;
}

/** Returns a word as a non-negative long. A word above 2^63 − 1 becomes 2^63 − 1. Reference: DataWord.longValueSafe. */
export function safeLong(word: Uint8Array): bigint {
  for (let i = 0; i < 24; i++) if (word[i] !== 0) return 0x7fffffffffffffffn;
  const value = Buffer.from(word.buffer, word.byteOffset, word.byteLength).readBigInt64BE(24);
  return value < 0n ? 0x7fffffffffffffffn : value;
}

/** Returns the address in a word: its last 20 bytes. */
export function addressAt({ machine }: PrecompileContext, word: Uint8Array): Address {
  return (machine.state.rules.addressPrefix.toString(16) +
    Buffer.from(word.buffer, word.byteOffset + 12, 20).toString('hex')) as Address;
}

/**
 * Returns a price function: `base`, plus `each` for each word of the input. An incomplete last word counts as a word.
 */
export function perWord(base: number, each: number): (data: Uint8Array) => number {
  return (data) => base + Math.floor((data.length + 31) / 32) * each;
}
