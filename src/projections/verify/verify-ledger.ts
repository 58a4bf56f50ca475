import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Environment, openEnvironment } from '../../log/lmdb/environment.js';
import { LmdbFile, LmdbFileError, type LmdbFileOptions } from '../../log/lmdb/lmdb-file.js';
import { logDamage } from '../../log/log-damage.js';
import { logFile } from '../../log/log-file.js';
import { LogMarker, type Marker } from '../../log/log-marker.js';
import { equalBytes, toHex } from '../../primitives/bytes.js';
import { DamageError } from '../../primitives/errors.js';
import { BASE_FOLDER, BaseRowsReader, baseFile } from '../checkpoints/base-rows.js';
import { isSealed, PROJECTIONS_FOLDER, projectionDamage } from '../runner/projection-database.js';
import { CHECKSUM_BYTES, rowChecksum } from '../state/row-checksum.js';
import { decodeStateCursor, type StateCursor } from '../state/state-cursor.js';
import { describeRow, stateDamage } from '../state/state-database.js';
import { type StoreId, storeIds, storeName } from '../state/stores.js';
import { LogReading } from './log-reading.js';

/** Result of a passed full check. */
export interface VerifyReport {
  readonly entries: number;
  readonly headNumber: number;
  readonly headId: string;
  readonly digest: string;
  /**
   * Number of rows of the state; 0 with `logOnly` or if there is no state. A start without a state rebuilds it from
   * the log.
   */
  readonly rows: number;
  /**
   * Number of log entries that the state does not include. The next start applies them. With `logOnly` or without a
   * state, the number of all entries.
   */
  readonly behind: number;
}

interface VerifyOptions extends LmdbFileOptions {
  /** True to skip the check of the state. */
  readonly logOnly?: boolean;
}

/**
 * Checks all pages, entries and rows of log, state and secondary projections without LMDB. Also checks the files of a
 * base. Compares entries with the hash chain, lookup tables with the entries, rows with checksums and totals, and the
 * state digest with the log. With `logOnly`, skips the state.
 * @throws {DamageError} damage found; the text has the file, the finding and the command to rebuild
 */
export function verifyLedger(dataDir: string, options: VerifyOptions = {}): VerifyReport {
  const { logOnly = false, isWritten = false, onRead } = options;
  const pinned = isWritten ? pin(dataDir) : [];
  // Opens state, marker (`log/head`) and log in this order. Each of them is a snapshot of its opening time, so the
  // log snapshot is the newest.
  const stateFile = logOnly ? undefined : openState(dataDir, options);
  const marker = new LogMarker(dataDir).read();
  const log = readLog(dataDir, marker, options);
  checkBase(join(dataDir, BASE_FOLDER), onRead);
  const state = stateFile && readState(dataDir, stateFile, log);
  checkProjections(dataDir, options);
  for (const environment of pinned) void environment.close();
  const head = log.head();
  return {
    entries: log.entries,
    headNumber: head.number,
    headId: toHex(head.id),
    digest: toHex(head.digest),
    rows: state?.rows ?? 0,
    behind: log.lastSeq - (state?.seq ?? -1),
  };
}

/**
 * Opens an LMDB snapshot of each database. While a snapshot is open, the running node does not reuse the pages that
 * the check reads.
 */
function pin(dataDir: string): Environment[] {
  return ['state', 'log', PROJECTIONS_FOLDER]
    .map((name) => join(dataDir, name))
    .filter((path) => existsSync(join(path, 'data.mdb')))
    .map((path) => {
      const environment = openEnvironment(path, { readOnly: true });
      environment.holdSnapshot();
      return environment;
    });
}

function readLog(dataDir: string, marker: ReturnType<LogMarker['read']>, options: VerifyOptions): LogReading {
  const path = logFile(dataDir);
  return asDamage(
    (finding) => logDamage(path, finding),
    () => {
      if (!existsSync(path)) throw new DamageError(`${path} does not exist; restore a backup`);
      const file = new LmdbFile(path, options);
      try {
        const stored = marker === 'missing' || marker === 'damaged' ? undefined : marker;
        const reading = new LogReading(stored?.seq ?? -1);
        const tables = file.readTables();
        for (const name of new Set(['meta', 'entries', ...tables])) {
          file.walkTable(name, (key, value) => reading.row(name, key, value));
        }
        file.checkFreePages();
        if (!reading.hasBlock)
          throw new DamageError(
            `${path} contains no block; if the first start of the node was interrupted, start the node again, otherwise restore a backup`,
          );
        reading.finish();
        if (stored !== undefined) checkMarker(stored, reading);
        return reading;
      } finally {
        file.close();
      }
    },
  );
}

function checkMarker(stored: Marker, log: LogReading): void {
  const hash = log.hashOfWatched();
  if (hash === undefined)
    throw new LmdbFileError(`the log ends before entry ${stored.seq}, which the file log/head names as committed`);
  if (!equalBytes(hash, stored.hash))
    throw new LmdbFileError(`the hash of entry ${stored.seq} differs from the hash in the file log/head`);
}

function openState(dataDir: string, options: VerifyOptions): LmdbFile | undefined {
  const path = join(dataDir, 'state', 'data.mdb');
  if (!existsSync(path)) return undefined;
  return asDamage(
    (finding) => stateDamage(path, finding),
    () => new LmdbFile(path, options),
  );
}

function readState(
  dataDir: string,
  file: LmdbFile,
  log: LogReading,
): { readonly rows: number; readonly seq: number } | undefined {
  const path = join(dataDir, 'state', 'data.mdb');
  return asDamage(
    (finding) => stateDamage(path, finding),
    () => {
      try {
        file.readTables();
        const totals = new Map<StoreId, { rows: number; sum: bigint }>();
        let cursor: StateCursor | undefined;
        file.walkTable('meta', (_key, value) => {
          cursor = decodeStateCursor(value);
          if (cursor === undefined) throw new LmdbFileError('the cursor of the state is corrupt');
        });
        file.walkTable('rows', (key, value) => addRow(totals, key, value));
        file.checkFreePages();
        checkTotals(totals, cursor?.totals ?? new Map());
        if (cursor === undefined) return undefined;
        const digest = log.digestOf(cursor.id);
        if (cursor.seq > log.lastSeq) {
          throw new LmdbFileError(`the state is at log entry ${cursor.seq}, but the log ends at entry ${log.lastSeq}`);
        }
        if (digest === undefined || !equalBytes(digest, cursor.digest)) {
          throw new LmdbFileError(`the state digest at entry ${cursor.seq} does not match the log`);
        }
        return { rows: [...totals.values()].reduce((sum, { rows }) => sum + rows, 0), seq: cursor.seq };
      } finally {
        file.close();
      }
    },
  );
}

/**
 * Checks the files of a base (the imported state). A file may be missing if a bootstrap was started again from
 * another source.
 * @throws {DamageError} a file is corrupt
 */
function checkBase(folder: string, onRead: VerifyOptions['onRead']): void {
  for (const store of storeIds) {
    if (!existsSync(baseFile(folder, store))) continue;
    const reader = new BaseRowsReader(folder, store);
    try {
      let rows = 0;
      for (let part = reader.nextPart(); part !== undefined; part = reader.nextPart()) {
        rows += part.visit(store, () => {});
        onRead?.(part.bytes.length);
      }
      if (rows !== reader.sum(store).rows)
        throw new DamageError(
          `${baseFile(folder, store)} is damaged: it contains ${rows} rows, but its trailer has the row count ${reader.sum(store).rows}; restore a backup, or run 'tronicle bootstrap' into a new folder`,
        );
    } finally {
      reader.close();
    }
  }
}

/**
 * Checks pages and row checksums of the secondary projections. Does not check the content of rows, because only the
 * code of the projection can decode it.
 */
function checkProjections(dataDir: string, options: VerifyOptions): void {
  const path = join(dataDir, PROJECTIONS_FOLDER, 'data.mdb');
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0) return;
  asDamage(
    (finding) => projectionDamage(path, finding),
    () => {
      const file = new LmdbFile(path, options);
      try {
        for (const name of file.readTables()) {
          file.walkTable(name, (key, value) => {
            if (name !== 'cursors' && !isSealed(key, value)) throw new LmdbFileError(`a row of ${name} is corrupt`);
          });
        }
        file.checkFreePages();
      } finally {
        file.close();
      }
    },
  );
}

function addRow(totals: Map<StoreId, { rows: number; sum: bigint }>, key: Buffer, value: Buffer): void {
  const end = value.length - CHECKSUM_BYTES;
  const check = end < 0 ? -1n : rowChecksum(key, value.subarray(0, end));
  if (end < 0 || value.readBigUInt64LE(end) !== check) throw new LmdbFileError(`${describeRow(key)} is corrupt`);
  const store = key[0] as StoreId;
  const total = totals.get(store);
  if (total === undefined) totals.set(store, { rows: 1, sum: check });
  else {
    total.rows++;
    total.sum = BigInt.asUintN(64, total.sum + check);
  }
}

function checkTotals(found: StateCursor['totals'], written: StateCursor['totals']): void {
  for (const store of new Set([...found.keys(), ...written.keys()])) {
    const [is, should] = [found.get(store), written.get(store)];
    if ((is?.rows ?? 0) === (should?.rows ?? 0) && (is?.sum ?? 0n) === (should?.sum ?? 0n)) continue;
    const [rows, expected] = [is?.rows ?? 0, should?.rows ?? 0];
    const fault = rows === expected ? 'whose checksums do not match' : `expected ${expected}`;
    throw new LmdbFileError(`store ${storeName(store)} contains ${rows} rows, ${fault}`);
  }
}

function asDamage<Result>(damage: (finding: string) => DamageError, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (error instanceof LmdbFileError) throw damage(error.message);
    if (error instanceof RangeError) throw damage(`the file cannot be decoded (${error.message})`);
    throw error;
  }
}
