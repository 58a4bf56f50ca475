import type { AddressForm } from '../../encoding/address-text.js';
import { bytesOfHex } from '../../java-compat/hex.js';
import { nullPointer } from '../../java-compat/java-error.js';
import { parseBigInteger, parseLong } from '../../java-compat/number.js';
import { toHex } from '../../primitives/bytes.js';
import { javaError } from '../../state-transition/java-errors.js';
import type { ApiRelease } from '../releases/api-release.js';
import { invalidParams } from './rpc-error.js';

/** Rules for parsing the addresses and numbers of a request. */
export interface RpcForm extends AddressForm {
  readonly release: ApiRelease;
}

export const ZERO_HASH = `0x${'00'.repeat(32)}`;
export const ZERO_ADDRESS = `0x${'00'.repeat(20)}`;

/** Encodes an int64 as a JSON-RPC quantity. A negative value becomes its 64-bit two's complement. */
export function quantity(value: bigint | number): string {
  const isPlain = typeof value === 'number' && value >= 0;
  return `0x${(isPlain ? value : BigInt.asUintN(64, BigInt(value))).toString(16)}`;
}

/** Encodes bytes as hex with the `0x` prefix. */
export function data(bytes: Uint8Array): string {
  return `0x${toHex(bytes)}`;
}

/**
 * Returns an address without its prefix byte as hex; null if the address is empty. Reference:
 * ByteArray.toJsonHexAddress.
 */
export function address20(bytes: Uint8Array, prefix: number): string | null {
  return bytes.length === 0 ? null : data(withoutPrefix(bytes, prefix));
}

/** Returns an address without its prefix byte. An address without the prefix is returned unchanged. */
export function withoutPrefix(bytes: Uint8Array, prefix: number): Uint8Array {
  return bytes[0] === prefix ? bytes.subarray(1) : bytes;
}

const LETTERS_OR_DIGITS = /^(0x)?[a-zA-Z0-9]{64}$/;
/** Matches a 32-byte hash in hex. Reference: JsonRpcApiUtil.HASH_REGEX. */
export const HEX_HASH = /^(0x)?[0-9a-fA-F]{64}$/;
/** Maximum length of an address, in characters. Reference: JsonRpcApiUtil */
const ADDRESS_CHARS_MAX = 44;
/** Maximum length of a block number, in characters. */
const NUMBER_CHARS_MAX = 20;
/** Maximum length of an index, in characters. */
const INDEX_CHARS_MAX = 10;

/**
 * Decodes a 32-byte hash.
 * @throws {RpcError} the text is not 64 hex digits, with or without `0x`
 * @throws {JavaError} NullPointerException: the text is null, and the release does not check arguments
 */
export function readHash(text: string | null, { checksRpcArguments }: ApiRelease): Uint8Array {
  if (checksRpcArguments && !HEX_HASH.test(text ?? '')) throw invalidParams('invalid hash value');
  if (text === null) throw nullPointer();
  if (!LETTERS_OR_DIGITS.test(text)) throw invalidParams('invalid hash value');
  return orInvalid(() => bytesOfHex(text));
}

/**
 * Returns the 21 bytes of an address. The input may omit the prefix byte. Reference: addressCompatibleToByteArray.
 * @throws {RpcError} the text is no address in hex
 */
export function readHexAddress(text: string | null, { addressPrefix: prefix, release }: RpcForm): Uint8Array {
  const { checksRpcArguments } = release;
  const invalid = checksRpcArguments ? 'invalid address' : 'invalid address hash value';
  if (checksRpcArguments && (text === null || text.length > ADDRESS_CHARS_MAX)) throw invalidParams(invalid);
  const bytes = orInvalid(() => bytesOfHex(text));
  if (bytes.length === 20) return Uint8Array.of(prefix, ...bytes);
  if (bytes.length !== 21 || bytes[0] !== prefix) throw invalidParams(invalid);
  return bytes;
}

/** Runs `read`. If it fails, throws an "invalid params" error with the text of the failure. */
function orInvalid<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw invalidParams(textOf(error));
  }
}

/** Returns the message of the Java exception that corresponds to an error. */
function textOf(error: unknown): string | null {
  const found = javaError(error);
  if (found === undefined) throw error;
  return found.text;
}

/**
 * Parses a number: hexadecimal after `0x`, otherwise decimal. Reference: ByteArray.hexToBigInteger.
 * @throws {JavaError} the text is no number
 */
function readNumber(text: string | null): bigint {
  if (text === null) throw nullPointer();
  return text.startsWith('0x') ? parseBigInteger(text.slice(2), 16) : parseBigInteger(text, 10);
}

/**
 * Parses an amount in SUN, or an amount of energy. Null and the empty text mean 0. Reference: parseQuantityValue.
 * @throws {RpcError} the text is no number, or is out of range
 */
export function readQuantity(text: string | null, { checksRpcArguments }: ApiRelease): bigint {
  if (text === null || text === '') return 0n;
  let value: bigint;
  try {
    value = readHexLong(text);
  } catch {
    throw invalidParams('invalid param value: invalid hex number');
  }
  if (checksRpcArguments && value < 0n) throw invalidParams('invalid param value: negative');
  return value;
}

/**
 * Parses an int64 in hex with the prefix `0x`. Reference: ByteArray.jsonHexToLong.
 * @throws {RpcError | JavaError} the text is malformed
 */
export function readHexLong(text: string): bigint {
  if (!text.startsWith('0x')) throw invalidParams('Incorrect hex syntax');
  return parseLong(text.slice(2), 16);
}

/**
 * Parses an int32 in hex with the prefix `0x`. Reference: ByteArray.jsonHexToInt.
 * @throws {RpcError} the text is malformed
 */
export function readIndex(text: string | null, { checksRpcArguments }: ApiRelease): number {
  if (checksRpcArguments && (text?.length ?? 0) > INDEX_CHARS_MAX) throw invalidParams('invalid index value');
  try {
    const value = readHexLong(text ?? '');
    if (BigInt.asIntN(32, value) === value) return Number(value);
  } catch {}
  throw invalidParams('invalid index value');
}

/**
 * Rejects every block tag except `latest`. java-tron's methods that read the state accept no other tag.
 * @throws {RpcError} the tag is not `latest`
 */
export function requireLatest(tag: string | null, release: ApiRelease): void {
  const name = tag?.toLowerCase() ?? '';
  if (name === 'latest') return;
  const tags = ['earliest', 'pending', ...(release.knowsFinalityTags ? ['finalized', 'safe'] : [])];
  if (tags.includes(name)) throw invalidParams(`TAG [${tags.join(' | ')}] not supported`);
  readBlockNumber(tag, release);
  throw invalidParams('QUANTITY not supported, just support TAG as latest');
}

/** Parses a block number as an int64. @throws {RpcError} the text is malformed */
export function readBlockNumber(text: string | null, { checksRpcArguments }: ApiRelease): bigint {
  const invalid = 'invalid block number';
  if (checksRpcArguments && (text === null || text.length > NUMBER_CHARS_MAX)) throw invalidParams(invalid);
  let number: bigint;
  try {
    number = readNumber(text);
  } catch {
    throw invalidParams(invalid);
  }
  const value = BigInt.asIntN(64, number);
  if (checksRpcArguments && (number < 0n || value !== number)) throw invalidParams(invalid);
  return value;
}

/** Returns true for null, the empty text and a bare `0x`. Reference: paramStringIsNull. */
export function isNothing(text: string | null): text is null | '' | '0x' {
  return text === null || text === '' || text === '0x';
}
