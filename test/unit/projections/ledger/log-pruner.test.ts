import t, { type Test } from 'tap';
import type { LogEntry } from '../../../../src/log/log-entry.js';
import type { Ledger } from '../../../../src/projections/ledger/ledger.js';
import { openReplay } from '../../../../src/projections/ledger/replay.js';
import type { WriterLedger } from '../../../../src/projections/ledger/writer-ledger.js';
import { verifyLedger } from '../../../../src/projections/verify/verify-ledger.js';
import { eachItem } from '../../../support/log/each-item.js';
import { blockId, open, silent, temporaryFolder } from '../../../support/projections/chain.js';

const KEPT = { logRetention: 10 };

/** Appends blocks and flushes after each block. Each block solidifies the block two heights below it. */
async function grow(ledger: WriterLedger, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const number = ledger.position.headNumber + 1;
    const solid = Math.max(0, number - 2);
    ledger.append({
      number,
      id: blockId(number, 'x'),
      parentId: ledger.position.headId,
      bytes: Buffer.from(`block ${number}`),
      results: Buffer.alloc(0),
      transactionIds: [blockId(number, 'transaction')],
      changes: [],
      internalTransactions: Buffer.alloc(0),
      solidified: { number: solid, id: ledger.blockIdAt(solid)! },
    });
    await ledger.flush();
  }
}

async function opened(t: Test, options = {}): Promise<{ ledger: WriterLedger; dataDir: string }> {
  const dataDir = temporaryFolder(t);
  return { dataDir, ledger: await open(dataDir, options) };
}

async function readAll(ledger: Ledger, fromSeq: number): Promise<LogEntry[]> {
  const found: LogEntry[] = [];
  for await (const entry of eachItem(ledger.pages({ fromSeq, follow: false }))) found.push(entry);
  return found;
}

t.test('deletes old blocks with all their index rows', async (t) => {
  const { ledger, dataDir } = await opened(t, KEPT);
  await grow(ledger, 40);
  t.equal(ledger.startNumber, 30);
  t.equal(ledger.block(30), undefined);
  t.equal(ledger.blockIdAt(30), undefined);
  t.notOk(ledger.hasTransaction(blockId(30, 'transaction')));
  t.ok(ledger.hasTransaction(blockId(31, 'transaction')));
  t.equal(ledger.block(31)?.number, 31);
  t.equal(ledger.block(0)?.number, 0, 'the genesis block is kept');
  const entries = await readAll(ledger, 0);
  t.equal(entries[0]?.number, 0);
  t.equal(entries.find(({ kind, seq }) => kind === 'applied' && seq > 0)?.number, 31);
  t.same((await readAll(ledger, 1))[0], entries[1]);
  await t.rejects(readAll(ledger, 5), {
    code: 'LOG_CUT',
    message: /^entry 5 was deleted: the log starts after block 30/,
  });
  t.throws(() => ledger.at(30), { code: 'HISTORY_NOT_KEPT', message: /the log starts at block 30$/ });
  await ledger.close();
  t.equal(verifyLedger(dataDir).headNumber, 40);
  await t.rejects(openReplay({ dataDir, log: silent }), { message: /^the log starts after block 30,/ });
  const again = await open(dataDir, KEPT);
  await grow(again, 5);
  t.equal(again.startNumber, 35);
  await again.close();
});

t.test('keeps the log for an unfinished reader', async (t) => {
  const { ledger } = await opened(t, KEPT);
  ledger.retainChanges('sink', -1);
  await grow(ledger, 40);
  t.equal(ledger.startNumber, 0);
  ledger.retainChanges('sink', ledger.entryOfId(blockId(20, 'x'))!.seq);
  await ledger.flush();
  await grow(ledger, 1);
  t.equal(ledger.startNumber, 20);
  ledger.retainChanges('sink', undefined);
  await grow(ledger, 1);
  t.equal(ledger.startNumber, 32);
  await ledger.close();
});

t.test('deletes blocks that a lower retention does not keep', async (t) => {
  const { ledger, dataDir } = await opened(t, { retention: 'all' });
  await grow(ledger, 60);
  await ledger.close();
  const pruned = await open(dataDir, { retention: 10, ...KEPT });
  let steps = 0;
  while (pruned.prune(20)) steps++;
  t.equal(pruned.startNumber, 50);
  t.ok(steps >= 3, `${steps} steps`);
  await pruned.close();
  t.equal(verifyLedger(dataDir).headNumber, 60);
});

t.test('reports a start that does not match the entries as damage', async (t) => {
  const { ledger, dataDir } = await opened(t, KEPT);
  await grow(ledger, 40);
  const cut = Buffer.from(ledger.noted('cut')!);
  await ledger.close();
  cut[111]! ^= 1;
  const other = await open(dataDir);
  other.note('cut', cut);
  await grow(other, 1);
  await other.close();
  t.throws(() => verifyLedger(dataDir), {
    message: /is damaged: entry \d+ does not contain the hash of the previous entry/,
  });
});
