import { closeSync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Transaction } from 'lmdb';
import { checksum64 } from '../../crypto/checksum.js';
import { checkFreeSpace } from '../../files/free-space.js';
import { present } from '../../primitives/assert.js';
import { DamageError } from '../../primitives/errors.js';
import { type BytesTable, type Environment, openEnvironment } from './environment.js';
import { LmdbFile } from './lmdb-file.js';

/** Maximum size of the rows written per LMDB transaction, in bytes. It limits the memory of a copy. */
const BATCH_BYTES = 16 * 1024 * 1024;

/** Row count, and sum of the row checksums modulo 2^64, per table. */
type TableSums = Map<string, { rows: number; sum: bigint }>;

interface Copied {
  readonly rows: number;
  /** Total size of keys and values, in bytes. */
  readonly bytes: number;
}

/**
 * A consistent snapshot of an LMDB environment. While the snapshot is open, a writer cannot reuse its pages, so the
 * file grows by the changed pages.
 */
export class EnvironmentSnapshot {
  private readonly environment: Environment;
  private readonly tables: ReadonlyMap<string, BytesTable>;
  private transaction: Transaction | undefined;

  /** @param path folder of the environment */
  constructor(path: string) {
    this.environment = openEnvironment(path, { readOnly: true });
    const names = [...this.environment.root.getKeys()].map((key) => Buffer.from(key).toString().replace(/\0$/, ''));
    this.tables = new Map(names.map((name) => [name, this.environment.table(name)]));
  }

  /** Takes a snapshot of the newest commit. The next call replaces this snapshot by a newer one. */
  take(): void {
    this.transaction?.done();
    this.environment.root.resetReadTxn();
    this.transaction = this.environment.root.useReadTransaction();
  }

  get names(): readonly string[] {
    return [...this.tables.keys()];
  }

  /**
   * Returns all rows of a table in key order. Must be called after {@link take}.
   * @param limit if set, returns only this number of rows from the end of the table, in reverse order
   */
  rows(name: string, limit?: number): Iterable<{ readonly key: Uint8Array; readonly value: Buffer }> {
    const { transaction } = this;
    if (transaction === undefined) throw new RangeError('no snapshot taken; call take() first');
    const newest = limit === undefined ? {} : { limit, reverse: true };
    return present(this.tables.get(name), 'only listed table names are read').getRange({
      transaction,
      ...newest,
    });
  }

  async close(): Promise<void> {
    this.transaction?.done();
    await this.environment.close();
  }
}

/**
 * Copies a snapshot row by row into a new environment without free pages. Then reads the copy and compares it with the
 * snapshot.
 * @param folder folder of the new environment, which must not exist
 * @param spend called with the number of copied bytes, for rate limiting
 * @throws {TronError} STORAGE_FULL: the disk is full; STORAGE_FAILED: another write error
 * @throws {DamageError} the copy differs from the snapshot
 */
export async function copyEnvironment(
  snapshot: EnvironmentSnapshot,
  folder: string,
  spend: (bytes: number) => void,
): Promise<Copied> {
  mkdirSync(dirname(folder), { recursive: true });
  const target = openEnvironment(folder, { readOnly: false });
  const sums: TableSums = new Map();
  let bytes = 0;
  try {
    for (const name of snapshot.names) bytes += copyTable(snapshot, target, name, sums, spend);
  } finally {
    await target.close();
  }
  compareCopy(join(folder, 'data.mdb'), sums);
  syncFile(join(folder, 'data.mdb'));
  return { rows: [...sums.values()].reduce((sum, { rows }) => sum + rows, 0), bytes };
}

function copyTable(
  snapshot: EnvironmentSnapshot,
  target: Environment,
  name: string,
  sums: TableSums,
  spend: (bytes: number) => void,
): number {
  const table = target.table(name);
  let batch: { readonly key: Uint8Array; readonly value: Buffer }[] = [];
  let batchBytes = 0;
  let bytes = 0;
  const write = (): void => {
    checkFreeSpace(target.path, batchBytes);
    target.commit(() => {
      for (const { key, value } of batch) table.appendSync(key, value);
    });
    spend(batchBytes);
    bytes += batchBytes;
    batch = [];
    batchBytes = 0;
  };
  for (const row of snapshot.rows(name)) {
    addTo(sums, name, row.key, row.value);
    batch.push({ key: Uint8Array.from(row.key), value: Buffer.from(row.value) });
    batchBytes += row.key.length + row.value.length;
    if (batchBytes >= BATCH_BYTES) write();
  }
  write();
  return bytes;
}

/** Compares the tables of a copy with the sums of the snapshot. @throws {DamageError} they differ */
function compareCopy(path: string, sums: TableSums): void {
  const file = new LmdbFile(path);
  try {
    const found: TableSums = new Map();
    for (const name of file.readTables()) file.walkTable(name, (key, value) => addTo(found, name, key, value));
    file.checkFreePages();
    for (const [name, { rows, sum }] of sums) {
      const copied = found.get(name);
      if (copied?.rows === rows && copied.sum === sum) continue;
      throw new DamageError(
        `${path} is damaged: table '${name}' of the copy differs from the source, which is unchanged; check disk and memory, and run the command again`,
      );
    }
  } finally {
    file.close();
  }
}

function addTo(sums: TableSums, name: string, key: Uint8Array, value: Uint8Array): void {
  const sum = checksum64(value, checksum64(key));
  const known = sums.get(name);
  if (known === undefined) sums.set(name, { rows: 1, sum });
  else {
    known.rows++;
    known.sum = BigInt.asUintN(64, known.sum + sum);
  }
}

function syncFile(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
