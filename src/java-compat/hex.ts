import { EMPTY_BYTES, fromHex } from '../primitives/bytes.js';
import { JavaError } from './java-error.js';

/**
 * Decodes a hex text, which may start with `0x`. If the number of digits is odd, adds a leading zero. Ignores white
 * space. Returns no bytes for null. Reference: ByteArray.fromHexString.
 * @throws {JavaError} DecoderException: a character is not a hex digit
 */
export function bytesOfHex(text: string | null | undefined): Uint8Array {
  if (text === null || text === undefined) return EMPTY_BYTES;
  return decodeHex(hexDigits(text));
}

/**
 * Returns the digits of a hex text, with a leading zero if their number is odd. Does not check the digits. Reference:
 * ByteArray.fromHex.
 */
export function hexDigits(text: string): string {
  const digits = text.startsWith('0x') ? text.slice(2) : text;
  return digits.length % 2 === 0 ? digits : `0${digits}`;
}

/**
 * Decodes a hex text. Ignores white space. Reference: Hex.decode of Bouncy Castle.
 * @throws {JavaError} DecoderException: a character is not a hex digit, or the number of digits is odd
 */
export function decodeHex(text: string): Uint8Array {
  if (CLEAN.test(text) && text.length % 2 === 0) return fromHex(text);
  let end = text.length;
  while (end > 0 && isIgnored(text.charAt(end - 1))) end--;
  const bytes: number[] = [];
  for (let at = 0; at < end; ) {
    while (at < end && isIgnored(text.charAt(at))) at++;
    const high = digitOf(text, at++);
    while (at < end && isIgnored(text.charAt(at))) at++;
    const low = digitOf(text, at++);
    if ((high | low) < 0) throw decoderError('invalid characters encountered in Hex string');
    bytes.push((high << 4) | low);
  }
  return Uint8Array.from(bytes);
}

const CLEAN = /^[0-9a-fA-F]*$/;

function isIgnored(char: string): boolean {
  return char === '\n' || char === '\r' || char === '\t' || char === ' ';
}

function digitOf(text: string, at: number): number {
  if (at >= text.length) throw decoderError(`String index out of range: ${at}`);
  const code = text.charCodeAt(at);
  if (code > 127) throw decoderError(`${code}`);
  const digit = Number.parseInt(text.charAt(at), 16);
  return Number.isNaN(digit) ? -1 : digit;
}

function decoderError(text: string): JavaError {
  return new JavaError('org.bouncycastle.util.encoders.DecoderException', `exception decoding Hex string: ${text}`);
}
