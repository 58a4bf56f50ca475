import { existsSync } from 'node:fs';
import { pino } from 'pino';
import { tryLockFolder } from '../../files/folder-lock.js';
import { hasLog } from '../../log/log-file.js';
import { TronError, UsageError } from '../../primitives/errors.js';
import { openLedger } from '../../projections/ledger/open-ledger.js';
import { checkMetaPages } from '../../projections/verify/check-folder.js';
import { isSmallEnoughToWait, verifyInChild } from '../../projections/verify/verify-in-child.js';
import { type Finding, finding } from './finding.js';

/** Returns true if a process has the folder open for writing. */
export async function isInUse(dataDir: string): Promise<boolean> {
  if (!existsSync(dataDir)) return false;
  const lock = tryLockFolder(dataDir);
  lock?.close();
  return lock === undefined;
}

/**
 * Checks that this version can read the folder, and reports its head. `tronicle verify` checks all data.
 */
export async function checkData(dataDir: string, isRunning: boolean): Promise<Finding> {
  if (!hasLog(dataDir)) {
    return finding('data', 'ok', `${dataDir} is empty; the node starts at genesis`, '');
  }
  try {
    await checkBeforeReading(dataDir, isRunning);
    const log = pino({ level: 'silent' });
    const ledger = await openLedger({ dataDir, retention: 'all', checkpointVersion: 2, log, readOnly: true });
    const { headNumber, solidifiedNumber } = ledger.position;
    await ledger.close();
    const where = `head ${headNumber}, solidified ${solidifiedNumber}${isRunning ? ', in use by a running node' : ''}`;
    return finding('data', 'ok', where, '');
  } catch (error) {
    if (!(error instanceof TronError)) throw error;
    return finding(
      'data',
      'bad',
      error.message,
      error instanceof UsageError
        ? ''
        : `run tronicle verify -d ${dataDir} to locate the damage, then restore the folder from a backup`,
    );
  }
}

/**
 * Checks a folder before LMDB opens it, because LMDB aborts the process on some damaged files. A child process reads a
 * small folder completely. For a large folder, or a folder in use, checks only the meta pages.
 * @throws {DamageError} the check finds damage
 */
export async function checkBeforeReading(dataDir: string, isRunning: boolean): Promise<void> {
  checkMetaPages(dataDir, { isWritten: isRunning });
  if (!isRunning && isSmallEnoughToWait(dataDir)) await verifyInChild(dataDir);
}
