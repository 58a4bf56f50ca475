import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Environment, openEnvironment } from '../../log/lmdb/environment.js';
import { LmdbFile, LmdbFileError, type LmdbFileOptions } from '../../log/lmdb/lmdb-file.js';
import { logDamage } from '../../log/log-damage.js';
import { LogMarker, type Marker } from '../../log/log-marker.js';
import { equalBytes, toHex } from '../../primitives/bytes.js';
import { DamageError } from '../../primitives/errors.js';
import { isSealed, PROJECTIONS_FOLDER, projectionDamage } from '../runner/projection-database.js';
import { BASE_FOLDER, BaseRowsReader, baseFile } from '../state/base-rows.js';
import { CHECKSUM_BYTES, rowChecksum } from '../state/row-checksum.js';
import { decodeStateCursor, type StateCursor } from '../state/state-cursor.js';
import { describeRow, stateDamage } from '../state/state-database.js';
import { type StoreId, storeIds } from '../state/stores.js';
import { LogReading } from './log-reading.js';

/** What a full read found, all of it intact. */
export interface VerifyReport {
  readonly entries: number;
  readonly headNumber: number;
  readonly headId: string;
  readonly digest: string;
  /** Rows of the state; 0 when there is no state (it is built again from the log). */
  readonly rows: number;
  /** Entries that the state is behind the log: a start catches up. */
  readonly behind: number;
}

interface VerifyOptions extends LmdbFileOptions {
  /** Leaves the state out. */
  readonly logOnly?: boolean;
}

/**
 * Reads every page, entry and row of log and state, without LMDB, and compares: pages with their trees, entries with
 * the hash chain, lookup tables with the entries, rows with their checksums, counts and sums, the state's digest with
 * the log's. With `logOnly` the state is left out: it is about to be built again.
 * @throws {DamageError} naming file, finding and the command that rebuilds.
 */
export function verifyLedger(dataDir: string, options: VerifyOptions = {}): VerifyReport {
  const { logOnly = false, isWritten = false, onRead } = options;
  const pinned = isWritten ? pin(dataDir) : [];
  // Each is seen as it is when it is opened, and is not ahead of what is opened after it: state, marker, log.
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

/** Holds a snapshot of each environment, so that the running node uses none of the pages again that are read here. */
function pin(dataDir: string): Environment[] {
  return ['state', 'log', PROJECTIONS_FOLDER]
    .map((name) => join(dataDir, name))
    .filter((path) => existsSync(join(path, 'data.mdb')))
    .map((path) => {
      const environment = openEnvironment(path, { readOnly: true });
      environment.hold();
      return environment;
    });
}

function readLog(dataDir: string, marker: ReturnType<LogMarker['read']>, options: VerifyOptions): LogReading {
  const path = join(dataDir, 'log', 'data.mdb');
  return asDamage(
    (finding) => logDamage(path, finding),
    () => {
      if (!existsSync(path)) throw new LmdbFileError('it does not exist');
      const file = new LmdbFile(path, options);
      try {
        const stored = marker === 'missing' || marker === 'damaged' ? undefined : marker;
        const reading = new LogReading(stored?.seq ?? -1);
        const tables = file.readTables();
        for (const name of new Set(['meta', 'entries', ...tables])) {
          file.walkTable(name, (key, value) => reading.row(name, key, value));
        }
        file.checkFreePages();
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
  if (hash === undefined) throw new LmdbFileError(`it ends before entry ${stored.seq}, which was stored`);
  if (!equalBytes(hash, stored.hash)) throw new LmdbFileError(`entry ${stored.seq} is not the one that was stored`);
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
          if (cursor === undefined) throw new LmdbFileError('its cursor is not what was written');
        });
        file.walkTable('rows', (key, value) => addRow(totals, key, value));
        file.checkFreePages();
        checkTotals(totals, cursor?.totals ?? new Map());
        if (cursor === undefined) return undefined;
        const digest = log.digestOf(cursor.id);
        if (cursor.seq > log.lastSeq) {
          throw new LmdbFileError(`it stands at entry ${cursor.seq}, ahead of the log, which ends at ${log.lastSeq}`);
        }
        if (digest === undefined || !equalBytes(digest, cursor.digest)) {
          throw new LmdbFileError(`its digest at entry ${cursor.seq} is not that of the log`);
        }
        return { rows: [...totals.values()].reduce((sum, { rows }) => sum + rows, 0), seq: cursor.seq };
      } finally {
        file.close();
      }
    },
  );
}

/**
 * Files of a base, where there is one; those of a source that was given up afterwards may be gone.
 * @throws {DamageError}
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
        throw new DamageError(`${baseFile(folder, store)} is damaged: it holds ${rows} rows`);
    } finally {
      reader.close();
    }
  }
}

/** Secondary projections: pages and rows; what they should hold is known to their code alone. */
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
            if (name !== 'cursors' && !isSealed(key, value))
              throw new LmdbFileError(`a row of ${name} is not what was written`);
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
  if (end < 0 || value.readBigUInt64LE(end) !== check)
    throw new LmdbFileError(`${describeRow(key)} is not what was written`);
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
    throw new LmdbFileError(
      `store ${store} holds ${is?.rows ?? 0} rows, not the ${should?.rows ?? 0} that were written`,
    );
  }
}

function asDamage<Result>(damage: (finding: string) => DamageError, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (error instanceof LmdbFileError) throw damage(error.message);
    if (error instanceof RangeError) throw damage(`it is not readable (${error.message})`);
    throw error;
  }
}
