import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { toHex } from '../../../src/primitives/bytes.js';
import type { Retention } from '../../../src/projections/ledger/ledger-types.js';
import type { WriterLedger } from '../../../src/projections/ledger/writer-ledger.js';
import { storeId } from '../../../src/projections/state/stores.js';
import { verifyLedger } from '../../../src/projections/verify/verify-ledger.js';
import { blockId, open } from '../../support/projections/chain.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { runTronicle } from '../../support/tronicle.js';
import { until } from '../../support/until.js';

const ROW = Buffer.from('counter');

/** Appends a block and flushes. The block increments a counter in the state and has 2 KB of transactions. */
async function grow(ledger: WriterLedger): Promise<void> {
  const number = ledger.position.headNumber + 1;
  const solid = Math.max(0, number - 2);
  const before = ledger.head.get(storeId('properties'), ROW);
  ledger.append({
    number,
    id: blockId(number, 'x'),
    parentId: ledger.position.headId,
    bytes: Buffer.alloc(2000, number),
    results: Buffer.alloc(0),
    transactionIds: [blockId(number, 'transaction')],
    changes: [{ store: storeId('properties'), key: ROW, before, after: Buffer.from([number & 255, number >> 8]) }],
    internalTransactions: Buffer.alloc(0),
    solidified: { number: solid, id: ledger.blockIdAt(solid)! },
  });
  await ledger.flush();
}

async function folderOf(t: Test, blocks: number, retention: Retention = 'unsolidified'): Promise<string> {
  const dataDir = join(temporaryFolder(t), 'data');
  const ledger = await open(dataDir, { retention });
  for (let i = 0; i < blocks; i++) await grow(ledger);
  await ledger.close();
  return dataDir;
}

t.test('backs up one consistent state of a folder during writes', async (t) => {
  const dataDir = await folderOf(t, 50);
  const digests = new Map<number, string>();
  const ledger = await open(dataDir);
  for (let copy = 0; copy < 3; copy++) {
    const target = join(dataDir, '..', `copy${copy}`);
    let isDone = false;
    const running = runTronicle(['backup', target, '-d', dataDir, '--rate', '200000']).finally(() => {
      isDone = true;
    });
    while (!isDone) {
      await grow(ledger);
      digests.set(ledger.position.headNumber, toHex(ledger.position.digest));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    const { code, stdout, stderr } = await running;
    t.equal(code, 0, stderr);
    const { head, digest } = JSON.parse(stdout) as { readonly head: number; readonly digest: string };
    t.equal(digest, digests.get(head) ?? digest);
    t.ok(head >= 50 && head <= ledger.position.headNumber);
    const found = verifyLedger(target);
    t.same([found.headNumber, found.digest, found.behind], [head, digest, 0]);
    const again = await open(target);
    await grow(again);
    t.equal(again.position.headNumber, head + 1);
    await again.close();
  }
  await ledger.close();
});

t.test('refuses a second backup to the same target while the first is running', async (t) => {
  // The backup pauses after each MiB to limit the rate. 700 blocks have more than one MiB, so the first backup runs
  // long enough.
  const dataDir = await folderOf(t, 700);
  const [target, draft] = [join(dataDir, '..', 'copy'), join(dataDir, '..', '.copy.part')];
  const args = ['backup', target, '-d', dataDir];
  const first = runTronicle([...args, '--rate', '500000']);
  await until('the draft', () => existsSync(draft));
  const second = await runTronicle(args);
  t.same(second.code, 1);
  t.match(second.stderr, `another process writes a backup to ${target}; wait until it has finished`);
  const { code, stdout } = await first;
  t.equal(code, 0);
  const { digest } = JSON.parse(stdout) as { readonly digest: string };
  t.equal(verifyLedger(target).digest, digest);
  t.match((await runTronicle(args)).stderr, /is not empty/);
  t.notOk(existsSync(draft));
});

t.test('verifies a folder during writes', async (t) => {
  const dataDir = await folderOf(t, 50);
  const ledger = await open(dataDir);
  for (let run = 0; run < 3; run++) {
    let isDone = false;
    const running = runTronicle(['verify', '-d', dataDir]).finally(() => {
      isDone = true;
    });
    while (!isDone) {
      await grow(ledger);
      await new Promise(setImmediate);
    }
    const { code, stderr } = await running;
    t.equal(code, 0, stderr);
  }
  await ledger.close();
});

t.test('deletes an incomplete backup', async (t) => {
  const dataDir = await folderOf(t, 3);
  const parent = join(dataDir, '..');
  mkdirSync(join(parent, 'full'));
  writeFileSync(join(parent, 'full', 'file'), '');
  const { code, stderr } = await runTronicle(['backup', join(parent, 'full'), '-d', dataDir]);
  t.equal(code, 1);
  t.match(stderr, /is not empty/);
  writeFileSync(join(dataDir, 'state', 'data.mdb'), Buffer.alloc(4096, 1));
  for (const args of [['backup', join(parent, 'copy')], ['compact']]) {
    const refused = await runTronicle([...args, '-d', dataDir]);
    t.match([refused.code, refused.signal, refused.stderr], [1, null, /state.data\.mdb is damaged/]);
  }
  t.same(readdirSync(parent).sort(), ['data', 'full'], 'no file of the incomplete backup remains');
});

t.test('does not copy a file that a node is writing, because the file can vanish', async (t) => {
  const dataDir = await folderOf(t, 5);
  mkdirSync(join(dataDir, 'streams'));
  for (const name of ['sink.json', 'sink.json.new']) writeFileSync(join(dataDir, 'streams', name), '{}');
  const target = join(dataDir, '..', 'copy');
  const { code, stderr } = await runTronicle(['backup', target, '-d', dataDir]);
  t.equal(code, 0, stderr);
  t.same(readdirSync(join(target, 'streams')), ['sink.json']);
});

t.test('frees pruned disk space on compact', async (t) => {
  const dataDir = await folderOf(t, 600);
  const pruned = await open(dataDir, { logRetention: 20 });
  while (pruned.prune(100));
  const { digest } = pruned.position;
  await pruned.close();
  const file = join(dataDir, 'log', 'data.mdb');
  const before = statSync(file).size;
  const { code, stdout, stderr } = await runTronicle(['compact', '-d', dataDir]);
  t.equal(code, 0, stderr);
  t.match(stdout, /"database":"log"/);
  t.ok(statSync(file).size < before / 4, `${statSync(file).size} of ${before} bytes`);
  t.notOk(existsSync(join(dataDir, 'compact')));
  t.equal(verifyLedger(dataDir).digest, toHex(digest));
  const again = await open(dataDir, { logRetention: 20 });
  await grow(again);
  t.equal(again.position.headNumber, 601);
  const busy = await runTronicle(['compact', '-d', dataDir]);
  t.match([busy.code, busy.stderr], [1, /is in use by another process/]);
  await again.close();
});

t.test('keeps the states of the retained blocks, whatever configuration prune has', async (t) => {
  const dataDir = await folderOf(t, 30, 'all');
  const { code, stderr } = await runTronicle(['prune', '--keep', '65536', '-d', dataDir]);
  t.equal(code, 0, stderr);
  const ledger = await open(dataDir, { retention: 'all' });
  t.equal(ledger.keptHeight, 0);
  t.same(ledger.at(5).get(storeId('properties'), ROW), Buffer.from([5, 0]));
  await ledger.close();
});

t.test('does not prune data that transactions still reference', async (t) => {
  const { code, stderr } = await runTronicle(['prune', '--keep', '1000', '-d', await folderOf(t, 2)]);
  t.match([code, stderr], [2, /invalid --keep: 1000; use at least 65536 blocks/]);
});
