import type { Logger } from 'pino';
import type { BlockSums } from '../../codec/block-parts.js';
import type { FolderLock } from '../../files/folder-lock.js';
import type { BlockLog } from '../../log/block-log.js';
import type { LogMarker } from '../../log/log-marker.js';
import type { Checkpoints } from '../checkpoints/checkpoints.js';
import type { StateDatabase } from '../state/state-database.js';
import type { RowChange, StoreRow } from '../state/state-reader.js';
import type { CheckRecord } from '../verify/check-record.js';

/** Size of uncommitted rows at which a commit starts, in bytes. During the commit, the rows need twice this memory. */
export const BATCH_BYTES_MAX = 64 * 1024 * 1024;

/** Retention of past states: only for unsolidified blocks, for a number of blocks below the head, or for all blocks. */
export type Retention = 'unsolidified' | number | 'all';

export interface Genesis {
  readonly id: Uint8Array;
  readonly blockBytes: Uint8Array;
  readonly rows: Iterable<StoreRow>;
}

export interface LedgerOptions {
  readonly dataDir: string;
  /** Genesis block of a new folder. Not needed to read an existing folder. */
  readonly genesis?: Genesis;
  readonly retention: Retention;
  /** Number of newest blocks whose entries stay in the log. The default is all blocks. */
  readonly logRetention?: number | 'all';
  /**
   * Version of checkpoints. Version 2 writes the rows of each state commit to a checkpoint file before the commit.
   * Reference: storage.checkpoint.version.
   */
  readonly checkpointVersion: 1 | 2;
  readonly log: Logger;
  /**
   * True (default) to check the folder before opening, see `checkFolder`. False is allowed only if this process has
   * already checked the folder.
   */
  readonly check?: boolean;
  /**
   * Read rate of a background check of a large folder, in bytes per second. With `off`, only the meta pages of any
   * folder are checked.
   */
  readonly checkRate?: number | 'off';
  /** Called if the background check finds damage. By default, the process exits with the error. */
  readonly onDamage?: (error: unknown) => void;
}

/** Options of a ledger written by another thread or process. */
export interface ReaderOptions extends LedgerOptions {
  readonly readOnly: true;
  /** True if all reads in one turn of the event loop use one snapshot: the newest commit at the start of the turn. */
  readonly follows?: boolean;
  /** Shared notifier buffer of the writer. Without this buffer, `pages` cannot wait for new entries. */
  readonly notifier?: SharedArrayBuffer;
}

export interface NewBlock {
  readonly number: number;
  readonly id: Uint8Array;
  readonly parentId: Uint8Array;
  readonly bytes: Uint8Array;
  readonly results: Uint8Array;
  readonly transactionIds: readonly Uint8Array[];
  /**
   * Encoded size and total fee limit of the block, stored with the block. If they are missing, a reader computes them
   * from the transactions.
   */
  readonly sums?: BlockSums;
  /** Row changes. The caller must not modify the keys and values, because the ledger uses them until the next flush. */
  readonly changes: Iterable<RowChange>;
  /** All internal transactions of the block, in an encoding that the caller defines. */
  readonly internalTransactions: Uint8Array;
  /**
   * The newest solidified block after this block was applied. Ignored if it is not higher than the current solidified
   * block of the ledger.
   */
  readonly solidified?: BlockRef;
  /** State digest after the block, if the caller knows it. The ledger compares it with the computed digest. */
  readonly digest?: Uint8Array;
  /**
   * Height of the lowest block that can still be the common ancestor of a reorg. The ledger never deletes row changes
   * above this height, even if the configured retention is shorter.
   */
  readonly oldestReachable?: number;
}

/**
 * Retains the log entries above `seq` and their changes for a reader that has processed all entries up to `seq`. If
 * `seq` is undefined, the reader needs no entries, so the ledger may delete them. The implementation is
 * `WriterLedger.retainChanges`, or a message to the thread that owns the ledger.
 */
export type RetainChanges = (reader: string, seq: number | undefined) => void;

export interface BlockRef {
  readonly number: number;
  readonly id: Uint8Array;
}

/** Position of the ledger, including unflushed data. */
export interface Position {
  readonly seq: number;
  readonly headNumber: number;
  readonly headId: Uint8Array;
  readonly digest: Uint8Array;
  readonly solidifiedNumber: number;
  readonly solidifiedId: Uint8Array;
}

/** Retained changes of a block, with rows ascending by (store, key). */
export interface BlockChanges {
  readonly rows: readonly RowChange[];
  readonly internalTransactions: Uint8Array;
}

/** Objects from which a ledger is built. */
export interface LedgerParts {
  readonly blocks: BlockLog;
  readonly state: StateDatabase;
  readonly checkpoints: Checkpoints;
  readonly checks: CheckRecord;
  readonly lock: FolderLock | undefined;
  readonly marker: LogMarker;
}
