import t from 'tap';
import { keccak256 } from '../../../../src/crypto/hash.js';
import { toHex } from '../../../../src/primitives/bytes.js';
import { SlotKeys, writeWord } from '../../../../src/state-transition/state/slot-keys.js';
import { OWN_ROW } from '../../../../src/state-transition/state/storage-key.js';

const hashes = ['ab'.repeat(32), 'cd'.repeat(32)];

function limbs(slot: number): Int32Array {
  return Int32Array.of(slot, -1, 0, 7, 0, 0, 0x80000000 | 0, slot >> 3);
}

t.test('returns the same key whether computed, cached or evicted', async (t) => {
  const keys = new SlotKeys();
  const slot = new Uint8Array(32);
  for (let turn = 0; turn < 3; turn++) {
    let wrong = 0;
    // The number of keys exceeds the size of the cache.
    for (let i = 0; i < 3000; i++) {
      const words = limbs(i >> 1);
      const hash = hashes[i % 2] ?? '';
      const version = (i >> 2) % 2;
      writeWord(slot, words, 0);
      const expected = hash.slice(0, 32) + toHex(version === 1 ? keccak256(slot) : slot).slice(32);
      if (keys.keyOf(hash, version, words, 0) !== expected) wrong++;
      if (keys.keyOf(hash, version, words, 0) !== expected) wrong++;
    }
    t.equal(wrong, 0);
  }
});

t.test('derives a distinct slot key per contract and rule', async (t) => {
  const keys = new SlotKeys();
  const words = limbs(5);
  const all = hashes.flatMap((hash) => [0, 1, OWN_ROW].map((form) => keys.keyOf(hash, form, words, 0)));
  t.equal(new Set(all).size, 6);
});
