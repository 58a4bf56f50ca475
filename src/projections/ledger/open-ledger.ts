import { mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Logger } from 'pino';
import { flushFolders } from '../../files/flush-folders.js';
import { lockFolder } from '../../files/folder-lock.js';
import { BlockLog } from '../../log/block-log.js';
import { requireLog } from '../../log/log-file.js';
import { LogMarker } from '../../log/log-marker.js';
import { lockForReading } from '../../log/reader-lock.js';
import { refuseUnfinished } from '../checkpoints/base-rows.js';
import { Checkpoints } from '../checkpoints/checkpoints.js';
import { StateDatabase } from '../state/state-database.js';
import { checkFolder } from '../verify/check-folder.js';
import { CheckRecord } from '../verify/check-record.js';
import { checkGenesis, writeGenesis } from './genesis-entry.js';
import type { LedgerOptions, ReaderOptions } from './ledger-types.js';
import { ReaderLedger } from './reader-ledger.js';
import { recoverState } from './recover-state.js';
import { WriterLedger } from './writer-ledger.js';

/**
 * Opens log and state of a data folder. A writer creates both from genesis in an empty folder, and applies log entries
 * that are missing in the state.
 * @throws {UsageError} a reader finds no log or no state, another writer has the folder open, or the folder contains
 * another chain, an unfinished bootstrap, or the log of a newer release; a reader may not write `lock.mdb` while a
 * writer has the folder open
 * @throws {DamageError} log or state is damaged
 * @throws {TronError} LOCK_FAILED: the folder cannot be locked; STATE_MISSING: the state lacks changes that are no
 * longer retained; STORAGE_FAILED: the write failed
 */
export function openLedger(options: ReaderOptions): Promise<ReaderLedger>;
export function openLedger(options: LedgerOptions): Promise<WriterLedger>;
export async function openLedger(options: LedgerOptions | ReaderOptions): Promise<ReaderLedger | WriterLedger> {
  const { dataDir, genesis, log, checkpointVersion } = options;
  const readOnly = 'readOnly' in options;
  if (readOnly) requireLog(dataDir);
  refuseUnfinished(dataDir);
  const firstNew = mkdirSync(dataDir, { recursive: true });
  const opened: { close(): unknown }[] = [];
  const open = <Part extends { close(): unknown }>(part: Part): Part => {
    opened.push(part);
    return part;
  };
  try {
    const lock = readOnly ? lockForReading(dataDir) : await lockFolder(dataDir);
    if (lock !== undefined) open(lock);
    const checks = new CheckRecord(dataDir);
    if (!readOnly && options.check !== false) {
      const onDamage = options.onDamage ?? endProcess(log);
      await checkFolder({ dataDir, log, onDamage, record: checks, rate: options.checkRate });
    }
    const blocks = open(new BlockLog({ dataDir, readOnly }));
    if (blocks.lastSeq < 0) {
      flushFolders(dirname(resolve(dataDir)), firstNew);
      writeGenesis(blocks, dataDir, genesis);
    }
    checkGenesis(blocks, dataDir, genesis);
    const state = open(new StateDatabase(dataDir, { readOnly }));
    const checkpoints = new Checkpoints(dataDir, checkpointVersion, log);
    if (!readOnly) recoverState({ dataDir, blocks, state, checkpoints, log });
    const marker = open(new LogMarker(dataDir));
    if (!readOnly) marker.write({ seq: blocks.committedSeq, hash: blocks.hashOf(blocks.committedSeq) });
    const parts = { blocks, state, checkpoints, lock, marker, checks };
    return 'readOnly' in options ? new ReaderLedger(options, parts) : new WriterLedger(options, parts);
  } catch (error) {
    for (const part of opened.reverse()) await part.close();
    throw error;
  }
}

function endProcess(log: Logger): (error: unknown) => void {
  return (error) => {
    log.fatal({ err: error }, 'stored data damaged');
    process.exit(1);
  };
}
