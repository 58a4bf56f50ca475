import { existsSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { LmdbFile, LmdbFileError } from '../../log/lmdb/lmdb-file.js';
import { logDamage } from '../../log/log-damage.js';
import { LogMarker } from '../../log/log-marker.js';
import { stateDamage } from '../state/state-database.js';
import type { CheckRecord } from './check-record.js';
import { isSmallEnoughToWait, verifyInChild } from './verify-in-child.js';

/**
 * Bytes that a check beside a running node reads in a second, where nobody says otherwise: what leaves a disk to the
 * node.
 */
const CHECK_RATE = 100 * 1024 * 1024;
/** ms between two lines of the log about a check. */
const TELL_MS = 60_000;

interface CheckOptions {
  readonly dataDir: string;
  /**
   * Bytes per second of a check beside the running node; `off`: only the meta pages are looked at, of small folders
   * too.
   */
  readonly rate?: number | 'off' | undefined;
  readonly record: CheckRecord;
  readonly log: Logger;
  /** Called when the check that goes on beside a running node finds damage. */
  readonly onDamage: (error: unknown) => void;
}

/**
 * Before LMDB may open a folder: the whole of it is read by a child process (large folders: the meta pages here, the
 * rest beside the running node, once a day). A folder whose creation was cut short is emptied, it never held a block.
 * @throws {DamageError}
 */
export async function checkFolder({ dataDir, log, onDamage, record, rate }: CheckOptions): Promise<void> {
  const [logFile, stateFile] = [join(dataDir, 'log', 'data.mdb'), join(dataDir, 'state', 'data.mdb')];
  const marker = new LogMarker(dataDir).read();
  if (marker === 'missing' && isUnfinished(logFile)) {
    if (existsSync(stateFile) && !isUnfinished(stateFile))
      throw logDamage(logFile, 'it is empty, beside a state that is not');
    for (const folder of ['log', 'state']) rmSync(join(dataDir, folder), { recursive: true, force: true });
    return;
  }
  if (marker === 'damaged') log.warn({ file: join(dataDir, 'log', 'head') }, 'side file is damaged and left aside');
  if (marker === 'missing' && isUnfinished(stateFile)) rmSync(join(dataDir, 'state'), { recursive: true, force: true });
  if (!existsSync(logFile)) throw logDamage(logFile, 'it does not exist');
  const isDue = record.begin();
  if (rate !== 'off' && isSmallEnoughToWait(dataDir)) {
    const report = await verifyInChild(dataDir);
    log.debug({ ...report }, 'log and state are intact');
    return;
  }
  checkMetaPages(dataDir);
  if (rate === 'off') return;
  if (!isDue) {
    log.info({ dataDir }, 'log and state are large, were checked within a day, and closed in order since');
    return;
  }
  log.info({ dataDir }, 'log and state are large: they are checked while the node runs');
  checkBeside({ dataDir, log, record, rate }).catch((error) => {
    if (!record.signal.aborted) onDamage(error);
  });
}

/**
 * What every opening of a folder looks at, without LMDB, which a damaged file may end with the process.
 * @throws {DamageError}
 */
export function checkMetaPages(dataDir: string): void {
  const [logFile, stateFile] = [join(dataDir, 'log', 'data.mdb'), join(dataDir, 'state', 'data.mdb')];
  checkMetas(logFile, (finding) => logDamage(logFile, finding));
  if (existsSync(stateFile)) checkMetas(stateFile, (finding) => stateDamage(stateFile, finding));
}

async function checkBeside({ dataDir, log, record, rate }: Omit<CheckOptions, 'onDamage'>): Promise<void> {
  const begun = Date.now();
  let told = begun;
  const report = await verifyInChild(dataDir, {
    signal: record.signal,
    besideRate: rate === undefined || rate === 'off' ? CHECK_RATE : rate,
    onProgress: (progress) => {
      if (Date.now() - told < TELL_MS) return;
      told = Date.now();
      log.info({ ...progress }, 'log and state are being checked');
    },
  });
  record.passed(begun);
  log.info({ ...report }, 'log and state are intact');
}

function checkMetas(path: string, damage: (finding: string) => Error): void {
  try {
    new LmdbFile(path).close();
  } catch (error) {
    throw error instanceof LmdbFileError ? damage(error.message) : error;
  }
}

/** No file, or one in which nothing was ever committed. */
function isUnfinished(path: string): boolean {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0) return true;
  let file: LmdbFile | undefined;
  try {
    file = new LmdbFile(path);
    return file.isEmpty;
  } catch {
    return false;
  } finally {
    file?.close();
  }
}
