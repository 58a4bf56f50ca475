import { accessSync, constants, existsSync, mkdirSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { type Database, open, type PutOptions, type RangeOptions, type RootDatabase, type Transaction } from 'lmdb';
import { flushFolders } from '../../files/flush-folders.js';
import { isPresent } from '../../files/is-present.js';
import { errorText, TronError } from '../../primitives/errors.js';
import { hasMetaPages } from './lmdb-file.js';
import { isUnwritten } from './unwritten-file.js';

/** Maximum key size of LMDB with its default page size, in bytes. LMDB fails for a longer key. */
export const KEY_BYTES_MAX = 1_978;

/** Maximum time that a snapshot is kept open, in ms. LMDB cannot reuse pages that an open snapshot may read. */
const HELD_MS_MAX = 500;

/**
 * Read snapshot of an environment. If undefined, reads use LMDB's own snapshot, which ends with the current turn of the
 * event loop.
 */
interface Reading {
  transaction: Transaction | undefined;
}

/** Type of an LMDB database, with an options parameter that the types of the lmdb package lack. */
type ReadableDatabase = Database<Buffer, Uint8Array> & {
  getBinary(key: Uint8Array, options: Reading): Buffer | undefined;
  getBinaryFast(key: Uint8Array, options: Reading): Buffer | undefined;
};

/**
 * An LMDB table with binary keys (byte order) and binary values. Each method that reads throws a {@link TronError} with
 * the code STORAGE_FAILED if LMDB cannot read, for example after a failed write of its meta page.
 */
export class BytesTable {
  private readonly path: string;
  private readonly database: ReadableDatabase;
  private readonly reading: Reading;

  /** @param path folder of the environment, for error messages */
  constructor(path: string, database: Database<Buffer, Uint8Array>, reading: Reading) {
    this.path = path;
    this.database = database as ReadableDatabase;
    this.reading = reading;
  }

  getBinary(key: Uint8Array): Buffer | undefined {
    try {
      return this.database.getBinary(key, this.reading);
    } catch (cause) {
      throw readFailed(this.path, cause);
    }
  }

  /** Returns a buffer that the next read overwrites. Only its first `length` bytes are the value. */
  getBinaryFast(key: Uint8Array): Buffer | undefined {
    try {
      return this.database.getBinaryFast(key, this.reading);
    } catch (cause) {
      throw readFailed(this.path, cause);
    }
  }

  /** Iterates over keys and values in key order, from `start` (inclusive) to `end` (exclusive). */
  getRange(range: RangeOptions): Iterable<{ readonly key: Uint8Array; readonly value: Buffer }> {
    return this.iterate(() => this.database.getRange(this.inSnapshot(range)));
  }

  getKeys(range: RangeOptions): Iterable<Uint8Array> {
    return this.iterate(() => this.database.getKeys(this.inSnapshot(range)));
  }

  putSync(key: Uint8Array, value: Uint8Array): void {
    this.database.putSync(key, value as Buffer);
  }

  /** Appends a row after all others. LMDB rejects a key that is not the highest. */
  appendSync(key: Uint8Array, value: Uint8Array): void {
    // The types of the package lack this option, which maps to MDB_APPEND of LMDB.
    this.database.putSync(key, value as Buffer, { append: true } as PutOptions);
  }

  removeSync(key: Uint8Array): void {
    this.database.removeSync(key);
  }

  clearSync(): void {
    this.database.clearSync();
  }

  private *iterate<T>(items: () => Iterable<T>): Iterable<T> {
    try {
      yield* items();
    } catch (cause) {
      throw readFailed(this.path, cause);
    }
  }

  private inSnapshot(range: RangeOptions): RangeOptions {
    const { transaction } = this.reading;
    return transaction === undefined ? range : { ...range, transaction };
  }
}

export interface Environment {
  readonly path: string;
  readonly root: RootDatabase<Buffer, Uint8Array>;
  /** Opens a table, and creates it if it does not exist. @throws {TronError} STORAGE_FAILED: it cannot be created */
  table(name: string): BytesTable;
  /**
   * Runs `write` as one LMDB transaction. When the call returns, all writes are on disk. Ends the process if the write
   * fails and LMDB is unusable afterwards.
   * @throws {TronError} STORAGE_FAILED: the write failed, and nothing was written
   */
  commit(write: () => void): void;
  /** Makes commits of other threads and processes visible to the next read. */
  refresh(): void;
  /**
   * Uses the newest snapshot for all following reads, until the next call or for at most 500 ms. Called by readers that
   * are notified of changes. Without this call, LMDB opens a new snapshot in each turn of the event loop.
   */
  holdSnapshot(): void;
  readonly holdsSnapshot: boolean;
  close(): Promise<void>;
}

/**
 * Checks that the file has valid meta pages before the lmdb package opens it. A damaged file can make the package free
 * memory twice. The process then crashes, or can never open the same path again.
 * @throws {TronError} DAMAGED_DATA: the file is not a valid database
 */
function requireMade(path: string): void {
  const file = join(path, 'data.mdb');
  if (!existsSync(file) || hasMetaPages(file)) return;
  throw new TronError(
    'DAMAGED_DATA',
    `${file} is not an LMDB database; if a node creates it at the moment, try again, otherwise restore a backup`,
  );
}

/** Maximum number of reading threads: API threads, their pools, and commands that run at the same time as the node. */
const READERS_MAX = 1_024;

/**
 * Checks that this process may write the existing paths, because LMDB's own error names no path.
 * @throws {Error} a path is not writable
 */
function requireWritable(paths: readonly string[]): void {
  for (const path of paths.filter(isPresent)) accessSync(path, constants.R_OK | constants.W_OK);
}

/**
 * Opens the file of an environment, and registers this process as a reader.
 *
 * LMDB registers a reader by its process id. Containers have separate process ids, so two containers that share a
 * volume often use the same process id, usually 1. LMDB then rejects the second process. After ten seconds, the lmdb
 * package throws an error here, and another error from a timer, which no caller can catch. Therefore this function ends
 * the process.
 */
function openRoot(path: string, readOnly: boolean): RootDatabase<Buffer, Uint8Array> {
  try {
    const root: RootDatabase<Buffer, Uint8Array> = open({
      path,
      noSubdir: false,
      encoding: 'binary',
      keyEncoding: 'binary',
      overlappingSync: false,
      readOnly,
      maxDbs: 32,
      maxReaders: READERS_MAX,
    });
    // The first read registers the process.
    for (const _ of root.getKeys({ limit: 1 })) break;
    return root;
  } catch (error) {
    if (!errorText(error).includes('No transaction to renew')) throw error;
    const reason = `a process of another container has the same process id (${process.pid})`;
    const remedy = 'run the command in that container, or let both containers share their process ids';
    process.stderr.write(`\ncannot read ${path}: ${reason}; ${remedy}\n`);
    process.exit(1);
  }
}

function readFailed(path: string, cause: unknown): TronError {
  const text = `cannot read ${path}: ${errorText(cause)}; restart the node, and check the disk if the error remains`;
  return new TronError('STORAGE_FAILED', text, { cause });
}

const ANY_KEY = Uint8Array.of(0);

/** Exit code of a thread whose owner must end the process, because the exit of a thread does not end the process. */
export const UNUSABLE_EXIT = 70;

/**
 * Ends the process if LMDB rejects every read and write of this process, which is its state after a failed write of a
 * meta page. After a restart, LMDB opens the newest complete commit.
 */
function endIfUnusable(root: RootDatabase<Buffer, Uint8Array>, path: string, cause: unknown): void {
  try {
    root.resetReadTxn();
    // `getKeys` would read from an open cursor, without an error.
    root.getBinary(ANY_KEY);
  } catch (error) {
    if (!errorText(error).includes('MDB_PANIC')) return;
    const reason = `${errorText(cause)}; LMDB rejects every read and write until a restart, so the process ends`;
    // The exit of a thread would discard text in its stream.
    writeSync(2, `\ncannot write to ${path}: ${reason}; start it again, and check the disk if the error remains\n`);
    process.exit(isMainThread ? 1 : UNUSABLE_EXIT);
  }
}

/**
 * Runs a function that writes to an environment. Ends the process if the failure makes the environment unusable.
 * @throws {TronError} STORAGE_FAILED: the write failed
 */
function writing<T>(root: RootDatabase<Buffer, Uint8Array>, path: string, write: () => T): T {
  try {
    return write();
  } catch (cause) {
    endIfUnusable(root, path, cause);
    const text = `cannot write to ${path}: ${errorText(cause)}; nothing was stored; check the disk`;
    throw new TronError('STORAGE_FAILED', text, { cause });
  }
}

/**
 * Opens the LMDB environment in a folder. Commits are synchronous and flushed. LMDB's option `overlappingSync` would
 * return before the data is on disk, and its errors could become unhandled rejections.
 * @throws {TronError} DAMAGED_DATA: `readOnly` is set and the file is not a valid database
 * @throws {Error} `readOnly` is not set, and an existing file is not writable
 */
export function openEnvironment(path: string, options: { readonly readOnly: boolean }): Environment {
  const file = join(path, 'data.mdb');
  if (!options.readOnly) requireWritable([path, file, join(path, 'lock.mdb')]);
  const isNew = !options.readOnly && (!existsSync(file) || isUnwritten(file));
  if (isNew) rmSync(file, { force: true });
  const firstNew = options.readOnly ? undefined : mkdirSync(path, { recursive: true });
  if (options.readOnly) requireMade(path);
  const root = openRoot(path, options.readOnly);
  // LMDB flushes the content of its file, but not the entry of a new file in its folder.
  if (isNew) flushFolders(path, firstNew);
  const reading: Reading = { transaction: undefined };
  let timer: NodeJS.Timeout | undefined;
  const release = (): void => {
    clearTimeout(timer);
    reading.transaction?.done();
    reading.transaction = undefined;
  };
  const hold = (): void => {
    release();
    try {
      root.resetReadTxn();
      reading.transaction = root.useReadTransaction();
    } catch (cause) {
      throw readFailed(path, cause);
    }
    timer = setTimeout(release, HELD_MS_MAX).unref();
  };
  return {
    path,
    root,
    table: (name) => {
      const openTable = () => root.openDB(name, { encoding: 'binary', keyEncoding: 'binary' });
      // The first open of a table writes to the file.
      return new BytesTable(path, options.readOnly ? openTable() : writing(root, path, openTable), reading);
    },
    commit: (write) => {
      writing(root, path, () =>
        root.transactionSync(() => {
          write();
        }),
      );
    },
    refresh: () => {
      if (reading.transaction === undefined) root.resetReadTxn();
      else hold();
    },
    holdSnapshot: hold,
    get holdsSnapshot() {
      return reading.transaction !== undefined;
    },
    close: () => {
      release();
      return root.close();
    },
  };
}
