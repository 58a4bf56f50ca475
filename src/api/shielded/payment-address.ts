import { illegalArgument } from '../../java-compat/java-error.js';
import { itemAt } from '../../primitives/assert.js';
import { concatBytes } from '../../primitives/bytes.js';
import { DIVERSIFIER_BYTES } from './shielded-keys.js';

interface PaymentAddress {
  readonly diversifier: Uint8Array;
  readonly transmissionKey: Uint8Array;
}

const PREFIX = 'ztron';
const DIGITS = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const CHECKSUM_DIGITS = 6;
/** Number of 5-bit groups in the 43 bytes of an address. */
const GROUPS = 69;

/** Encodes a payment address in Bech32. Reference: KeyIo.encodePaymentAddress. */
export function encodePaymentAddress({ diversifier, transmissionKey }: PaymentAddress): string {
  const groups = regroup(concatBytes(diversifier, transmissionKey), 8, 5);
  const sum = polymod([...expandPrefix(PREFIX), ...groups, ...new Array<number>(CHECKSUM_DIGITS).fill(0)]) ^ 1;
  const checksum = Array.from({ length: CHECKSUM_DIGITS }, (_, at) => (sum >>> (5 * (5 - at))) & 31);
  return `${PREFIX}1${[...groups, ...checksum].map((group) => DIGITS[group]).join('')}`;
}

/**
 * Decodes a payment address. Returns undefined if the text is valid Bech32, but not a payment address.
 * Reference: KeyIo.decodePaymentAddress.
 * @throws {JavaError} IllegalArgumentException: the text is not valid Bech32, or its padding bits are not 0
 */
export function decodePaymentAddress(text: string): PaymentAddress | undefined {
  const { prefix, groups } = decodeBech32(text);
  if (prefix !== PREFIX || groups.length !== GROUPS) return undefined;
  const bits = GROUPS * 5 - 43 * 8;
  if ((itemAt(groups, GROUPS - 1) & ((1 << bits) - 1)) !== 0)
    throw illegalArgument('Could not convert bits, invalid padding');
  const bytes = Uint8Array.from(regroup(groups, 5, 8).slice(0, 43));
  return { diversifier: bytes.subarray(0, DIVERSIFIER_BYTES), transmissionKey: bytes.subarray(DIVERSIFIER_BYTES) };
}

/**
 * Decodes Bech32 to its prefix and its 5-bit groups. Reference: Bech32.decode.
 * @throws {JavaError} IllegalArgumentException: the text is not valid Bech32
 */
function decodeBech32(text: string): { prefix: string; groups: number[] } {
  if (text.length < 8) throw illegalArgument(`Input too short: ${text.length}`);
  if (text.length > 90) throw illegalArgument(`Input too long: ${text.length}`);
  let isLower = false;
  let isUpper = false;
  for (let at = 0; at < text.length; at++) {
    const char = itemAt(text, at);
    const wasLower = isLower;
    const wasUpper = isUpper;
    isLower ||= char >= 'a' && char <= 'z';
    isUpper ||= char >= 'A' && char <= 'Z';
    const isMixed = isLower && isUpper && !(wasLower && wasUpper);
    if (char < '!' || char > '~' || isMixed) throw illegalArgument(`InvalidCharacter(${char}, ${at})`);
  }
  const mark = text.lastIndexOf('1');
  if (mark < 1) throw illegalArgument('Missing human-readable part');
  const length = text.length - 1 - mark;
  if (length < CHECKSUM_DIGITS) throw illegalArgument(`Data part too short: ${length}`);
  const groups = [...text.slice(mark + 1)].map((char, at) => {
    const group = DIGITS.indexOf(char.toLowerCase());
    // java-tron concatenates three numbers as text instead of adding them. This error text must equal java-tron's.
    if (group < 0) throw illegalArgument(`InvalidCharacter(${char}, ${at}${mark}1)`);
    return group;
  });
  const prefix = text.slice(0, mark).toLowerCase();
  if (polymod([...expandPrefix(prefix), ...groups]) !== 1) throw illegalArgument('InvalidChecksum:');
  return { prefix, groups: groups.slice(0, -CHECKSUM_DIGITS) };
}

const FACTORS = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];

function polymod(values: readonly number[]): number {
  let sum = 1;
  for (const value of values) {
    const top = sum >>> 25;
    sum = ((sum & 0x1ffffff) << 5) ^ value;
    for (const [bit, factor] of FACTORS.entries()) if ((top >>> bit) & 1) sum ^= factor;
  }
  return sum;
}

function expandPrefix(prefix: string): number[] {
  const codes = [...prefix].map((char) => char.charCodeAt(0) & 0x7f);
  return [...codes.map((code) => code >>> 5), 0, ...codes.map((code) => code & 31)];
}

/**
 * Converts groups of `from` bits to groups of `to` bits. Pads the last group with zeros.
 * @param from bits per input group
 * @param to bits per output group
 */
function regroup(groups: Iterable<number>, from: number, to: number): number[] {
  const out: number[] = [];
  let rest = 0;
  let bits = 0;
  for (const group of groups) {
    rest = ((rest << from) | group) & 0xfff;
    bits += from;
    for (; bits >= to; bits -= to) out.push((rest >>> (bits - to)) & ((1 << to) - 1));
  }
  if (bits > 0) out.push((rest << (to - bits)) & ((1 << to) - 1));
  return out;
}
