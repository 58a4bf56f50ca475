import { createHash } from 'node:crypto';
import { keccak_256 } from '@noble/hashes/sha3.js';
import t from 'tap';
import { keccak256, sha256 } from '../../../src/crypto/hash.js';
import { concatBytes } from '../../../src/primitives/bytes.js';

const bytesOf = (length: number): Uint8Array => Uint8Array.from({ length }, (_, at) => (at * 7 + length) & 0xff);

t.test('hashes inputs of every length around the block sizes, and in parts', async (t) => {
  const lengths = [...Array.from({ length: 300 }, (_, at) => at), 65_536, 1_000_000];
  const mismatched = lengths.filter((length) => {
    const bytes = bytesOf(length);
    const parts = [bytes.subarray(0, length >> 1), bytes.subarray(length >> 1)];
    const expected = [keccak_256(bytes), createHash('sha256').update(bytes).digest()];
    const actual = [keccak256(bytes), sha256(bytes)];
    const ofParts = [keccak256(...parts), sha256(...parts)];
    return [actual, ofParts].some((pair) => Buffer.compare(concatBytes(...pair), concatBytes(...expected)) !== 0);
  });
  t.same(mismatched, []);
});
