import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import {
  readSignedBlocks,
  SignedBlocks,
  SignedBlocksError,
  writeSignedBlocks,
} from '../../../../src/chain/production/signed-blocks.js';
import { Block, BlockHeader, BlockHeaderRaw } from '../../../../src/codec/generated/messages.js';
import { type Address, addressBytes } from '../../../../src/primitives/address.js';
import { type DecodedBlock, toDecodedBlock } from '../../../../src/state-transition/block/decoded-block.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const ONE = `41${'11'.repeat(20)}` as Address;
const OTHER = `41${'22'.repeat(20)}` as Address;

function signed(witness: Address, timeMs: number, height: number): DecodedBlock {
  const rawData = Object.assign(new BlockHeaderRaw(), {
    number: BigInt(height),
    timestamp: BigInt(timeMs),
    witnessAddress: addressBytes(witness),
  });
  const blockHeader = Object.assign(new BlockHeader(), { rawData, witnessSignature: new Uint8Array(65) });
  return toDecodedBlock(Object.assign(new Block(), { blockHeader }));
}

/** Returns height and block time of the record of each witness. */
const recorded = (blocks: SignedBlocks) =>
  Object.fromEntries(blocks.all.map(({ witness, number, timeMs }) => [witness, [number, timeMs]]));

t.test('refuses a slot or a height at or below those of the signed block, also after a restart', async (t) => {
  const dataDir = temporaryFolder(t);
  SignedBlocks.open(dataDir).record(signed(ONE, 6000, 10));
  const blocks = SignedBlocks.open(dataDir);
  t.notOk(blocks.maySign(ONE, { timeMs: 6000, height: 11 }), 'the same slot');
  t.notOk(blocks.maySign(ONE, { timeMs: 9000, height: 10 }), 'the same height');
  t.notOk(blocks.maySign(ONE, { timeMs: 3000, height: 9 }), 'an older block');
  t.ok(blocks.maySign(ONE, { timeMs: 9000, height: 11 }));
  t.ok(blocks.maySign(OTHER, { timeMs: 6000, height: 10 }), 'another witness');
});

t.test('allows the same height in a later slot after the block was imported', async (t) => {
  const blocks = SignedBlocks.open(temporaryFolder(t));
  const block = signed(ONE, 6000, 10);
  blocks.record(block);
  blocks.settle(signed(ONE, 3000, 9));
  t.notOk(blocks.maySign(ONE, { timeMs: 9000, height: 10 }), 'the import of another block changes nothing');
  blocks.settle(block);
  t.ok(blocks.maySign(ONE, { timeMs: 9000, height: 10 }));
  t.notOk(blocks.maySign(ONE, { timeMs: 6000, height: 11 }), 'the same slot');
  t.strictSame(blocks.pending, []);
});

t.test('merges two sets of records and keeps the newer block of each witness', async (t) => {
  const dataDir = temporaryFolder(t);
  const file = join(dataDir, 'export.json');
  const blocks = SignedBlocks.open(dataDir);
  blocks.record(signed(ONE, 6000, 10));
  blocks.record(signed(OTHER, 9000, 11));
  writeSignedBlocks(file, [signed(ONE, 12_000, 12), signed(OTHER, 3000, 9)]);
  blocks.merge(readSignedBlocks(file));
  const expected = { [ONE]: [12, 12_000], [OTHER]: [11, 9000] };
  t.strictSame(recorded(blocks), expected);
  t.strictSame(recorded(SignedBlocks.open(dataDir)), expected);
});

t.test('rejects a damaged record', async (t) => {
  const dataDir = temporaryFolder(t);
  const folder = join(dataDir, 'signed-blocks');
  SignedBlocks.open(dataDir).record(signed(ONE, 6000, 10));
  const [name] = readdirSync(folder) as [string];
  const intact = readFileSync(join(folder, name), 'utf8');
  const damaged = ['', '{}', 'null', '[]', intact.slice(0, -9), intact.replace('"height":10', '"height":1')];
  const flipped = intact.replace(/(?<="block":"....)./, (digit) => (digit === 'A' ? 'B' : 'A'));
  for (const text of [...damaged, flipped, intact.replace(/"block":"[^"]*"/, '"block":"AAAA"')]) {
    writeFileSync(join(folder, name), text);
    t.throws(() => SignedBlocks.open(dataDir), SignedBlocksError, JSON.stringify(text));
  }
  writeFileSync(join(folder, name), intact);
  t.strictSame(recorded(SignedBlocks.open(dataDir)), { [ONE]: [10, 6000] });
});

t.test('ignores the temporary file of an interrupted write', async (t) => {
  const dataDir = temporaryFolder(t);
  SignedBlocks.open(dataDir).record(signed(ONE, 6000, 10));
  const [name] = readdirSync(join(dataDir, 'signed-blocks')) as [string];
  writeFileSync(join(dataDir, 'signed-blocks', `${name}.new`), 'half');
  t.strictSame(recorded(SignedBlocks.open(dataDir)), { [ONE]: [10, 6000] });
});

t.test('does not count a block as signed if its record cannot be written', async (t) => {
  const dataDir = temporaryFolder(t);
  const blocks = SignedBlocks.open(dataDir);
  blocks.record(signed(ONE, 6000, 10));
  const [name] = readdirSync(join(dataDir, 'signed-blocks')) as [string];
  mkdirSync(join(dataDir, 'signed-blocks', `${name}.new`));
  t.throws(() => blocks.record(signed(ONE, 9000, 11)), { code: 'STORAGE_FAILED', message: /EISDIR/ });
  t.strictSame(recorded(blocks), { [ONE]: [10, 6000] });
  t.strictSame(recorded(SignedBlocks.open(dataDir)), { [ONE]: [10, 6000] });
});

t.test('deletes only the records above a height', async (t) => {
  const dataDir = temporaryFolder(t);
  const blocks = SignedBlocks.open(dataDir);
  blocks.record(signed(ONE, 6000, 10));
  blocks.record(signed(OTHER, 9000, 11));
  blocks.deleteAbove(10);
  t.strictSame(recorded(blocks), { [ONE]: [10, 6000] });
  t.strictSame(recorded(SignedBlocks.open(dataDir)), { [ONE]: [10, 6000] });
});
