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
import { BASE_FOLDER, BOOTSTRAP_FOLDER, baseDigest, type StoreSum } from '../../projections/checkpoints/base-rows.js';
import { loadBase } from '../../projections/checkpoints/load-base.js';
import { RETAINED, SOLIDIFIED } from '../../projections/ledger/ledger-facts.js';
import { StateDatabase } from '../../projections/state/state-database.js';
import { javaStoreIds, storeName } from '../../projections/state/stores.js';
import { Progress } from '../command-line/progress.js';
import { type HistoryRequest, importSourceBlocks } from './import-blocks.js';
import { packStores } from './pack-stores.js';
import { ShapeCheck } from './row-shapes.js';
import { readSourceHead, type SourceBlock, type SourceHead } from './source-head.js';
import { storeOrders } from './store-orders.js';

interface BootstrapOptions {
  /** Path of a java-tron data folder or of an archive of such a folder. `-` means an archive on standard input. */
  readonly source: string;
  readonly dataDir: string;
  /** Id of block 0 of the configured chain. */
  readonly genesisId: Uint8Array;
  readonly history: HistoryRequest;
  /** Prints the progress. If undefined, no progress is printed. */
  readonly progress?: Progress;
}

export interface BootstrapReport {
  readonly head: SourceBlock;
  readonly solidified: SourceBlock;
  readonly digest: Uint8Array;
  readonly sums: readonly StoreSum[];
}

/** Stores with block data. A bootstrap reads these stores in addition to the stores of the state. */
const BLOCKS = ['block', 'transactionRetStore', 'recent-block', 'recent-transaction'];
/** Stores that each run reads first, together with `properties`, to find the head. A resumed run reads them again. */
const HEAD_STORES = ['block-index', CHECKPOINT_V1];

/** Store that contains the height and id of the source's head. */
const PROPERTIES = 'properties';

/** Names in the bootstrap folder: files that mark completed steps, and the folder `spool` of an unpacked archive. */
const SOURCE_MARK = 'source';
const SPOOL = 'spool';
const SPOOL_MARK = 'spool.whole';
const LOG_MARK = 'log.whole';
const STATE_MARK = 'state.whole';

/** Folders of a converted chain, in the order in which they are moved to the data folder. */
const FOLDERS = [BASE_FOLDER, 'state', 'log'];

/**
 * Converts a java-tron data folder to a data folder of this program. Incomplete files are in `<data>/bootstrap`, and no
 * node starts while that folder exists. A second call resumes an interrupted conversion.
 * @throws {JavaDataError} unreadable source; the incomplete files are then deleted
 * @throws {UsageError} the data folder already has a chain, or a part of a chain
 */
export async function bootstrap(options: BootstrapOptions): Promise<BootstrapReport> {
  const { source, dataDir } = options;
  const work = join(dataDir, BOOTSTRAP_FOLDER);
  const fingerprint = fingerprintOf(source, options.history);
  if (existsSync(join(dataDir, 'log'))) {
    // The log is moved last. If the work folder still has its mark, only the removal of the work folder is missing.
    const isUnfinished = existsSync(join(work, STATE_MARK));
    if (!isUnfinished || !isSameSource(work, fingerprint)) {
      if (isUnfinished) removeWork(work);
      throw new UsageError(`${dataDir} already contains a chain; set an empty data folder with -d`);
    }
  }
  const madeFolder = mkdirSync(dataDir, { recursive: true });
  let isRefused = false;
  const lock = await lockFolder(dataDir);
  try {
    if (!isSameSource(work, fingerprint)) discard(dataDir, work);
    requireUnused(dataDir, work);
    mkdirSync(work, { recursive: true });
    writeFileSync(join(work, SOURCE_MARK), fingerprint);
    const report = await fill(options, work);
    finish(dataDir, work);
    return report;
  } catch (error) {
    isRefused = error instanceof JavaDataError || error instanceof UsageError;
    if (isRefused) discard(dataDir, work);
    throw error;
  } finally {
    lock.close();
    if (isRefused && madeFolder !== undefined) rmSync(madeFolder, { recursive: true, force: true });
  }
}

async function fill(
  { source, dataDir, genesisId, history, progress = new Progress({ isQuiet: true }) }: BootstrapOptions,
  work: string,
): Promise<BootstrapReport> {
  const isFolder = source !== '-' && statSync(source).isDirectory();
  if (!isFolder) await spool(source, work, progress);
  const data = new JavaData(isFolder ? source : join(work, SPOOL), storeOrders, (store) => new ShapeCheck(store));
  const head = readSourceHead(data, genesisId);
  const base = isMoved(dataDir, work, BASE_FOLDER) ? dataDir : work;
  const sums = packStores(data, join(base, BASE_FOLDER), progress, (store) => {
    // Deletes each converted store of an unpacked archive, which frees disk space. Does not delete the properties,
    // because a resumed run reads them again.
    if (!isFolder && store !== PROPERTIES) rmSync(join(work, SPOOL, store), { recursive: true, force: true });
  });
  const digest = baseDigest(head.head.id, sums);
  await writeLog(work, data, head, { digest, genesisId, source: describe(source), history }, progress);
  for (const store of BLOCKS) rmSync(join(work, SPOOL, store), { recursive: true, force: true });
  await writeState(work, head, digest, sums, progress);
  return { ...head, digest, sums };
}

async function spool(archive: string, work: string, progress: Progress): Promise<void> {
  if (existsSync(join(work, SPOOL_MARK))) return;
  const target = join(work, SPOOL);
  rmSync(target, { recursive: true, force: true });
  progress.begin('archive', { unit: 'bytes' });
  await unpackStores({
    archive,
    target,
    stores: new Set([...javaStoreIds.map(storeName), ...BLOCKS, ...HEAD_STORES]),
    onProgress: (bytes) => {
      progress.set(bytes);
    },
  });
  writeFileSync(join(work, SPOOL_MARK), '');
}

interface LogBaseOptions {
  readonly digest: Uint8Array;
  readonly genesisId: Uint8Array;
  readonly source: string;
  readonly history: HistoryRequest;
}

async function writeLog(
  work: string,
  data: JavaData,
  head: SourceHead,
  { digest, genesisId, source, history }: LogBaseOptions,
  progress: Progress,
): Promise<void> {
  if (existsSync(join(work, LOG_MARK))) return;
  rmSync(join(work, 'log'), { recursive: true, force: true });
  const log = new BlockLog({ dataDir: work, readOnly: false });
  try {
    importSourceBlocks(data, log, head, history, progress);
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
  progress: Progress,
): Promise<void> {
  if (existsSync(join(work, STATE_MARK))) return;
  const state = new StateDatabase(work, { readOnly: false });
  try {
    progress.begin('state', { unit: 'rows', total: sums.reduce((sum, { rows }) => sum + rows, 0) });
    // The log of a bootstrap starts with entries 0 and 1. Entry 1 (`solidified`) changes no row, so the rows of entry 0
    // are already the state after entry 1.
    const cursor = { seq: 1, number: head.number, id: head.id, digest };
    const folder = join(work, BASE_FOLDER);
    loadBase({ folder, state, cursor, onProgress: (rows) => progress.add(rows) });
  } finally {
    await state.close();
  }
  writeFileSync(join(work, STATE_MARK), '');
}

/**
 * Moves the complete folders to their final names, the log last. Then removes the work folder, because no node starts
 * while that folder exists. After an interruption, the next call moves the remaining folders.
 */
function finish(dataDir: string, work: string): void {
  for (const name of FOLDERS) {
    if (existsSync(join(work, name))) renameSync(join(work, name), join(dataDir, name));
  }
  removeWork(work);
}

/** Removes the work folder in one step, because a partly deleted work folder cannot be resumed. */
function removeWork(work: string): void {
  const removed = `${work}.removed`;
  rmSync(removed, { recursive: true, force: true });
  renameSync(work, removed);
  rmSync(removed, { recursive: true });
}

/** Deletes all files of an unfinished bootstrap, including the folders that {@link finish} has already moved. */
function discard(dataDir: string, work: string): void {
  for (const name of FOLDERS) if (isMoved(dataDir, work, name)) rmSync(join(dataDir, name), { recursive: true });
  rmSync(work, { recursive: true, force: true });
}

/**
 * Checks the targets of {@link finish} before the conversion, which takes hours.
 * @throws {UsageError} a target exists and is not empty
 */
function requireUnused(dataDir: string, work: string): void {
  for (const name of FOLDERS) {
    const folder = join(dataDir, name);
    if (isMoved(dataDir, work, name) || !existsSync(folder) || readdirSync(folder).length === 0) continue;
    throw new UsageError(`${folder} is not empty; set an empty data folder with -d`);
  }
}

/** Returns true if an interrupted {@link finish} has already moved a folder to its final name. */
function isMoved(dataDir: string, work: string, name: string): boolean {
  return existsSync(join(work, STATE_MARK)) && !existsSync(join(work, name)) && existsSync(join(dataDir, name));
}

function isSameSource(work: string, fingerprint: string): boolean {
  const mark = join(work, SOURCE_MARK);
  return existsSync(mark) && readFileSync(mark, 'utf8') === fingerprint;
}

/**
 * Returns a text that identifies the source, so that a resumed run does not mix two sources. Standard input has no
 * identity, so a resumed run reuses only an archive that was read completely.
 */
function fingerprintOf(source: string, history: HistoryRequest): string {
  if (source === '-') return `- ${history}`;
  if (!existsSync(source)) throw new JavaDataError(source, 'the folder does not exist');
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
