import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { LmdbFile, LmdbFileError } from '../../log/lmdb/lmdb-file.js';
import { refuseNewerFormat } from '../../log/lmdb/log-format.js';
import { isUnwritten } from '../../log/lmdb/unwritten-file.js';
import { logDamage } from '../../log/log-damage.js';
import { LogMarker } from '../../log/log-marker.js';
import { DamageError } from '../../primitives/errors.js';
import { stateDamage } from '../state/state-database.js';
import type { CheckRecord } from './check-record.js';
import { isSmallEnoughToWait, verifyInChild } from './verify-in-child.js';

/** Default read rate of a background check, in bytes per second. The node can use most of the disk bandwidth. */
const CHECK_RATE = 100 * 1024 * 1024;
/** Interval of progress log lines, in ms. */
const PROGRESS_MS = 60_000;

interface CheckOptions {
  readonly dataDir: string;
  /**
   * Read rate of a background check, in bytes per second. `off` limits the check to the meta pages, also for a small
   * folder.
   */
  readonly rate?: number | 'off' | undefined;
  readonly record: CheckRecord;
  readonly log: Logger;
  /** Called if the background check finds damage. */
  readonly onDamage: (error: unknown) => void;
}

/**
 * Checks a folder before LMDB opens it. For a small folder, a child process checks all data before the start
 * continues. For a large folder, the start checks only the meta pages. A background check then reads all data, except
 * if a check passed within the last day and the folder has been closed cleanly since.
 *
 * If the creation of the folder was interrupted, deletes log and state, because they cannot contain a block.
 * @throws {DamageError} the folder is damaged
 * @throws {UsageError} a newer release has written the log
 */
export async function checkFolder({ dataDir, log, onDamage, record, rate }: CheckOptions): Promise<void> {
  const [logFile, stateFile] = [join(dataDir, 'log', 'data.mdb'), join(dataDir, 'state', 'data.mdb')];
  const marker = new LogMarker(dataDir).read();
  if (marker === 'missing' && isUnfinished(logFile)) {
    if (existsSync(stateFile) && !isUnfinished(stateFile))
      throw new DamageError(`${logFile} contains no block, although ${stateFile} contains a state; restore a backup`);
    for (const folder of ['log', 'state']) rmSync(join(dataDir, folder), { recursive: true, force: true });
    return;
  }
  if (marker === 'damaged')
    log.warn({ file: join(dataDir, 'log', 'head') }, 'damaged log/head file ignored, the node writes it again');
  if (marker === 'missing' && isUnfinished(stateFile)) rmSync(join(dataDir, 'state'), { recursive: true, force: true });
  if (!existsSync(logFile)) throw new DamageError(`${logFile} does not exist; restore a backup`);
  refuseNewerFormat(logFile);
  const isDue = record.begin();
  if (rate !== 'off' && isSmallEnoughToWait(dataDir)) {
    const report = await verifyInChild(dataDir);
    log.debug({ ...report }, 'data check passed');
    return;
  }
  checkMetaPages(dataDir);
  if (rate === 'off') return;
  if (!isDue) {
    log.info({ dataDir }, 'data check skipped: the last one was within a day, and the node has stopped cleanly since');
    return;
  }
  log.info({ dataDir }, 'data check started in the background');
  checkBeside({ dataDir, log, record, rate }).catch((error) => {
    if (!record.signal.aborted) onDamage(error);
  });
}

/**
 * Checks the meta pages without LMDB, because LMDB may crash the process on a damaged file.
 * @param options `isWritten`: true if a running node writes to the folder
 * @throws {DamageError} a meta page is invalid
 */
export function checkMetaPages(dataDir: string, options: { readonly isWritten?: boolean } = {}): void {
  const [logFile, stateFile] = [join(dataDir, 'log', 'data.mdb'), join(dataDir, 'state', 'data.mdb')];
  checkMetas(logFile, options, (finding) => logDamage(logFile, finding));
  if (existsSync(stateFile)) checkMetas(stateFile, options, (finding) => stateDamage(stateFile, finding));
}

async function checkBeside({ dataDir, log, record, rate }: Omit<CheckOptions, 'onDamage'>): Promise<void> {
  const startMs = Date.now();
  let lastLineAt = startMs;
  const report = await verifyInChild(dataDir, {
    signal: record.signal,
    isWritten: true,
    rate: rate === undefined || rate === 'off' ? CHECK_RATE : rate,
    onProgress: (progress) => {
      if (Date.now() - lastLineAt < PROGRESS_MS) return;
      lastLineAt = Date.now();
      log.info({ ...progress }, 'data check in progress');
    },
  });
  record.passed(startMs);
  log.info({ ...report }, 'data check passed');
}

function checkMetas(path: string, options: { readonly isWritten?: boolean }, damage: (finding: string) => Error): void {
  try {
    new LmdbFile(path, options).close();
  } catch (error) {
    throw error instanceof LmdbFileError ? damage(error.message) : error;
  }
}

/** Returns true if the database file is missing, or if LMDB never committed a transaction to it. */
function isUnfinished(path: string): boolean {
  if (!existsSync(path) || isUnwritten(path)) return true;
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
