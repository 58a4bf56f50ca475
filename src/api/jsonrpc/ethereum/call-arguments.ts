import { fromHex } from '../../../primitives/bytes.js';
import { findMisspelling } from '../../../primitives/nearest-word.js';
import { type Json, JsonNumber } from '../json-text.js';
import type { CallArguments } from '../parameters.js';
import { ZERO_ADDRESS } from '../quantities.js';
import { invalidParams } from '../rpc-error.js';

export type CallMembers = ReadonlyMap<string, Json>;

const HEX = /^0x([0-9a-fA-F]{2})*$/;
/** Names of members that are rejected. They need Ethereum rules that TRON does not have. */
const REFUSED = ['authorizationList', 'blobVersionedHashes', 'blobs'];
/**
 * Names of members that clients send although they have no effect on TRON. A member with a name similar to one of
 * these is rejected as misspelt.
 */
const WITHOUT_EFFECT = [
  ...['gasPrice', 'maxFeePerGas', 'maxPriorityFeePerGas', 'maxFeePerBlobGas', 'nonce', 'chainId', 'type', 'accessList'],
];
const KNOWN = ['from', 'to', 'gas', 'gasLimit', 'value', 'data', 'input', ...REFUSED, ...WITHOUT_EFFECT];

/**
 * Reads call arguments as ethers, viem, web3.js, web3.py and cast send them. Accepts `input` as well as `data`, and
 * `gasLimit` as well as `gas`. Ignores gas prices, access lists and nonces, which have no effect on TRON.
 * @throws {RpcError} an argument is malformed, misspelt or not supported
 */
export function readEthereumCall(value: Json): CallArguments {
  const members = callMembersOf(value, 'a call', KNOWN);
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
    gas: quantityMember(members, 'gas') ?? quantityMember(members, 'gasLimit'),
    gasPrice: null,
    value: quantityMember(members, 'value'),
    data: input ?? old,
    nonce: null,
  };
}

/**
 * Returns the members of an object. Rejects misspelt names. Ignores all other unknown members, as geth does, because
 * some clients send additional members.
 * @param known names of the members that have an effect or that clients send. Default: all names are allowed
 * @throws {RpcError} the value is not an object, or the name of a member is a misspelt known name
 */
export function callMembersOf(value: Json, what: string, known: readonly string[] = []): CallMembers {
  if (!(value instanceof Map)) throw invalidParams(`${what} must be an object`);
  const members = value as CallMembers;
  const wrong = findMisspelling(members.keys(), known);
  if (wrong === undefined) return members;
  throw invalidParams(`${what} has the unknown member ${JSON.stringify(wrong.name)}; did you mean ${wrong.intended}?`);
}

function textMember(members: CallMembers, name: string): string | null {
  const value = members.get(name) ?? null;
  if (value === null || typeof value === 'string') return value;
  throw invalidParams(`${name} must be a string`);
}

/** Returns true if a flag is set. @throws {RpcError} the value is neither true nor false */
export function flagMember(members: CallMembers, name: string): boolean {
  const value = members.get(name) ?? false;
  if (typeof value === 'boolean') return value;
  throw invalidParams(`${name} must be true or false`);
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
