import { present } from '../primitives/assert.js';
import { INT64_MAX, INT64_MIN } from '../primitives/int64.js';
import { JavaError } from './java-error.js';

/** Number of digits that Java's `BigInteger` parses at a time, by radix. */
const GROUP_DIGITS: Readonly<Record<number, number>> = { 8: 10, 10: 9, 16: 7 };

/**
 * Parses a long. Reference: Long.parseLong (Java 8).
 * @throws {JavaError} NumberFormatException: when the text is absent or not a long
 */
export function parseLong(text: string | null | undefined, radix = 10): bigint {
  if (text === null || text === undefined) throw numberFormat('null');
  const value = parseDigits(text, radix);
  if (value === undefined || value > INT64_MAX || value < INT64_MIN) throw forInput(text);
  return value;
}

/**
 * Parses an int. Reference: Integer.parseInt (Java 8).
 * @throws {JavaError} NumberFormatException: when the text is absent or not an int
 */
export function parseInt32(text: string | null | undefined): number {
  if (text === null || text === undefined) throw numberFormat('null');
  const value = parseDigits(text, 10);
  if (value === undefined || value > 0x7fffffffn || value < -0x80000000n) throw forInput(text);
  return Number(value);
}

/**
 * Parses an integer of up to 4,096 digits. With more digits, returns 2^63 or −2^63 − 1. Reference: new
 * BigInteger(String, int) (Java 8).
 * @throws {JavaError} NumberFormatException: when the text is not an integer
 */
export function parseBigInteger(text: string, radix: number): bigint {
  if (text.length === 0) throw numberFormat('Zero length BigInteger');
  const signs = [text.lastIndexOf('-'), text.lastIndexOf('+')];
  const [minus, plus] = signs as [number, number];
  let at = 0;
  if (minus + plus <= -1) {
    if (minus === 0 || plus === 0) {
      at = 1;
      if (text.length === 1) throw numberFormat('Zero length BigInteger');
    } else if (minus > 0 || plus > 0) throw numberFormat('Illegal embedded sign character');
  } else throw numberFormat('Illegal embedded sign character');
  while (at < text.length && text[at] === '0') at++;
  checkGroups(text, at, radix);
  const digits = text.slice(at);
  const value = digits === '' ? 0n : present(parseDigits(digits, radix), 'each of its groups was a number');
  return minus === 0 ? -value : value;
}

/** Checks the digits in groups, as Java does, because the error text contains the first invalid group. */
function checkGroups(text: string, from: number, radix: number): void {
  const size = present(GROUP_DIGITS[radix], 'the radix is 8, 10 or 16');
  let at = from;
  let length = (text.length - from) % size || size;
  while (at < text.length) {
    const group = text.slice(at, at + length);
    if (parseDigits(group, radix) === undefined) throw forInput(group);
    at += length;
    length = size;
  }
}

/** Parses a signed number without separators. Returns undefined for any other text. */
function parseDigits(text: string, radix: number): bigint | undefined {
  const pattern = radix === 16 ? /^[+-]?[0-9a-fA-F]+$/ : radix === 8 ? /^[+-]?[0-7]+$/ : /^[+-]?[0-9]+$/;
  if (!pattern.test(text)) return undefined;
  const isNegative = text.startsWith('-');
  const digits = text.replace(/^[+-]/, '').replace(/^0+(?=.)/, '');
  // A longer number is not parsed, because parsing takes quadratic time. The result is a value outside the range of a
  // long.
  if (digits.length > DIGITS_MAX) return isNegative ? INT64_MIN - 1n : INT64_MAX + 1n;
  const value = BigInt((radix === 16 ? '0x' : radix === 8 ? '0o' : '') + digits);
  return isNegative ? -value : value;
}

const DIGITS_MAX = 4096;

function forInput(text: string): JavaError {
  return numberFormat(`For input string: "${text}"`);
}

export function numberFormat(text: string | null): JavaError {
  return new JavaError('java.lang.NumberFormatException', text);
}
