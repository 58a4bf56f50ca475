import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { readIntactBlocks } from '../../../../src/log/intact-blocks.js';
import { toHex } from '../../../../src/primitives/bytes.js';
import { openReplay } from '../../../../src/projections/ledger/replay.js';
import { verifyLedger } from '../../../../src/projections/verify/verify-ledger.js';
import { open, readModel, silent, temporaryFolder } from '../../../support/projections/chain.js';
import { appendCounterBlock, counterChanges } from '../../../support/projections/counter-chain.js';

/** Returns a data folder whose log contains a reorg. Also returns the digest and the rows of the head. */
async function prepared(t: { teardown(fn: () => void): void }) {
  const dataDir = temporaryFolder(t);
  const ledger = await open(dataDir);
  for (let i = 0; i < 40; i++) appendCounterBlock(ledger);
  await ledger.flush();
  for (let i = 0; i < 3; i++) ledger.revert();
  for (let i = 0; i < 9; i++) appendCounterBlock(ledger, 'other');
  await ledger.flush();
  const result = {
    dataDir,
    digest: toHex(ledger.position.digest),
    model: readModel(ledger.head),
    number: ledger.position.headNumber,
  };
  await ledger.close();
  return result;
}

for (const fromNumber of [undefined, 43]) {
  t.test(`rebuilds a damaged state by executing blocks of the log from ${fromNumber ?? 'genesis'}`, async (t) => {
    const { dataDir, digest, model, number } = await prepared(t);
    if (fromNumber === undefined) overwrite(join(dataDir, 'state', 'data.mdb'));
    if (fromNumber === undefined) t.throws(() => verifyLedger(dataDir), { message: /tronicle replay/ });
    const replay = await openReplay({ dataDir, log: silent, ...(fromNumber === undefined ? {} : { fromNumber }) });
    t.equal(replay.toNumber, number);
    t.equal(replay.number, fromNumber ?? 0);
    for (let block = replay.next(); block; block = replay.next())
      replay.apply(counterChanges(replay.head, block.number));
    await replay.finish();
    const ledger = await open(dataDir, { check: true });
    t.equal(toHex(ledger.position.digest), digest);
    t.strictSame(readModel(ledger.head), model);
    await ledger.close();
  });
}

t.test('names the first mismatched row of a replay', async (t) => {
  const { dataDir } = await prepared(t);
  const replay = await openReplay({ dataDir, log: silent, fromNumber: 44 });
  const wrong = counterChanges(replay.head, 45).map((row) => ({ ...row, after: Buffer.from('x') }));
  t.throws(() => replay.apply(wrong), {
    code: 'REPLAY_DIFFERS',
    message: /block 45 .* row [0-9a-f]+ of store account is 78, expected /,
  });
  await replay.close();
});

t.test('reads the blocks before damage in a log', async (t) => {
  const { dataDir, number } = await prepared(t);
  const all: number[] = [];
  t.strictSame(
    readIntactBlocks(dataDir, (block) => all.push(block.number)),
    { untilNumber: number },
  );
  t.strictSame(
    all,
    Array.from({ length: number + 1 }, (_, i) => i),
  );
  let cut = 0;
  for (let page = 3; page < statSync(join(dataDir, 'log', 'data.mdb')).size / 4096; page++) {
    overwrite(join(dataDir, 'log', 'data.mdb'), page * 4096 + 30);
    const part: number[] = [];
    const { untilNumber, damage } = readIntactBlocks(dataDir, (block) => part.push(block.number));
    t.strictSame(part, all.slice(0, untilNumber + 1), damage ?? 'intact');
    if (damage !== undefined) cut++;
  }
  t.ok(cut > 0);
});

t.test('reads genesis and the blocks that were not pruned', async (t) => {
  const { dataDir, number } = await prepared(t);
  const ledger = await open(dataDir, { retention: 10, logRetention: 10 });
  while (ledger.prune(20));
  const { startNumber } = ledger;
  await ledger.close();
  t.ok(startNumber > 0, `blocks up to ${startNumber} were pruned`);
  const read: number[] = [];
  t.strictSame(
    readIntactBlocks(dataDir, (block) => read.push(block.number)),
    { untilNumber: number },
  );
  t.strictSame(read, [0, ...Array.from({ length: number - startNumber }, (_, i) => startNumber + 1 + i)]);
});

function overwrite(path: string, at?: number): void {
  const file = openSync(path, 'r+');
  const offsets =
    at === undefined ? Array.from({ length: statSync(path).size / 4096 - 2 }, (_, i) => (i + 2) * 4096 + 4000) : [at];
  for (const offset of offsets) writeSync(file, Buffer.alloc(64, 0xa5), 0, 64, offset);
  closeSync(file);
}
