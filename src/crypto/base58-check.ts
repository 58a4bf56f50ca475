import { itemAt } from '../primitives/assert.js';
import { concatBytes, equalBytes, fromHex } from '../primitives/bytes.js';
import { sha256Hex } from './hash.js';

/** Encodes an address (21 bytes with prefix) or other bytes as text. Reference: StringUtil.encode58Check. */
export function encodeBase58Check(bytes: Uint8Array): string {
  return encodeBase58(concatBytes(bytes, checksum(bytes)));
}

/**
 * Decodes a Base58Check text. Returns undefined if a character is invalid, the checksum is wrong, the text has no
 * content, or it is longer than `TEXT_LENGTH_MAX`. Reference: Commons.decode58Check.
 */
export function decodeBase58Check(text: string): Uint8Array | undefined {
  const bytes = decodeBase58(text);
  if (bytes === undefined || bytes.length <= CHECKSUM_BYTES) return undefined;
  const payload = bytes.subarray(0, -CHECKSUM_BYTES);
  return equalBytes(bytes.subarray(-CHECKSUM_BYTES), checksum(payload)) ? payload : undefined;
}

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const DIGIT = new Map([...ALPHABET].map((char, digit) => [char, digit]));
const CHECKSUM_BYTES = 4;
/**
 * Maximum length of a text, in characters. Longer texts are not decoded, because decoding takes quadratic time. Valid
 * texts are much shorter.
 */
const TEXT_LENGTH_MAX = 1024;

function checksum(bytes: Uint8Array): Uint8Array {
  return fromHex(sha256Hex(fromHex(sha256Hex(bytes)))).subarray(0, CHECKSUM_BYTES);
}

/**
 * Encodes bytes as Base58. Adds three bytes at a time to a number whose limbs have four Base58 digits each. All
 * intermediate numbers are below 2^53, so doubles represent them exactly.
 */
function encodeBase58(bytes: Uint8Array): string {
  const limbs: number[] = []; // Number in base LIMB, lowest limb first.
  for (let at = 0; at < bytes.length; ) {
    const end = at + ((bytes.length - at) % 3 || 3);
    let carry = 0;
    while (at < end) carry = carry * 256 + itemAt(bytes, at++);
    for (let i = 0; i < limbs.length; i++) {
      carry += itemAt(limbs, i) * 2 ** 24;
      const quotient = Math.floor(carry / LIMB);
      limbs[i] = carry - quotient * LIMB;
      carry = quotient;
    }
    for (; carry > 0; carry = Math.floor(carry / LIMB)) limbs.push(carry % LIMB);
  }
  const zeros = leadingZeros(bytes);
  const text = Buffer.allocUnsafe(zeros + limbs.length * LIMB_DIGITS);
  let at = text.length;
  for (const limb of limbs) {
    let rest = limb;
    for (let digit = 0; digit < LIMB_DIGITS; digit++) {
      text[--at] = itemAt(CODES, rest % CODES.length);
      rest = Math.floor(rest / CODES.length);
    }
  }
  while (at < text.length && text[at] === CODES[0]) at++;
  return text.fill(itemAt(CODES, 0), at - zeros, at).toString('latin1', at - zeros);
}

const CODES = Buffer.from(ALPHABET, 'latin1');
const LIMB_DIGITS = 4;
const LIMB = CODES.length ** LIMB_DIGITS;

function decodeBase58(text: string): Uint8Array | undefined {
  if (text.length > TEXT_LENGTH_MAX) return undefined;
  const digits: number[] = [];
  for (const char of text) {
    const digit = DIGIT.get(char);
    if (digit === undefined) return undefined;
    digits.push(digit);
  }
  const bytes: number[] = []; // Result, lowest byte first.
  for (const digit of digits) {
    let carry = digit;
    for (let i = 0; i < bytes.length; i++) {
      carry += itemAt(bytes, i) * 58;
      bytes[i] = carry % 256;
      carry = Math.floor(carry / 256);
    }
    for (; carry > 0; carry = Math.floor(carry / 256)) bytes.push(carry % 256);
  }
  return Uint8Array.from([...new Array<number>(leadingZeros(digits)).fill(0), ...bytes.reverse()]);
}

function leadingZeros(digits: ArrayLike<number>): number {
  let count = 0;
  while (count < digits.length && digits[count] === 0) count++;
  return count;
}
