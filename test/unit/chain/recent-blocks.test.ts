import t from 'tap';
import { RecentBlocks } from '../../../src/chain/recent-blocks.js';
import { Block, BlockHeader, BlockHeaderRaw } from '../../../src/codec/generated/messages.js';
import { type EncodedBlock, readEncodedBlock } from '../../../src/state-transition/block/encoded-block.js';
import { ChainError } from '../../../src/state-transition/errors.js';

const MIB = 1024 * 1024;

interface Made {
  readonly parent?: EncodedBlock;
  readonly witness?: number;
  readonly timeMs?: number;
  /** Size of the block, in bytes. */
  readonly size?: number;
}

function block({ parent, witness = 1, timeMs = 0, size = 1000 }: Made = {}): EncodedBlock {
  const rawData = Object.assign(new BlockHeaderRaw(), {
    number: BigInt(parent === undefined ? 0 : parent.number + 1),
    parentHash: parent?.id ?? new Uint8Array(32),
    txTrieRoot: new Uint8Array(32),
    timestamp: BigInt(timeMs),
    witnessAddress: new Uint8Array(21).fill(witness),
  });
  const header = Object.assign(new BlockHeader(), { rawData, witnessSignature: new Uint8Array(size) });
  return readEncodedBlock(Block.encode(Object.assign(new Block(), { blockHeader: header })));
}

function stored(recent: RecentBlocks, blocks: readonly EncodedBlock[]): readonly number[] {
  return blocks.flatMap(({ idHex }, at) => (recent.get(idHex) === undefined ? [] : [at]));
}

t.test('limits the side blocks of one witness at one height, and keeps those of other witnesses', async (t) => {
  const start = block();
  const recent = new RecentBlocks(start);
  const head = block({ parent: start });
  const other = block({ parent: start, witness: 2 });
  recent.push(head);
  recent.push(other);
  const sides = Array.from({ length: 20 }, (_, at) => block({ parent: start, timeMs: at + 1 }));
  for (const side of sides) recent.push(side);
  t.same(stored(recent, [start, head, other]), [0, 1, 2]);
  t.same(stored(recent, sides), [18, 19], 'the two newest; the head counts as the third');
});

t.test('limits the side blocks of all inactive witnesses together', async (t) => {
  const start = block();
  const recent = new RecentBlocks(start);
  const head = block({ parent: start });
  recent.push(head);
  const few = Array.from({ length: 20 }, (_, at) => block({ parent: start, witness: 100 + at }));
  for (const side of few) recent.push(side, head.idHex, false);
  t.same(stored(recent, few), [17, 18, 19], 'the three newest of one height');
  let parent = start;
  const large = Array.from({ length: 20 }, (_, at) => {
    const active = block({ parent, witness: 2, timeMs: 1000 + at });
    recent.push(active, active.idHex);
    const side = block({ parent, witness: 100 + at, size: 2 * MIB });
    parent = active;
    recent.push(side, active.idHex, false);
    return side;
  });
  t.ok(stored(recent, large).length <= 12, `${stored(recent, large)}`);
});

t.test('accepts a deleted block again, and keeps the branch that grows longer', async (t) => {
  const start = block();
  const recent = new RecentBlocks(start);
  recent.push(block({ parent: start }));
  const [first, ...sides] = Array.from({ length: 10 }, (_, at) => block({ parent: start, timeMs: at + 1 }));
  for (const side of [first as EncodedBlock, ...sides]) recent.push(side);
  const child = block({ parent: first as EncodedBlock, witness: 2 });
  t.throws(() => recent.push(child), new ChainError('UnLinkedBlockException'));
  recent.push(first as EncodedBlock);
  t.equal(recent.push(child).idHex, child.idHex, 'the longest branch accepts its block');
  for (let at = 0; at < 20; at++) recent.push(block({ parent: start, timeMs: 100 + at }));
  t.same(stored(recent, [first as EncodedBlock, child]), [0, 1]);
  t.equal(recent.branches(child.idHex, start.idHex)[0].length, 2);
});

t.test('deletes the shortest branch of the witness first', async (t) => {
  const start = block();
  const recent = new RecentBlocks(start);
  let head = start;
  for (let at = 0; at < 5; at++) {
    head = block({ parent: head, witness: 9 });
    recent.push(head);
  }
  const long = block({ parent: start, timeMs: 1 });
  const child = block({ parent: long, witness: 3 });
  recent.push(long);
  recent.push(child);
  const sides = Array.from({ length: 10 }, (_, at) => block({ parent: start, timeMs: 10 + at }));
  for (const side of sides) recent.push(side);
  t.same(stored(recent, [long, child, ...sides]), [0, 1, 10, 11]);
});

t.test(
  'limits the bytes of the side blocks of one witness over all heights, but not those of the longest branch',
  async (t) => {
    const start = block();
    const recent = new RecentBlocks(start);
    const canonical: EncodedBlock[] = [start];
    for (let at = 0; at < 40; at++) {
      const head = block({ parent: canonical.at(-1) as EncodedBlock, size: MIB });
      recent.push(head);
      canonical.push(head);
    }
    const sides = canonical.slice(0, -1).map((parent) => block({ parent, timeMs: 1, size: MIB }));
    for (const side of sides) recent.push(side);
    t.equal(stored(recent, canonical).length, canonical.length);
    const kept = stored(recent, sides).length;
    t.ok(kept >= 20 && kept <= 25, `${kept} side blocks of 1 MiB`);
  },
);

t.test('finds the lowest and the highest height after a long time without finality', async (t) => {
  const start = block();
  const recent = new RecentBlocks(start);
  const at = (number: number): EncodedBlock =>
    Object.create(start, { number: { value: number }, idHex: { value: `block ${number}` } }) as EncodedBlock;
  for (let number = 1; number <= 400_000; number++) recent.addOlder(at(number));
  t.equal(recent.lowest, 0);
  recent.remove('block 400000');
  t.equal(recent.head.number, 399_999);
});
