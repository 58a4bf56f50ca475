import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { lockFolder } from '../../files/folder-lock.js';
import { unpackStores } from '../../java-tron-data/archive.js';
import { CHECKPOINT_V1, findStores } from '../../java-tron-data/data-folder.js';
import { JavaData } from '../../java-tron-data/java-data.js';
import { JavaDataError } from '../../java-tron-data/java-data-error.js';
import { seqKey } from '../../log/block-key.js';
import { BlockLog } from '../../log/block-log.js';
import { UsageError } from '../../primitives/errors.js';
import { RETAINED, SOLIDIFIED } from '../../projections/ledger/ledger-facts.js';
import { BASE_FOLDER, BOOTSTRAP_FOLDER, baseDigest, type StoreSum } from '../../projections/state/base-rows.js';
import { loadBase } from '../../projections/state/load-base.js';
import { StateDatabase } from '../../projections/state/state-database.js';
import { javaStoreIds, storeName } from '../../projections/state/stores.js';
import { type HistoryRequest, importSourceBlocks } from './import-blocks.js';
import { packStores } from './pack-stores.js';
import { ProgressMeter } from './progress.js';
import { ShapeCheck } from './row-shapes.js';
import { readSourceHead, type SourceBlock, type SourceHead } from './source-head.js';
import { storeOrders } from './store-orders.js';

interface BootstrapOptions {
  /** A data folder of java-tron, an archive of one, or `-` for an archive on standard input. */
  readonly source: string;
  readonly dataDir: string;
  /** Id of the configured chain's block 0. */
  readonly genesisId: Uint8Array;
  readonly history: HistoryRequest;
  readonly print: (line: string) => void;
}

export interface BootstrapReport {
  readonly head: SourceBlock;
  readonly solidified: SourceBlock;
  readonly digest: Uint8Array;
  readonly sums: readonly StoreSum[];
}

/** Stores besides those of the state that something is taken from. */
const BLOCKS = ['block', 'transactionRetStore', 'recent-block', 'recent-transaction'];
/** Read at each start of a run, with the properties: where the head is. */
const HEAD_STORES = ['block-index', CHECKPOINT_V1];

/** Store from which the head of a source is known. */
const PROPERTIES = 'properties';

/** Marks below the folder of what is not whole yet. */
const SOURCE_MARK = 'source';
const SPOOL = 'spool';
const SPOOL_MARK = 'spool.whole';
const LOG_MARK = 'log.whole';
const STATE_MARK = 'state.whole';

/**
 * Makes a data folder of one of java-tron. All that is not whole lies in `<data>/bootstrap`, with which no node starts;
 * a run that was cut short goes on from there. @throws {JavaDataError} a source that cannot be read: then nothing of it
 * is left; {UsageError} a data folder with a chain in it
 */
export async function bootstrap(options: BootstrapOptions): Promise<BootstrapReport> {
  const { source, dataDir } = options;
  if (existsSync(join(dataDir, 'log'))) {
    if (!existsSync(join(dataDir, BOOTSTRAP_FOLDER, STATE_MARK))) {
      throw new UsageError(`${dataDir} holds a chain already: bootstrap needs an empty data folder`);
    }
  }
  const fingerprint = fingerprintOf(source, options.history);
  mkdirSync(dataDir, { recursive: true });
  const lock = await lockFolder(dataDir);
  const work = join(dataDir, BOOTSTRAP_FOLDER);
  try {
    if (!isSameSource(work, fingerprint)) rmSync(work, { recursive: true, force: true });
    mkdirSync(work, { recursive: true });
    writeFileSync(join(work, SOURCE_MARK), fingerprint);
    const report = await fill(options, work);
    finish(dataDir, work);
    return report;
  } catch (error) {
    if (error instanceof JavaDataError || error instanceof UsageError) rmSync(work, { recursive: true, force: true });
    throw error;
  } finally {
    lock.close();
  }
}

async function fill({ source, genesisId, history, print }: BootstrapOptions, work: string): Promise<BootstrapReport> {
  const meter = new ProgressMeter(print);
  const isFolder = source !== '-' && statSync(source).isDirectory();
  if (!isFolder) await spool(source, work, meter);
  const data = new JavaData(isFolder ? source : join(work, SPOOL), storeOrders, (store) => new ShapeCheck(store));
  const head = readSourceHead(data, genesisId);
  const sums = packStores(data, join(work, BASE_FOLDER), meter, (store) => {
    // Room for what is packed is given back store by store; a run that goes on reads the properties again.
    if (!isFolder && store !== PROPERTIES) rmSync(join(work, SPOOL, store), { recursive: true, force: true });
  });
  const digest = baseDigest(head.head.id, sums);
  await writeLog(work, data, head, { digest, genesisId, source: describe(source), history }, meter);
  for (const store of BLOCKS) rmSync(join(work, SPOOL, store), { recursive: true, force: true });
  await writeState(work, head, digest, sums, meter);
  return { ...head, digest, sums };
}

async function spool(archive: string, work: string, meter: ProgressMeter): Promise<void> {
  if (existsSync(join(work, SPOOL_MARK))) return;
  const target = join(work, SPOOL);
  rmSync(target, { recursive: true, force: true });
  meter.begin('archive');
  let before = 0;
  await unpackStores({
    archive,
    target,
    stores: new Set([...javaStoreIds.map(storeName), ...BLOCKS, ...HEAD_STORES]),
    onProgress: (bytes) => {
      meter.add(0, bytes - before);
      before = bytes;
    },
  });
  writeFileSync(join(work, SPOOL_MARK), '');
}

interface LogBegin {
  readonly digest: Uint8Array;
  readonly genesisId: Uint8Array;
  readonly source: string;
  readonly history: HistoryRequest;
}

async function writeLog(
  work: string,
  data: JavaData,
  head: SourceHead,
  { digest, genesisId, source, history }: LogBegin,
  meter: ProgressMeter,
): Promise<void> {
  if (existsSync(join(work, LOG_MARK))) return;
  rmSync(join(work, 'log'), { recursive: true, force: true });
  const log = new BlockLog({ dataDir: work, readOnly: false });
  try {
    importSourceBlocks(data, log, head, history, meter);
    const { number, id } = head.head;
    log.append({ kind: 'base', number, id, digest, genesisId, source });
    log.append({ kind: 'solidified', ...head.solidified });
    log.facts.set(SOLIDIFIED, Buffer.concat([seqKey(head.solidified.number), head.solidified.id]));
    log.facts.set(RETAINED, seqKey(number));
    log.commit();
  } finally {
    await log.close();
  }
  writeFileSync(join(work, LOG_MARK), '');
}

async function writeState(
  work: string,
  { head }: SourceHead,
  digest: Uint8Array,
  sums: readonly StoreSum[],
  meter: ProgressMeter,
): Promise<void> {
  if (existsSync(join(work, STATE_MARK))) return;
  const state = new StateDatabase(work, { readOnly: false });
  try {
    meter.begin(`state of ${sums.reduce((sum, { rows }) => sum + rows, 0)} rows`);
    // The second entry, `solidified`, changes no row.
    const cursor = { seq: 1, number: head.number, id: head.id, digest };
    const folder = join(work, BASE_FOLDER);
    loadBase({ folder, state, cursor, onProgress: (rows, bytes) => meter.add(rows, bytes) });
  } finally {
    await state.close();
  }
  writeFileSync(join(work, STATE_MARK), '');
}

/** All is whole: it gets its names, the log last but for the folder without which a node starts. */
function finish(dataDir: string, work: string): void {
  for (const name of [BASE_FOLDER, 'state', 'log']) {
    if (existsSync(join(work, name))) renameSync(join(work, name), join(dataDir, name));
  }
  rmSync(work, { recursive: true });
}

function isSameSource(work: string, fingerprint: string): boolean {
  const mark = join(work, SOURCE_MARK);
  return existsSync(mark) && readFileSync(mark, 'utf8') === fingerprint;
}

/**
 * Another source must not be mixed with what is there; standard input cannot be compared, only what was read of it
 * whole goes on.
 */
function fingerprintOf(source: string, history: HistoryRequest): string {
  if (source === '-') return `- ${history}`;
  if (!existsSync(source)) throw new JavaDataError(source, 'it does not exist');
  if (!statSync(source).isDirectory()) {
    const { size, mtimeMs } = statSync(source);
    return `${resolve(source)} ${size} ${mtimeMs} ${history}`;
  }
  const hash = createHash('sha256');
  const folder = findStores(source);
  for (const name of readdirSync(folder, { recursive: true }).map(String).sort()) {
    const { size, mtimeMs } = statSync(join(folder, name));
    hash.update(`${name} ${size} ${mtimeMs}\n`);
  }
  return `${resolve(source)} ${hash.digest('hex')} ${history}`;
}

function describe(source: string): string {
  return source === '-' ? 'standard input' : resolve(source);
}
