import { addressOfText } from '../../encoding/address-text.js';
import { bytesOfHex } from '../../java-compat/hex.js';
import { nullPointer } from '../../java-compat/java-error.js';
import type { HttpCall } from './http-call.js';

/**
 * Reads an address from the query. With `visible`, the address is Base58Check, and an invalid address becomes empty.
 * Otherwise, the address is hex. Reference: Util.getHexAddress, ByteArray.fromHexString.
 * @throws {JavaError} the hex is malformed
 */
export function addressParameter(call: HttpCall, name: string, visible: boolean): Uint8Array {
  return addressOrHex(call, call.parameter(name), visible);
}

/**
 * Reads a number from the query. If the parameter is absent, release 4.8.2 and later return 0.
 * @throws {JavaError} NumberFormatException: the text is no number
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

/**
 * Decodes an address. With `visible`, the address is Base58Check, and an invalid address becomes empty. Otherwise, the
 * address is hex.
 * @throws {JavaError} the hex is malformed
 */
export function addressOrHex(call: HttpCall, text: string | null, visible: boolean): Uint8Array {
  if (!visible) return bytesOfHex(text);
  return addressOfText(text, call.api.settings) ?? new Uint8Array(0);
}

/**
 * Decodes a name. With `visible`, the argument is plain text; otherwise, it is hex.
 * @throws {JavaError} NullPointerException: `text` is null, and `visible` is set; or the hex is malformed
 */
export function nameOrHex(text: string | null, visible: boolean): Uint8Array {
  if (!visible) return bytesOfHex(text);
  if (text === null) throw nullPointer();
  return Buffer.from(text);
}
