import { concatBytes, equalBytes } from './bytes.js';
import { sha256 } from './hash.js';

/** Text form of an address (21 bytes, prefix included) or any other bytes. Reference: StringUtil.encode58Check. */
export function encodeBase58Check(bytes: Uint8Array): string {
  return encodeBase58(concatBytes(bytes, checksum(bytes)));
}

/** Bytes of a Base58Check text; undefined for a foreign character or a wrong checksum. Reference: Commons.decode58Check. */
export function decodeBase58Check(text: string): Uint8Array | undefined {
  const bytes = decodeBase58(text);
  if (bytes === undefined || bytes.length <= CHECKSUM_BYTES) return undefined;
  const payload = bytes.subarray(0, -CHECKSUM_BYTES);
  return equalBytes(bytes.subarray(-CHECKSUM_BYTES), checksum(payload)) ? payload : undefined;
}

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const DIGIT = new Map([...ALPHABET].map((char, digit) => [char, digit]));
const CHECKSUM_BYTES = 4;
/** The conversion takes time by the square of the length; nothing that the node reads in this form comes near. */
const TEXT_LENGTH_MAX = 1024;

function checksum(bytes: Uint8Array): Uint8Array {
  return sha256(sha256(bytes)).subarray(0, CHECKSUM_BYTES);
}

function encodeBase58(bytes: Uint8Array): string {
  const digits = convertBase(bytes, 256, 58);
  return '1'.repeat(leadingZeros(bytes)) + digits.map((digit) => ALPHABET[digit]).join('');
}

function decodeBase58(text: string): Uint8Array | undefined {
  if (text.length > TEXT_LENGTH_MAX) return undefined;
  const digits: number[] = [];
  for (const char of text) {
    const digit = DIGIT.get(char);
    if (digit === undefined) return undefined;
    digits.push(digit);
  }
  return Uint8Array.from([...new Array<number>(leadingZeros(digits)).fill(0), ...convertBase(digits, 58, 256)]);
}

/** Digits of a number, highest first and without leading zeros, from one base to another. */
function convertBase(digits: Iterable<number>, from: number, to: number): number[] {
  const out: number[] = []; // lowest first
  for (const digit of digits) {
    let carry = digit;
    for (let i = 0; i < out.length; i++) {
      carry += out[i]! * from;
      out[i] = carry % to;
      carry = Math.floor(carry / to);
    }
    for (; carry > 0; carry = Math.floor(carry / to)) out.push(carry % to);
  }
  return out.reverse();
}

function leadingZeros(digits: ArrayLike<number>): number {
  let count = 0;
  while (count < digits.length && digits[count] === 0) count++;
  return count;
}
