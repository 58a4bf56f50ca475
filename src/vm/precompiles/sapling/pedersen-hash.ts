import { jubjub } from '@noble/curves/misc.js';
import { JUBJUB_POINT_BYTES } from '../../../crypto/wasm/jubjub/points.js';
import { itemAt } from '../../../primitives/assert.js';
import { affineOf, curve, NEUTRAL } from './coordinates.js';
import { groupTables, PEDERSEN_GROUP, WINDOW_BITS, windowSummand } from './pedersen-tables.js';

const GROUP_BITS = PEDERSEN_GROUP * WINDOW_BITS;
/**
 * Number of bits of the personalization, which is the first part of the input. Hashes for different uses have
 * different personalizations, so that their inputs are never equal.
 */
const KIND_BITS = 6;
/** Number of bits of a note's content. Personalization and content together are the longest input. */
const NOTE_BITS = 576;

const sum = curve.allocate(JUBJUB_POINT_BYTES);
/** Size of the longest input in bytes, plus one byte, because `bitsAt` reads two bytes at once. */
const TEXT_BYTES = Math.ceil((KIND_BITS + NOTE_BITS) / 8) + 1;
const text = curve.allocate(4 * Math.ceil(TEXT_BYTES / 4));
/** Buffer of the input. It is reused, because V8 allocates arrays of this size outside of its heap. */
const bits = new Uint8Array(TEXT_BYTES);
/**
 * Addresses of the precomputed curve points to add, 4 bytes each: one point for each group of windows, then one point
 * for each of the last windows, which do not fill a group.
 */
const list = curve.allocate(4 * (Math.ceil((KIND_BITS + NOTE_BITS) / GROUP_BITS) + PEDERSEN_GROUP));

/**
 * Computes a Pedersen hash, which is a point of Jubjub, and stores it in `sum`. One table lookup covers a group of
 * four windows of the input, so the hash of a tree node takes 43 additions. Reference: Zcash protocol,
 * PedersenHashToPoint.
 * @param count number of bits of the input in `bits`; the lowest bit of each byte is first
 */
function hash(count: number): void {
  const windows = Math.ceil(count / WINDOW_BITS);
  const groups = Math.floor(windows / PEDERSEN_GROUP);
  const tables = groupTables(groups);
  curve.storeBytes(text, bits);
  curve.run.chooseKnown(list, text, tables, groups);
  let end = list + 4 * groups;
  for (let window = groups * PEDERSEN_GROUP; window < windows; window++) {
    curve.writeAddress(end, windowSummand(window, bitsAt(window * WINDOW_BITS)));
    end += 4;
  }
  curve.copyPoint(sum, NEUTRAL);
  curve.run.addAllKnown(sum, list, (end - list) / 4);
}

/** Returns the bits of the window that starts at bit `at`. */
function bitsAt(at: number): number {
  const from = at >> 3;
  const two = itemAt(bits, from) | (itemAt(bits, from + 1) << 8);
  return (two >> (at & 7)) & ((1 << WINDOW_BITS) - 1);
}

/**
 * Number of bits of a child node in the input. All 255 bits are used, even if their value is not below the modulus of
 * the field.
 */
const NODE_BITS = 255;
const TREE_BITS = KIND_BITS + 2 * NODE_BITS;

/** Returns a node of the note tree, 32 bytes. Reference: librustzcash_merkle_hash. */
export function merkleNode(level: number, left: Uint8Array, right: Uint8Array): Uint8Array {
  bits[0] = level & (2 ** KIND_BITS - 1);
  storeBits(KIND_BITS, left, NODE_BITS);
  storeBits(KIND_BITS + NODE_BITS, right, NODE_BITS);
  hash(TREE_BITS);
  return curve.readX(sum);
}

/**
 * Returns the hash of a note's content (72 bytes). The note commitment is this hash plus a random point. Reference:
 * Zcash protocol, NoteCommit.
 * @throws {RangeError} the content does not have 72 bytes
 */
export function noteHash(content: Uint8Array): typeof jubjub.Point.ZERO {
  const count = content.length * 8;
  if (count !== NOTE_BITS) throw new RangeError(`note content has ${count} bits, expected ${NOTE_BITS}`);
  bits[0] = 2 ** KIND_BITS - 1;
  storeBits(KIND_BITS, content, count);
  hash(KIND_BITS + count);
  return jubjub.Point.fromAffine(affineOf(sum));
}

/** Copies the lowest `count` bits of `bytes` to bit offset `at`. Sets the rest of the last byte to zero. */
function storeBits(at: number, bytes: Uint8Array, count: number): void {
  const shift = at & 7;
  const [whole, left] = [count >> 3, count & 7];
  let byteIndex = at >> 3;
  let rest = itemAt(bits, byteIndex) & ((1 << shift) - 1);
  for (let i = 0; i < whole; i++) {
    rest |= (bytes[i] ?? 0) << shift;
    bits[byteIndex++] = rest;
    rest >>= 8;
  }
  if (left > 0) rest |= ((bytes[whole] ?? 0) & ((1 << left) - 1)) << shift;
  if (shift + left > 0) bits[byteIndex] = rest;
  if (shift + left > 8) bits[byteIndex + 1] = rest >> 8;
}
