import { addressOfText } from '../../encoding/address-text.js';
import { bytesOfHex } from '../../java-compat/hex.js';
import { nullPointer } from '../../java-compat/java-error.js';
import type { HttpCall } from './http-call.js';

/**
 * Reads an address from the query: Base58Check with `visible`, else hex. An invalid Base58Check address becomes empty.
 * Reference: Util.getHexAddress, ByteArray.fromHexString. @throws {JavaError}
 */
export function addressParameter(call: HttpCall, name: string, visible: boolean): Uint8Array {
  return addressOrHex(call, call.parameter(name), visible);
}

/**
 * Reads a number from the query. If it is absent, release 4.8.2 and later read 0.
 * @throws {JavaError} NumberFormatException
 */
export function numberOrZero<T extends number | bigint>(
  call: HttpCall,
  name: string,
  read: (text: string | null) => T,
  zero: T,
): T {
  const text = call.parameter(name);
  return text === null && call.api.settings.release.absentNumbersAreZero ? zero : read(text);
}

/** Decodes an address text with `visible` (empty result if invalid), else hex. @throws {JavaError} */
export function addressOrHex(call: HttpCall, text: string | null, visible: boolean): Uint8Array {
  if (!visible) return bytesOfHex(text);
  return addressOfText(text, call.api.settings) ?? new Uint8Array(0);
}

/**
 * Reads a name: plain text with `visible`, else hex.
 * @throws {JavaError} NullPointerException if the name is absent and `visible` is set
 */
export function nameOrHex(text: string | null, visible: boolean): Uint8Array {
  if (!visible) return bytesOfHex(text);
  if (text === null) throw nullPointer();
  return Buffer.from(text);
}
