import type { Logger } from 'pino';
import type { FolderLock } from '../../files/folder-lock.js';
import type { BlockLog } from '../../log/block-log.js';
import type { LogMarker } from '../../log/log-marker.js';
import type { StateDatabase } from '../state/state-database.js';
import type { RowChange, StoreRow } from '../state/state-reader.js';
import type { CheckRecord } from '../verify/check-record.js';
import type { Checkpoints } from './checkpoint.js';

/** Bytes of rows after which what waits is written: a commit of more holds as much memory again. */
export const BATCH_BYTES_MAX = 64 * 1024 * 1024;

/** How far back the state can be asked for: the unsolidified window, that many blocks, or everything. */
export type Retention = 'unsolidified' | number | 'all';

export interface Genesis {
  readonly id: Uint8Array;
  readonly blockBytes: Uint8Array;
  readonly rows: Iterable<StoreRow>;
}

export interface LedgerOptions {
  readonly dataDir: string;
  /** May be left out for an existing folder that is only read. */
  readonly genesis?: Genesis;
  readonly retention: Retention;
  /** Blocks whose entries stay in the log; all by default. */
  readonly logRetention?: number | 'all';
  /** 2 writes a redo batch before each state commit. Reference: storage.checkpoint.version. */
  readonly checkpointVersion: 1 | 2;
  readonly log: Logger;
  /** Read everything before opening (default). Only a folder that this process has just checked may go without. */
  readonly check?: boolean;
  /** Bytes per second of a check beside the running node; `off`: no folder is read whole. */
  readonly checkRate?: number | 'off';
  /** Damage found by a check that goes on beside the running node; by default the process ends with its message. */
  readonly onDamage?: (error: unknown) => void;
}

/** Of a ledger that another thread or process writes. */
export interface ReaderOptions extends LedgerOptions {
  readonly readOnly: true;
  /** All that is asked in one turn of the event loop is answered from the newest commit. */
  readonly follows?: boolean;
  /** The `bell` of the writer's ledger, so that `entries` can wait. */
  readonly bell?: SharedArrayBuffer;
}

export interface NewBlock {
  readonly number: number;
  readonly id: Uint8Array;
  readonly parentId: Uint8Array;
  readonly bytes: Uint8Array;
  readonly results: Uint8Array;
  readonly transactionIds: readonly Uint8Array[];
  /** Key and values are kept until the next flush: they must not be changed any more. */
  readonly changes: Iterable<RowChange>;
  /** All internal transactions, in whatever form the caller reads them again. */
  readonly internalTransactions: Uint8Array;
  /** The newest irreversible block after this one; numbers that do not rise are passed over. */
  readonly solidified?: BlockRef;
  /** State digest after it, where somebody else has found it already. */
  readonly digest?: Uint8Array;
  /** Lowest block that a switch can still reach; changes above it stay, whatever the retention. */
  readonly oldestReachable?: number;
}

/**
 * Keeps entries above `seq`, and their changes, on the disk for a reader that has come so far; `undefined` ends it
 * (`WriterLedger.holdChanges`, or a message to who has it).
 */
export type HoldChanges = (reader: string, seq: number | undefined) => void;

export interface BlockRef {
  readonly number: number;
  readonly id: Uint8Array;
}

/** Where the ledger stands, with what waits for the next flush. */
export interface Position {
  readonly seq: number;
  readonly headNumber: number;
  readonly headId: Uint8Array;
  readonly digest: Uint8Array;
  readonly solidifiedNumber: number;
  readonly solidifiedId: Uint8Array;
}

/** Changes of a block as kept: rows ascending by (store, key). */
export interface BlockChanges {
  readonly rows: readonly RowChange[];
  readonly internalTransactions: Uint8Array;
}

/** What a ledger is made of. */
export interface LedgerParts {
  readonly blocks: BlockLog;
  readonly state: StateDatabase;
  readonly checkpoints: Checkpoints;
  readonly checks: CheckRecord;
  readonly lock: FolderLock | undefined;
  readonly marker: LogMarker;
}
