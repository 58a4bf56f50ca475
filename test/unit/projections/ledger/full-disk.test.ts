import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { open, temporaryFolder } from '../../../support/projections/chain.js';
import { appendCounterBlock } from '../../../support/projections/counter-chain.js';

t.test('refuses blocks while the disk is full, and continues afterwards', async (t) => {
  const dataDir = join(temporaryFolder(t), 'data');
  const away = `${dataDir}-away`;
  const ledger = await open(dataDir);
  appendCounterBlock(ledger);
  await ledger.flush();
  const { storedSeq } = ledger;
  // Without the folder, the check of the free space fails, as on a full disk.
  renameSync(dataDir, away);
  let refused = 0;
  for (let count = 0; count < 150; count++) {
    const { headNumber } = ledger.position;
    try {
      appendCounterBlock(ledger);
    } catch {
      refused++;
      t.equal(ledger.position.headNumber, headNumber, 'the head is that of the last appended block');
    }
  }
  t.equal(ledger.position.headNumber, 101, 'at most one commit of blocks is in memory');
  t.equal(refused, 50);
  t.throws(() => ledger.flushNow());
  t.match(ledger.storageProblem, /ENOENT/);
  t.equal(ledger.storedSeq, storedSeq, 'readers do not see blocks that are not stored');

  renameSync(away, dataDir);
  appendCounterBlock(ledger);
  await ledger.flush();
  t.equal(ledger.position.headNumber, 102);
  t.equal(ledger.storageProblem, undefined, 'the flush has stored all blocks');
  const { digest } = ledger.position;
  await ledger.close();
  const again = await open(dataDir, { check: true });
  t.equal(again.position.headNumber, 102);
  t.strictSame(again.position.digest, digest);
  await again.close();
});

t.test('reports a checkpoint that cannot be written as a storage error, and writes it later', async (t) => {
  const dataDir = temporaryFolder(t);
  const ledger = await open(dataDir, { checkpointVersion: 2 });
  t.teardown(() => ledger.close());
  const folder = join(dataDir, 'checkpoint');
  rmSync(folder, { recursive: true, force: true });
  writeFileSync(folder, '');
  appendCounterBlock(ledger);
  await t.rejects(ledger.flush(), { code: 'STORAGE_FAILED', message: /^cannot write blocks: .*checkpoint/ });
  rmSync(folder);
  await ledger.flush();
  t.equal(ledger.stateSeq, ledger.position.seq);
});
