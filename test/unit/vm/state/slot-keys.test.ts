import t from 'tap';
import { toHex } from '../../../../src/domain/bytes.js';
import { keccak256 } from '../../../../src/domain/hash.js';
import { SlotKeys, writeWord } from '../../../../src/vm/state/slot-keys.js';

const prefixes = ['ab'.repeat(16), 'cd'.repeat(16)];

function limbs(slot: number): Int32Array {
  return Int32Array.of(slot, -1, 0, 7, 0, 0, 0x80000000 | 0, slot >> 3);
}

t.test('a key is the same whether it was worked out before, or another one took its place meanwhile', async (t) => {
  const keys = new SlotKeys();
  const slot = new Uint8Array(32);
  for (let turn = 0; turn < 3; turn++) {
    let wrong = 0;
    // More than there are places.
    for (let i = 0; i < 3000; i++) {
      const words = limbs(i >> 1);
      const prefix = prefixes[i % 2] ?? '';
      const version = (i >> 2) % 2;
      writeWord(slot, words, 0);
      const wanted = prefix + toHex(version === 1 ? keccak256(slot) : slot).slice(32);
      if (keys.keyOf(prefix, version, words, 0) !== wanted) wrong++;
      if (keys.keyOf(prefix, version, words, 0) !== wanted) wrong++;
    }
    t.equal(wrong, 0);
  }
});

t.test('a slot has a key of its own in each contract, and by each rule', async (t) => {
  const keys = new SlotKeys();
  const words = limbs(5);
  const all = prefixes.flatMap((prefix) => [0, 1].map((version) => keys.keyOf(prefix, version, words, 0)));
  t.equal(new Set(all).size, 4);
});
