import { TransactionRet } from '../../codec/generated/messages.js';
import { keccak256 } from '../../crypto/hash.js';
import { BARE_ADDRESS_BYTES } from '../../primitives/address.js';
import { itemAt } from '../../primitives/assert.js';
import type { Projection, ProjectionBit } from '../runner/projection.js';

/** Bits of a block's bloom filter. */
export const BLOOM_BITS = 2048;
/**
 * Blocks whose filters lie side by side: a row holds one bit of each of them.
 * Reference: SectionBloomStore.BLOCK_PER_SECTION.
 */
export const SECTION_BLOCKS = 2048;

/**
 * Which blocks may hold logs of an address or with a topic: the bloom filters of 2,048 blocks turned by 90 degrees, so
 * that a question reads three short rows for each of its words, however many blocks it covers. Reference:
 * SectionBloomStore.
 */
export const logBlooms: Projection = {
  name: 'log-blooms',
  version: 1,
  apply: ({ entry: { number, results } }) => {
    if (results.length === 0) return [];
    const words = new Map<string, Uint8Array>();
    for (const { log } of TransactionRet.decode(results).transactioninfo) {
      for (const { address, topics } of log) {
        for (const word of [address.subarray(-BARE_ADDRESS_BYTES), ...topics]) words.set(toText(word), word);
      }
    }
    const places = new Set([...words.values()].flatMap(bloomPlaces));
    return [...places].map((place) => bitOf(number, place));
  },
};

function toText(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1');
}

/** The three places of a word (an address of 20 bytes, a topic) in a bloom filter. Reference: Bloom.create. */
export function bloomPlaces(word: Uint8Array): number[] {
  const hash = keccak256(word);
  return [0, 2, 4].map((at) => ((itemAt(hash, at) << 8) | itemAt(hash, at + 1)) % BLOOM_BITS);
}

/** Key of a row: which blocks of a section have a bit. */
export function bloomKey(section: number, place: number): Buffer {
  const key = Buffer.alloc(6);
  key.writeUInt32BE(section, 0);
  key.writeUInt16BE(place, 4);
  return key;
}

function bitOf(number: number, place: number): ProjectionBit {
  const section = Math.floor(number / SECTION_BLOCKS);
  return { key: bloomKey(section, place), bit: number % SECTION_BLOCKS, bits: SECTION_BLOCKS };
}
