import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import t from 'tap';
import { parseFlags } from '../../../src/config/flags.js';
import { loadConfig } from '../../../src/config/load-config.js';
import { unpackStores } from '../../../src/java-tron-data/archive.js';
import { JavaData } from '../../../src/java-tron-data/java-data.js';
import { type BootstrapReport, bootstrap } from '../../../src/node/bootstrap/bootstrap.js';
import { exportJava } from '../../../src/node/bootstrap/export-java.js';
import type { HistoryRequest } from '../../../src/node/bootstrap/import-blocks.js';
import { packStores } from '../../../src/node/bootstrap/pack-stores.js';
import { storeOrders } from '../../../src/node/bootstrap/store-orders.js';
import { chainRules, genesisOf } from '../../../src/node/chain-config.js';
import { Progress } from '../../../src/node/command-line/progress.js';
import { javaStoreIds, storeName } from '../../../src/projections/state/stores.js';
import { verifyLedger } from '../../../src/projections/verify/verify-ledger.js';
import { decodeBlock } from '../../../src/state-transition/block/decoded-block.js';
import { openRecorded } from '../../conformance/replay-session.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { runTronicle } from '../../support/tronicle.js';

// A lite snapshot that the Toolkit of java-tron 4.7.2 has created. The blocks above its head are those of the recording
// system-tour.
const golden = fileURLToPath(new URL('../../golden', import.meta.url));
const lite = join(golden, 'java-data', 'lite-tour');
const archive = join(lite, 'output-directory.tgz');

function start(
  dataDir: string,
  source = archive,
  history: HistoryRequest = 300,
  progress?: Progress,
): Promise<BootstrapReport> {
  const { config } = loadConfig({ file: join(lite, 'config.conf'), flags: parseFlags([]).flags });
  const genesisId = genesisOf(config, chainRules(config)).id;
  return bootstrap({ source, dataDir, genesisId, history, ...(progress && { progress }) });
}

function blocksAbove(number: number): Buffer[] {
  const lines = gunzipSync(readFileSync(join(golden, 'system-tour', 'blocks.ndjson.gz')))
    .toString()
    .trim()
    .split('\n');
  return lines
    .map((line) => JSON.parse(line) as { readonly num: number; readonly block?: string })
    .filter(({ num }) => num > number)
    .map(({ block = '' }) => Buffer.from(block, 'hex'));
}

t.test('a folder that starts at a height imports, reverts, exports and rebuilds its state', async (t) => {
  const dataDir = join(temporaryFolder(t), 'data');
  const { head, digest } = await start(dataDir);
  t.same(verifyLedger(dataDir).digest, Buffer.from(digest).toString('hex'));
  let chain = await openRecorded(lite, dataDir);
  for (const block of blocksAbove(head.number).slice(0, 6)) chain.importBlock(decodeBlock(block));
  const { headNumber, digest: reached } = chain.ledger.position;
  t.equal(headNumber, head.number + 6);
  t.equal(chain.ledger.at(head.number).get(20, Buffer.from('latest_block_header_number'))?.length, 8);
  t.throws(() => chain.ledger.at(head.number - 1), {
    code: 'HISTORY_NOT_KEPT',
    message: /tronicle\.history\.retention/,
  });
  t.equal(chain.ledger.block(head.number - 200)?.number, head.number - 200, 'a block that was copied from the source');
  t.equal(chain.ledger.block(head.number - 300), undefined, 'a block that the source did not have');
  t.same(chain.ledger.blockIdAt(0), genesisId(), 'genesis');
  chain.rollback(head.number);
  t.same(chain.ledger.position.digest, digest);
  t.throws(() => chain.revertHead(), { code: 'HISTORY_NOT_KEPT' });
  for (const block of blocksAbove(head.number).slice(0, 6)) chain.importBlock(decodeBlock(block));
  await chain.ledger.close();
  t.equal(verifyLedger(dataDir).headNumber, headNumber);

  const { config } = loadConfig({ file: join(lite, 'config.conf'), flags: parseFlags([]).flags });
  const java = join(dataDir, '..', 'java');
  chain = await openRecorded(lite, dataDir);
  exportJava(chain.ledger, java, genesisOf(config, chainRules(config)));
  await chain.ledger.close();
  const back = join(dataDir, '..', 'back');
  t.equal((await start(back, java)).head.number, headNumber, 'the exported folder can be imported');
  chain = await openRecorded(lite, back);
  for (const block of blocksAbove(headNumber)) chain.importBlock(decodeBlock(block));
  t.ok(chain.ledger.position.headNumber > headNumber, 'the imported node continues');
  await chain.ledger.close();

  rmSync(join(dataDir, 'state'), { recursive: true });
  chain = await openRecorded(lite, dataDir);
  t.same(chain.ledger.position.digest, reached, 'the state is rebuilt from the base rows and the log');
  await chain.ledger.close();

  function genesisId(): Uint8Array {
    const { config } = loadConfig({ file: join(lite, 'config.conf'), flags: parseFlags([]).flags });
    return genesisOf(config, chainRules(config)).id;
  }
});

t.test('exports only the blocks above the imported state', async (t) => {
  const dataDir = join(temporaryFolder(t), 'data');
  const { head } = await start(dataDir, archive, 'none');
  const file = join(dataDir, '..', 'blocks.tron');
  const nothing = await runTronicle(['export', file, '-d', dataDir]);
  t.match(nothing, { code: 1, stderr: `contains no block to export: it starts after block ${head.number}` });
  t.notOk(existsSync(file));
  const chain = await openRecorded(lite, dataDir);
  for (const block of blocksAbove(head.number).slice(0, 6)) chain.importBlock(decodeBlock(block));
  await chain.ledger.close();
  const { code, stdout, stderr } = await runTronicle(['export', file, '-d', dataDir]);
  t.match(JSON.parse(stdout), { head: head.number + 6, first: head.number + 1 });
  t.match(stderr, `first block ${head.number + 1} needs a data folder with the head ${head.number}`);
  t.equal(code, 0);
  const other = join(dataDir, '..', 'other');
  await start(other, archive, 'none');
  const imported = await runTronicle(['import', file, '-d', other, '-c', join(lite, 'config.conf')]);
  t.match(JSON.parse(imported.stdout), { head: head.number + 6, blocks: 6 });
});

t.test('does not start an interrupted bootstrap, and resumes it', async (t) => {
  const dataDir = join(temporaryFolder(t), 'data');
  const whole = await start(join(dataDir, '..', 'other'), archive, 'none');
  mkdirSync(join(dataDir, 'bootstrap'), { recursive: true });
  await t.rejects(openRecorded(lite, dataDir), { message: /unfinished bootstrap/ });
  const again = await start(dataDir, archive, 'none');
  t.same(again.digest, whole.digest);
  t.notOk(existsSync(join(dataDir, 'bootstrap')));
  await t.rejects(start(dataDir), { message: /set an empty data folder/ });
});

t.test('completes a bootstrap that ended while it moved its folders', async (t) => {
  const folder = temporaryFolder(t);
  execFileSync('tar', ['-xzf', archive, '-C', folder]);
  const whole = await start(join(folder, 'whole'), archive, 'none');
  for (const [kind, source, histories] of [
    ['archive', archive, ['none', 100]],
    ['folder', join(folder, 'output-directory'), ['none']],
  ] as const)
    for (const history of histories)
      for (const [at, name] of ['base', 'state', 'log'].entries()) {
        const text = `${kind}, ${name} not moved, then history ${history}`;
        const dataDir = join(folder, `${kind}-${name}-${history}`);
        // A folder that is not empty makes the move of this folder fail. It is created during the conversion, because a
        // bootstrap rejects a folder that exists before.
        const obstacle = join(dataDir, name === 'log' ? 'state' : name);
        const progress = new Progress({ isQuiet: true });
        t.intercept(progress, 'begin', { value: () => mkdirSync(join(obstacle, 'file'), { recursive: true }) });
        await t.rejects(start(dataDir, source, 'none', progress), { code: 'ENOTEMPTY' }, text);
        rmSync(obstacle, { recursive: true });
        if (name === 'log') renameSync(join(dataDir, 'bootstrap', 'state'), join(dataDir, 'state'));
        t.equal(existsSync(join(dataDir, 'base')), at > 0, text);
        const { digest, sums } = await start(dataDir, source, history);
        t.same({ digest, sums }, { digest: whole.digest, sums: whole.sums }, text);
        t.same(readdirSync(dataDir).sort(), ['base', 'log', 'state'], text);
        t.same(verifyLedger(dataDir).digest, Buffer.from(digest).toString('hex'), text);
      }
});

t.test('removes the work folder of a complete bootstrap', async (t) => {
  const dataDir = join(temporaryFolder(t), 'data');
  await start(dataDir, archive, 'none');
  const work = join(dataDir, 'bootstrap');
  mkdirSync(work);
  for (const name of ['source', 'state.whole']) writeFileSync(join(work, name), '');
  await t.rejects(start(dataDir, archive, 100), { message: /already contains a chain/ });
  t.same(readdirSync(dataDir).sort(), ['base', 'log', 'state']);
  await (await openRecorded(lite, dataDir)).ledger.close();
});

t.test('rejects a data folder that contains a part of a chain before the conversion', async (t) => {
  for (const name of ['base', 'state']) {
    const dataDir = temporaryFolder(t);
    const folder = join(dataDir, name);
    mkdirSync(folder);
    writeFileSync(join(folder, 'data.mdb'), '');
    await t.rejects(start(dataDir), { message: `${folder} is not empty; set an empty data folder with -d` });
    t.ok(existsSync(join(folder, 'data.mdb')), 'the folder remains');
    t.notOk(existsSync(join(dataDir, 'bootstrap')), 'nothing was converted');
  }
});

t.test('packs a store only once, so an interrupted bootstrap resumes without its unpacked rows', async (t) => {
  const folder = temporaryFolder(t);
  const spool = join(folder, 'spool');
  const names = javaStoreIds.map(storeName);
  await unpackStores({ archive, target: spool, stores: new Set(names), onProgress: () => {} });
  const pack = (onPacked?: (name: string) => void) =>
    packStores(new JavaData(spool, storeOrders), join(folder, 'base'), new Progress({ isQuiet: true }), onPacked);
  const sums = pack((name) => {
    if (name !== 'properties') rmSync(join(spool, name), { recursive: true });
  });
  t.same(readdirSync(spool), ['properties']);
  t.same(pack(), sums, 'a resumed pack has the same sums');
});

t.test('removes all files after an unreadable source', async (t) => {
  const folder = temporaryFolder(t);
  const bytes = readFileSync(archive);
  const broken = join(folder, 'broken.tgz');
  bytes[bytes.length >> 1]! ^= 1;
  writeFileSync(broken, bytes);
  const dataDir = join(folder, 'data');
  await t.rejects(start(dataDir, broken), { code: 'JAVA_DATA_UNREADABLE' });
  t.notOk(existsSync(join(dataDir, 'bootstrap')) || existsSync(join(dataDir, 'log')));
});
