import { jubjub } from '@noble/curves/misc.js';
import { POINT_BYTES } from '../../../wasm/jubjub/points.js';
import { affineOf, curve, NEUTRAL } from './coordinates.js';
import { GROUP, groupSummand, WINDOW_BITS, windowSummand } from './pedersen-tables.js';

const GROUP_BITS = GROUP * WINDOW_BITS;
/** Bits before all others, which say what is hashed. */
const KIND_BITS = 6;
/** Bits of what a note holds: with those before them the longest hash that there is. */
const NOTE_BITS = 576;

const sum = curve.room(POINT_BYTES);
/** Addresses of what is added, of 4 bytes each: for each group, and for windows behind the last. */
const list = curve.room(4 * (Math.ceil((KIND_BITS + NOTE_BITS) / GROUP_BITS) + GROUP));

/**
 * Pedersen hash of bits onto Jubjub, into `sum`. What four windows at a time add is looked up: a node of the tree is 43 additions.
 * Reference: Zcash protocol, PedersenHashToPoint.
 * @param bits lowest first in each byte, zeros behind the end
 */
function hash(bits: Uint8Array, count: number): void {
  const windows = Math.ceil(count / WINDOW_BITS);
  const groups = Math.floor(windows / GROUP);
  let end = list;
  const add = (summand: number) => {
    curve.writeAddress(end, summand);
    end += 4;
  };
  for (let group = 0; group < groups; group++) add(groupSummand(group, bitsAt(bits, group * GROUP_BITS, GROUP_BITS)));
  for (let window = groups * GROUP; window < windows; window++)
    add(windowSummand(window, bitsAt(bits, window * WINDOW_BITS, WINDOW_BITS)));
  curve.copyPoint(sum, NEUTRAL);
  curve.run.addAllKnown(sum, list, (end - list) / 4);
}

/** Up to nine bits of a text, or twelve that begin in the middle of a byte or where it does; zeros behind its end. */
function bitsAt(bytes: Uint8Array, at: number, count: number): number {
  const from = at >> 3;
  const two = (bytes[from] ?? 0) | ((bytes[from + 1] ?? 0) << 8);
  return (two >> (at & 7)) & ((1 << count) - 1);
}

/** Bits of a node of the note tree that are hashed: a field element has 255, and is not asked to be reduced. */
const NODE_BITS = 255;
const TREE_BITS = KIND_BITS + 2 * NODE_BITS;

/** A node of the note tree, 32 bytes as those below it. Reference: librustzcash_merkle_hash. */
export function merkleNode(level: number, left: Uint8Array, right: Uint8Array): Uint8Array {
  const bits = new Uint8Array(Math.ceil(TREE_BITS / 8));
  bits[0] = level & (2 ** KIND_BITS - 1);
  placeBits(bits, KIND_BITS, left, NODE_BITS);
  placeBits(bits, KIND_BITS + NODE_BITS, right, NODE_BITS);
  hash(bits, TREE_BITS);
  return curve.readX(sum);
}

/** Hash of what a note holds (72 bytes), to which its commitment adds a random point. Reference: Zcash protocol, NoteCommit. */
export function noteHash(content: Uint8Array): typeof jubjub.Point.ZERO {
  const count = content.length * 8;
  if (count !== NOTE_BITS) throw new RangeError(`a note's content has ${NOTE_BITS} bits, not ${count}`);
  const bits = new Uint8Array(Math.ceil((KIND_BITS + count) / 8));
  bits[0] = 2 ** KIND_BITS - 1;
  placeBits(bits, KIND_BITS, content, count);
  hash(bits, KIND_BITS + count);
  return jubjub.Point.fromAffine(affineOf(sum));
}

/** Places the lowest bits of bytes behind others; from there on there were zeros. */
function placeBits(to: Uint8Array, at: number, bytes: Uint8Array, count: number): void {
  const shift = at & 7;
  const [whole, left] = [count >> 3, count & 7];
  let place = at >> 3;
  let rest = to[place] ?? 0;
  for (let i = 0; i < whole; i++) {
    rest |= (bytes[i] ?? 0) << shift;
    to[place++] = rest;
    rest >>= 8;
  }
  if (left > 0) rest |= ((bytes[whole] ?? 0) & ((1 << left) - 1)) << shift;
  if (shift + left > 0) to[place] = rest;
  if (shift + left > 8) to[place + 1] = rest >> 8;
}
