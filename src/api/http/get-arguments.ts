import { addressOfText } from '../../encoding/address-text.js';
import { bytesOfHex } from '../../java-compat/hex.js';
import { nullPointer } from '../../java-compat/java-error.js';
import type { HttpCall } from './http-call.js';

/**
 * An address of a query: Base58Check with `visible`, where a wrong one counts as empty, else hex.
 * Reference: Util.getHexAddress, ByteArray.fromHexString. @throws {JavaError}
 */
export function addressParameter(call: HttpCall, name: string, visible: boolean): Uint8Array {
  return addressOrHex(call, call.parameter(name), visible);
}

/** A number of a query; later releases take 0 where there is none. @throws {JavaError} NumberFormatException */
export function numberOrZero<T extends number | bigint>(
  call: HttpCall,
  name: string,
  read: (text: string | null) => T,
  zero: T,
): T {
  const text = call.parameter(name);
  return text === null && call.api.settings.release.absentNumbersAreZero ? zero : read(text);
}

/** @throws {JavaError} */
export function addressOrHex(call: HttpCall, text: string | null, visible: boolean): Uint8Array {
  if (!visible) return bytesOfHex(text);
  return addressOfText(text, call.api.settings) ?? new Uint8Array(0);
}

/**
 * A name of a query: text with `visible`, else hex. @throws {JavaError} NullPointerException for none, with `visible`
 */
export function nameOrHex(text: string | null, visible: boolean): Uint8Array {
  if (!visible) return bytesOfHex(text);
  if (text === null) throw nullPointer();
  return Buffer.from(text);
}
