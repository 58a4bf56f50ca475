import { keccak256 } from '../../crypto/hash.js';
import { BARE_ADDRESS_BYTES } from '../../primitives/address.js';
import { itemAt } from '../../primitives/assert.js';
import type { Projection, ProjectionBit } from '../runner/projection.js';
import { storedBlockOf } from './history-block.js';

/** Size of the bloom filter of a block, in bits. */
export const BLOOM_BITS = 2048;
/**
 * Number of blocks per section. A row of the index contains one bit for each block of a section.
 * Reference: SectionBloomStore.BLOCK_PER_SECTION.
 */
export const SECTION_BLOCKS = 2048;

/**
 * Index of blocks that may contain event logs of an address or with a topic. A row represents one bit position of the
 * bloom filters of 2,048 blocks (a section), with one bit per block. For each address or topic, a query reads three
 * rows of 256 bytes per section instead of 2,048 filters. Reference: SectionBloomStore.
 */
export const logBlooms: Projection = {
  name: 'log-blooms',
  version: 1,
  apply: (block) => {
    const { number } = block.entry;
    const words = new Map<string, Uint8Array>();
    for (const { log } of storedBlockOf(block).infos) {
      for (const { address, topics } of log) {
        for (const word of [address.subarray(-BARE_ADDRESS_BYTES), ...topics]) words.set(toText(word), word);
      }
    }
    const bitIndexes = new Set([...words.values()].flatMap(bloomBitIndexes));
    return [...bitIndexes].map((bitIndex) => bitOf(number, bitIndex));
  },
};

function toText(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1');
}

/**
 * Returns the three bit positions that an address (20 bytes) or a topic sets in a bloom filter. Reference:
 * Bloom.create.
 */
export function bloomBitIndexes(word: Uint8Array): number[] {
  const hash = keccak256(word);
  return [0, 2, 4].map((at) => ((itemAt(hash, at) << 8) | itemAt(hash, at + 1)) % BLOOM_BITS);
}

/** Returns the key of the row that contains one bit position of the bloom filters of all blocks in a section. */
export function bloomKey(section: number, bitIndex: number): Buffer {
  const key = Buffer.alloc(6);
  key.writeUInt32BE(section, 0);
  key.writeUInt16BE(bitIndex, 4);
  return key;
}

function bitOf(number: number, bitIndex: number): ProjectionBit {
  const section = Math.floor(number / SECTION_BLOCKS);
  return { key: bloomKey(section, bitIndex), bit: number % SECTION_BLOCKS, bits: SECTION_BLOCKS };
}
