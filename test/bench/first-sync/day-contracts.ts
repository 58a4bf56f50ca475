import { readFileSync } from 'node:fs';
import { keccak256 } from '../../../src/crypto/hash.js';
import { type Address, addressBytes } from '../../../src/primitives/address.js';
import { rowKey, storageHashOf } from '../../../src/state-transition/state/storage-key.js';

type ContractName = 'Token' | 'Pair' | 'Router' | 'Pool';

interface Compiled {
  /** Code on the chain, in hex. */
  readonly code: string;
  /** Selectors in hex, by signature. */
  readonly methods: Readonly<Record<string, string>>;
  /** Storage slot of each variable, and its offset in the slot in bytes. */
  readonly slots: Readonly<Record<string, readonly [slot: number, offset: number]>>;
}

const compiled = JSON.parse(readFileSync(new URL('./contracts/contracts.json', import.meta.url), 'utf8')) as Readonly<
  Record<ContractName, Compiled>
>;

/** Deployed contracts of the generated day. The dollar token and the second token have the same code. */
export const DAY_CONTRACTS = {
  dollar: { name: 'Token', address: addressOf(1) },
  token: { name: 'Token', address: addressOf(2) },
  pair: { name: 'Pair', address: addressOf(3) },
  router: { name: 'Router', address: addressOf(4) },
  pool: { name: 'Pool', address: addressOf(5) },
} as const satisfies Record<string, { readonly name: ContractName; readonly address: Address }>;

export type DayContract = (typeof DAY_CONTRACTS)[keyof typeof DAY_CONTRACTS];

function addressOf(at: number): Address {
  return `41${'da'.repeat(19)}${at.toString(16).padStart(2, '0')}` as Address;
}

export function codeOf({ name }: DayContract): Uint8Array {
  return Buffer.from(compiled[name].code, 'hex');
}

/** An ABI word: a number, or an address without its prefix. */
export type Word = bigint | Uint8Array;

export function word(value: Word): Uint8Array {
  if (typeof value === 'bigint') return Buffer.from(value.toString(16).padStart(64, '0'), 'hex');
  const bytes = Buffer.alloc(32);
  bytes.set(value.subarray(1), 12);
  return bytes;
}

/** Returns call data. @param signature function with its parameter types, such as `deposit(uint256)` */
export function callData({ name }: DayContract, signature: string, words: readonly Word[]): Uint8Array {
  const selector = compiled[name].methods[signature];
  if (selector === undefined) throw new Error(`${name} has no function ${signature}`);
  return Buffer.concat([Buffer.from(selector, 'hex'), ...words.map(word)]);
}

export type StorageRow = readonly [key: Uint8Array, value: Uint8Array];

/** Returns the storage row of a variable, or of an element of a mapping. @param keys keys of the nested mappings */
export function storageRow(
  contract: DayContract,
  variable: string,
  value: bigint,
  keys: readonly Uint8Array[] = [],
): StorageRow {
  const [slot] = compiled[contract.name].slots[variable] ?? [];
  if (slot === undefined) throw new Error(`${contract.name} has no variable ${variable}`);
  const place = keys.reduce((base, key) => keccak256(Buffer.concat([word(key), base])), word(BigInt(slot)));
  return [Buffer.from(rowKey(storageHashOf(contract.address, undefined), 0, place), 'hex'), word(value)];
}

/** Returns the bit offset of a variable in its storage slot. It is 0 unless the slot is packed. */
export function shiftOf({ name }: DayContract, variable: string): bigint {
  return BigInt((compiled[name].slots[variable]?.[1] ?? 0) * 8);
}

export function contractBytes({ address }: DayContract): Uint8Array {
  return addressBytes(address);
}
