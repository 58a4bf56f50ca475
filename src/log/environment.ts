import { mkdirSync } from 'node:fs';
import { type Database, open, type RootDatabase } from 'lmdb';
import { TronError } from './domain/errors.js';

/** Longest key that LMDB stores with its usual page size; asking for a longer one is an error there. */
export const KEY_BYTES_MAX = 1_978;

/** An LMDB table with binary keys (byte order) and binary values. */
export type BytesTable = Database<Buffer, Uint8Array>;

export interface Environment {
  readonly path: string;
  readonly root: RootDatabase<Buffer, Uint8Array>;
  table(name: string): BytesTable;
  /** Runs `write` as one transaction: all of it is on the disk when this returns, or none of it and an error. */
  commit(write: () => void): void;
  /** Lets the next read see what other threads and processes have committed. */
  refresh(): void;
  close(): Promise<void>;
}

/**
 * Opens the LMDB environment in a folder. Commits are synchronous and flushed: `overlappingSync` would answer before the disk has the
 * bytes, and a write outside of `commit` could end in a rejection that nobody awaits.
 */
export function openEnvironment(path: string, options: { readonly readOnly: boolean }): Environment {
  if (!options.readOnly) mkdirSync(path, { recursive: true });
  const root: RootDatabase<Buffer, Uint8Array> = open({
    path,
    noSubdir: false,
    encoding: 'binary',
    keyEncoding: 'binary',
    overlappingSync: false,
    readOnly: options.readOnly,
    maxDbs: 32,
  });
  return {
    path,
    root,
    table: (name) => root.openDB<Buffer, Uint8Array>(name, { encoding: 'binary', keyEncoding: 'binary' }),
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
    refresh: () => root.resetReadTxn(),
    close: () => root.close(),
  };
}
