import { jubjub, jubjub_findGroupHash } from '@noble/curves/misc.js';
import { utf8 } from '../../../log/domain/bytes.js';

type Point = typeof jubjub.Point.ZERO;

/** Windows of three bits that share a generator. Reference: Zcash protocol, 5.4.1.7. */
const WINDOWS = 63;
const generators: Point[] = [];

function generator(segment: number): Point {
  while (generators.length <= segment) {
    const index = Buffer.alloc(4);
    index.writeUInt32LE(generators.length);
    generators.push(jubjub_findGroupHash(index, utf8('Zcash_PH')));
  }
  return generators[segment]!;
}

/** Pedersen hash of bits onto Jubjub. Reference: Zcash protocol, PedersenHashToPoint. */
export function pedersenHash(bits: readonly boolean[]): Point {
  let sum = jubjub.Point.ZERO;
  const windows = Math.ceil(bits.length / 3);
  for (let segment = 0; segment * WINDOWS < windows; segment++) {
    let scalar = 0n;
    for (let j = 0; j < WINDOWS && segment * WINDOWS + j < windows; j++) {
      const at = 3 * (segment * WINDOWS + j);
      const value = 1n + (bits[at] ? 1n : 0n) + (bits[at + 1] ? 2n : 0n);
      scalar += (bits[at + 2] ? -value : value) << BigInt(4 * j);
    }
    const { ORDER } = jubjub.Point.Fn;
    scalar = ((scalar % ORDER) + ORDER) % ORDER;
    if (scalar !== 0n) sum = sum.add(generator(segment).multiplyUnsafe(scalar));
  }
  return sum;
}

/** Bits of a number kept as little-endian bytes, lowest first. */
export function bitsOf(bytes: Uint8Array, count: number): boolean[] {
  return Array.from({ length: count }, (_, i) => ((bytes[i >> 3]! >> (i & 7)) & 1) === 1);
}

/** Bits of a node of the note tree that are hashed: a field element has 255, and is not asked to be reduced. */
const NODE_BITS = 255;
const LEVEL_BITS = 6;

/** A node of the note tree from the two below it. Reference: librustzcash_merkle_hash. */
export function merkleNode(level: number, left: Uint8Array, right: Uint8Array): Uint8Array {
  const bits = [...bitsOf(Uint8Array.of(level), LEVEL_BITS), ...bitsOf(left, NODE_BITS), ...bitsOf(right, NODE_BITS)];
  return littleEndian(pedersenHash(bits).toAffine().x);
}

/** 32 bytes, lowest first. */
export function littleEndian(value: bigint): Uint8Array {
  return Uint8Array.from(Buffer.from(value.toString(16).padStart(64, '0'), 'hex').reverse());
}
