import t, { type Test } from 'tap';
import { Block } from '../../../../src/codec/generated/messages.js';
import { CanonicalBlocks } from '../../../../src/p2p/receive/canonical-blocks.js';
import { readBlock, writtenSize } from '../../../../src/p2p/receive/read-messages.js';
import { concatBytes, equalBytes } from '../../../../src/primitives/bytes.js';
import { encodedOf } from '../../../../src/state-transition/block/encoded-block.js';
import { Random } from '../../../fuzz/random.js';
import { blocksOf } from '../../../support/node/recorded-blocks.js';

const SEED = 20_261_125;
/** Number of changed copies of each recorded block. */
const MUTATIONS = 40;
const FOLDERS = ['stake'].map((name) => new URL(`../../../golden/${name}`, import.meta.url).pathname);

const plain = new CanonicalBlocks();

/**
 * Fails the test if the fast path accepts a block that `readBlock` rejects or reads differently.
 * @returns true if the fast path accepts the block
 */
function isPlain(t: Test, bytes: Uint8Array, isFiltered: boolean): boolean {
  const encoded = plain.read(bytes, isFiltered);
  if (encoded === undefined) return false;
  const whole = readBlock(bytes, isFiltered);
  t.same(encoded, encodedOf(whole));
  t.equal(writtenSize(whole), bytes.length);
  t.ok(equalBytes(Block.encode(whole.message), bytes), 'encodes to the same bytes');
  return true;
}

t.test('accepts most recorded blocks as canonical', async (t) => {
  const recorded = FOLDERS.flatMap(blocksOf);
  for (const isFiltered of [true, false]) {
    const count = recorded.filter(({ bytes }) => isPlain(t, bytes, isFiltered)).length;
    t.ok(count > recorded.length * 0.8, `${count} of ${recorded.length}`);
  }
});

t.test(`accepts only canonical blocks among those with changed bytes (seed ${SEED})`, async (t) => {
  const random = new Random(SEED, []);
  const counts = { plain: 0, others: 0 };
  for (const { bytes } of FOLDERS.flatMap(blocksOf)) {
    for (let count = 0; count < MUTATIONS; count++) {
      const changed = Uint8Array.from(bytes);
      for (let left = random.below(3); left >= 0; left--) changed[random.below(changed.length)] = random.below(256);
      counts[isPlain(t, changed, random.chance(0.5)) ? 'plain' : 'others']++;
    }
  }
  t.ok(counts.plain > 100 && counts.others > 100, JSON.stringify(counts));
});

t.test('rejects other encodings', async (t) => {
  const [first] = blocksOf(FOLDERS[0] ?? '').filter(({ transactionCount }) => transactionCount > 0);
  const bytes = first?.bytes ?? new Uint8Array(0);
  t.ok(plain.read(bytes, true));
  // Adds an unknown field, a second header, a transaction after the header, or an additional byte to a length.
  for (const [name, more] of Object.entries({
    unknown: [250, 6, 1, 0],
    header: [18, 0],
    late: [10, 0],
    long: [10, 0x80, 0],
  }))
    t.equal(plain.read(concatBytes(bytes, Uint8Array.from(more)), false), undefined, name);
  t.equal(plain.read(bytes.subarray(0, -1), false), undefined, 'truncated');
});
