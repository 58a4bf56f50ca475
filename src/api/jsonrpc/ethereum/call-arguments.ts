import { fromHex } from '../../../primitives/bytes.js';
import { type Json, JsonNumber } from '../json-text.js';
import type { CallArguments } from '../parameters.js';
import { ZERO_ADDRESS } from '../quantities.js';
import { invalidParams } from '../rpc-error.js';

export type CallMembers = ReadonlyMap<string, Json>;

const HEX = /^0x([0-9a-fA-F]{2})*$/;
/** Names of members that are rejected. They need Ethereum rules that TRON does not have. */
const REFUSED = ['authorizationList', 'blobVersionedHashes', 'blobs'];

/**
 * Reads call arguments as ethers, viem, web3.py and cast send them. Accepts `input` as well as `data`. Ignores gas
 * prices, access lists and nonces, which have no effect on TRON.
 * @throws {RpcError} an argument is malformed or not supported
 */
export function readEthereumCall(value: Json): CallArguments {
  const members = callMembersOf(value, 'a call');
  for (const name of REFUSED) {
    const argument = members.get(name) ?? null;
    if (argument !== null && !(Array.isArray(argument) && argument.length === 0))
      throw invalidParams(`${name} is not supported`);
  }
  const [input, old] = [hexMember(members, 'input'), hexMember(members, 'data')];
  if (input !== null && old !== null && input.toLowerCase() !== old.toLowerCase())
    throw invalidParams('both "data" and "input" are set and not equal');
  return {
    from: textMember(members, 'from') ?? ZERO_ADDRESS,
    to: textMember(members, 'to'),
    gas: quantityMember(members, 'gas'),
    gasPrice: null,
    value: quantityMember(members, 'value'),
    data: input ?? old,
    nonce: null,
  };
}

/** Returns the members of an object. @throws {RpcError} the value is not an object */
export function callMembersOf(value: Json, what: string): CallMembers {
  if (value instanceof Map) return value as CallMembers;
  throw invalidParams(`${what} must be an object`);
}

function textMember(members: CallMembers, name: string): string | null {
  const value = members.get(name) ?? null;
  if (value === null || typeof value === 'string') return value;
  throw invalidParams(`${name} must be a string`);
}

/**
 * Reads a quantity: hex with the `0x` prefix, or a JSON number. Returns null if the member is absent.
 * @throws {RpcError} the value is malformed
 */
export function quantityMember(members: CallMembers, name: string): string | null {
  const value = members.get(name) ?? null;
  if (value instanceof JsonNumber && value.isInteger && !value.text.startsWith('-'))
    return `0x${BigInt(value.text).toString(16)}`;
  if (value === null || (typeof value === 'string' && /^0x[0-9a-fA-F]+$/.test(value))) return value;
  throw invalidParams(`invalid quantity for "${name}"`);
}

/**
 * Reads bytes: hex with the `0x` prefix. Returns null if the member is absent.
 * @throws {RpcError} the value is malformed
 */
export function hexMember(members: CallMembers, name: string): string | null {
  const value = members.get(name) ?? null;
  if (value === null || (typeof value === 'string' && HEX.test(value))) return value;
  throw invalidParams(`invalid hex string for "${name}"`);
}

/**
 * Reads a storage slot or value of up to 32 bytes. Pads it with leading zeros to 32 bytes.
 * @throws {RpcError} the value is malformed or too long
 */
export function readHexWord(value: Json, what: string): Uint8Array {
  if (typeof value === 'string' && /^0x[0-9a-fA-F]{0,64}$/.test(value))
    return fromHex(value.slice(2).padStart(64, '0'));
  throw invalidParams(`invalid ${what}`);
}

/**
 * Reads an integer: up to `digitsMax` decimal digits, or up to 12 hex digits after `0x`.
 * @throws {RpcError} the value is malformed
 */
export function readWhole(value: Json, digitsMax: number, what: string): number {
  const text = value instanceof JsonNumber ? value.text : typeof value === 'string' ? value : '';
  if (/^0x[0-9a-fA-F]{1,12}$/.test(text) || (/^\d+$/.test(text) && text.length <= digitsMax)) return Number(text);
  throw invalidParams(`invalid ${what}`);
}
