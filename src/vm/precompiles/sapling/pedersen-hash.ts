import { jubjub } from '@noble/curves/misc.js';
import { JUBJUB_POINT_BYTES } from '../../../crypto/wasm/jubjub/points.js';
import { itemAt } from '../../../primitives/assert.js';
import { affineOf, curve, NEUTRAL } from './coordinates.js';
import { groupTables, PEDERSEN_GROUP, WINDOW_BITS, windowSummand } from './pedersen-tables.js';

const GROUP_BITS = PEDERSEN_GROUP * WINDOW_BITS;
/** Bits before all others, which say what is hashed. */
const KIND_BITS = 6;
/** Bits of what a note holds: with those before them the longest hash that there is. */
const NOTE_BITS = 576;

const sum = curve.room(JUBJUB_POINT_BYTES);
/** Bytes of the longest text, and one that a group of bits at its end reads with it. */
const TEXT_BYTES = Math.ceil((KIND_BITS + NOTE_BITS) / 8) + 1;
const text = curve.room(4 * Math.ceil(TEXT_BYTES / 4));
/** Where a text is put together. A new one would have more bytes than V8 keeps in its own heap. */
const bits = new Uint8Array(TEXT_BYTES);
/** Addresses of what is added, of 4 bytes each: for each group, and for windows behind the last. */
const list = curve.room(4 * (Math.ceil((KIND_BITS + NOTE_BITS) / GROUP_BITS) + PEDERSEN_GROUP));

/**
 * Pedersen hash of bits onto Jubjub, into `sum`. What four windows at a time add is looked up: a node of the tree is 43
 * additions.
 * Reference: Zcash protocol, PedersenHashToPoint.
 * @param count of bits, lowest first in each byte of `bits`
 */
function hash(count: number): void {
  const windows = Math.ceil(count / WINDOW_BITS);
  const groups = Math.floor(windows / PEDERSEN_GROUP);
  const tables = groupTables(groups);
  curve.placeBytes(text, bits);
  curve.run.chooseKnown(list, text, tables, groups);
  let end = list + 4 * groups;
  for (let window = groups * PEDERSEN_GROUP; window < windows; window++) {
    curve.writeAddress(end, windowSummand(window, bitsAt(window * WINDOW_BITS)));
    end += 4;
  }
  curve.copyPoint(sum, NEUTRAL);
  curve.run.addAllKnown(sum, list, (end - list) / 4);
}

/** The bits of a window. */
function bitsAt(at: number): number {
  const from = at >> 3;
  const two = itemAt(bits, from) | (itemAt(bits, from + 1) << 8);
  return (two >> (at & 7)) & ((1 << WINDOW_BITS) - 1);
}

/** Bits of a node of the note tree that are hashed: a field element has 255, and is not asked to be reduced. */
const NODE_BITS = 255;
const TREE_BITS = KIND_BITS + 2 * NODE_BITS;

/** A node of the note tree, 32 bytes as those below it. Reference: librustzcash_merkle_hash. */
export function merkleNode(level: number, left: Uint8Array, right: Uint8Array): Uint8Array {
  bits[0] = level & (2 ** KIND_BITS - 1);
  placeBits(KIND_BITS, left, NODE_BITS);
  placeBits(KIND_BITS + NODE_BITS, right, NODE_BITS);
  hash(TREE_BITS);
  return curve.readX(sum);
}

/**
 * Hash of what a note holds (72 bytes), to which its commitment adds a random point.
 * Reference: Zcash protocol, NoteCommit.
 */
export function noteHash(content: Uint8Array): typeof jubjub.Point.ZERO {
  const count = content.length * 8;
  if (count !== NOTE_BITS) throw new RangeError(`a note's content has ${NOTE_BITS} bits, not ${count}`);
  bits[0] = 2 ** KIND_BITS - 1;
  placeBits(KIND_BITS, content, count);
  hash(KIND_BITS + count);
  return jubjub.Point.fromAffine(affineOf(sum));
}

/** Places the lowest bits of bytes behind others, and zeros into what is left of the last byte. */
function placeBits(at: number, bytes: Uint8Array, count: number): void {
  const shift = at & 7;
  const [whole, left] = [count >> 3, count & 7];
  let place = at >> 3;
  let rest = itemAt(bits, place) & ((1 << shift) - 1);
  for (let i = 0; i < whole; i++) {
    rest |= (bytes[i] ?? 0) << shift;
    bits[place++] = rest;
    rest >>= 8;
  }
  if (left > 0) rest |= ((bytes[whole] ?? 0) & ((1 << left) - 1)) << shift;
  if (shift + left > 0) bits[place] = rest;
  if (shift + left > 8) bits[place + 1] = rest >> 8;
}
