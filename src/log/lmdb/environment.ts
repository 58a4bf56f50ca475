import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, open, type PutOptions, type RangeOptions, type RootDatabase, type Transaction } from 'lmdb';
import { TronError } from '../../primitives/errors.js';
import { hasMetaPages } from './lmdb-file.js';

/** Longest key that LMDB stores with its usual page size; asking for a longer one is an error there. */
export const KEY_BYTES_MAX = 1_978;

/** ms that a snapshot is held at most: LMDB cannot use pages again that a reader may still look at. */
const HELD_MS_MAX = 500;

/**
 * The snapshot that reads of an environment are given; undefined: the one that LMDB gives until the turn of the event
 * loop ends.
 */
interface Reading {
  transaction: Transaction | undefined;
}

/** The package's types leave out that these take options, too. */
type ReadableDatabase = Database<Buffer, Uint8Array> & {
  getBinary(key: Uint8Array, options: Reading): Buffer | undefined;
  getBinaryFast(key: Uint8Array, options: Reading): Buffer | undefined;
};

/** An LMDB table with binary keys (byte order) and binary values. */
export class BytesTable {
  private readonly database: ReadableDatabase;
  private readonly reading: Reading;

  constructor(database: Database<Buffer, Uint8Array>, reading: Reading) {
    this.database = database as ReadableDatabase;
    this.reading = reading;
  }

  getBinary(key: Uint8Array): Buffer | undefined {
    return this.database.getBinary(key, this.reading);
  }

  /** A buffer that the next read uses again; only its first `length` bytes are the value. */
  getBinaryFast(key: Uint8Array): Buffer | undefined {
    return this.database.getBinaryFast(key, this.reading);
  }

  /** Keys and values in the order of the keys, from `start` on (included) to `end` (not included). */
  getRange(range: RangeOptions): Iterable<{ readonly key: Uint8Array; readonly value: Buffer }> {
    return this.database.getRange(this.seen(range));
  }

  getKeys(range: RangeOptions): Iterable<Uint8Array> {
    return this.database.getKeys(this.seen(range));
  }

  putSync(key: Uint8Array, value: Uint8Array): void {
    this.database.putSync(key, value as Buffer);
  }

  /** Puts a row behind all others; in another order LMDB refuses it. */
  appendSync(key: Uint8Array, value: Uint8Array): void {
    // The package's types leave this option out; the database takes it as LMDB's MDB_APPEND.
    this.database.putSync(key, value as Buffer, { append: true } as PutOptions);
  }

  removeSync(key: Uint8Array): void {
    this.database.removeSync(key);
  }

  clearSync(): void {
    this.database.clearSync();
  }

  private seen(range: RangeOptions): RangeOptions {
    const { transaction } = this.reading;
    return transaction === undefined ? range : { ...range, transaction };
  }
}

export interface Environment {
  readonly path: string;
  readonly root: RootDatabase<Buffer, Uint8Array>;
  table(name: string): BytesTable;
  /** Runs `write` as one transaction: all of it is on the disk when this returns, or none of it and an error. */
  commit(write: () => void): void;
  /** Lets the next read see what other threads and processes have committed. */
  refresh(): void;
  /**
   * Reads see from here on one snapshot, the newest one, until it is taken again, for 500 ms at most. For a reader who
   * knows when there is something new: LMDB's own snapshots are looked for in each turn of the event loop.
   */
  hold(): void;
  readonly isHeld: boolean;
  close(): Promise<void>;
}

/**
 * A file that its writer has only begun, or that is damaged, must not come to the package: where opening fails behind
 * the file, it frees twice what it had made, and the process ends by a signal or never opens that path again.
 */
function requireMade(path: string): void {
  const file = join(path, 'data.mdb');
  if (!existsSync(file) || hasMetaPages(file)) return;
  throw new TronError('DAMAGED_DATA', `${file} is no database, or not one yet`);
}

/**
 * Opens the LMDB environment in a folder. Commits are synchronous and flushed: `overlappingSync` would answer before
 * the disk has the bytes, and a write outside of `commit` could end in a rejection that nobody awaits.
 * @throws {TronError} DAMAGED_DATA: the file that is to be read is no database
 */
export function openEnvironment(path: string, options: { readonly readOnly: boolean }): Environment {
  if (options.readOnly) requireMade(path);
  else mkdirSync(path, { recursive: true });
  const root: RootDatabase<Buffer, Uint8Array> = open({
    path,
    noSubdir: false,
    encoding: 'binary',
    keyEncoding: 'binary',
    overlappingSync: false,
    readOnly: options.readOnly,
    maxDbs: 32,
  });
  const reading: Reading = { transaction: undefined };
  let timer: NodeJS.Timeout | undefined;
  const release = (): void => {
    clearTimeout(timer);
    reading.transaction?.done();
    reading.transaction = undefined;
  };
  const hold = (): void => {
    release();
    root.resetReadTxn();
    reading.transaction = root.useReadTransaction();
    timer = setTimeout(release, HELD_MS_MAX).unref();
  };
  return {
    path,
    root,
    table: (name) => new BytesTable(root.openDB(name, { encoding: 'binary', keyEncoding: 'binary' }), reading),
    commit: (write) => {
      try {
        root.transactionSync(() => {
          write();
        });
      } catch (cause) {
        const reason = cause instanceof Error ? cause.message : String(cause);
        throw new TronError('STORAGE_FAILED', `cannot write to ${path}: ${reason}; nothing of it was stored`, {
          cause,
        });
      }
    },
    refresh: () => {
      if (reading.transaction === undefined) root.resetReadTxn();
      else hold();
    },
    hold,
    get isHeld() {
      return reading.transaction !== undefined;
    },
    close: () => {
      release();
      return root.close();
    },
  };
}
