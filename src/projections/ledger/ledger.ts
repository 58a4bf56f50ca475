import type { BlockLog } from '../../log/block-log.js';
import type { AppliedEntry, BaseEntry, LogEntry } from '../../log/log-entry.js';
import type { LogRecord } from '../../log/log-record.js';
import { LogNotifier } from '../../log/stream/log-notifier.js';
import { type LogPage, type LogRange, logPages } from '../../log/stream/log-pages.js';
import { present } from '../../primitives/assert.js';
import { UsageError } from '../../primitives/errors.js';
import { ChangeSet } from '../state/change-set.js';
import { PendingState } from '../state/pending-state.js';
import { type ProjectionSum, projectionSums } from '../state/projection-sums.js';
import type { StateReader } from '../state/state-reader.js';
import { KnownBlocks, type TransactionLocation } from './known-blocks.js';
import { heightUnknown, readPosition, stateNotRetained } from './ledger-facts.js';
import type { BlockChanges, LedgerOptions, LedgerParts, Position, ReaderOptions, Retention } from './ledger-types.js';
import { RetainedHistory } from './retained-history.js';

export type {
  BlockChanges,
  BlockRef,
  Genesis,
  LedgerOptions,
  NewBlock,
  Position,
  ReaderOptions,
  RetainChanges,
  Retention,
} from './ledger-types.js';

/** Position of the stored state, with the row count and checksum of each projection. */
interface StateSums {
  readonly seq: number;
  readonly number: number;
  readonly projections: readonly ProjectionSum[];
}

/**
 * Read access to the block log and the state. The writer uses a `WriterLedger`, which also returns unflushed data.
 * Other threads and processes use a `ReaderLedger`.
 */
export abstract class Ledger {
  /** State after the newest block. */
  readonly head: StateReader;
  protected readonly parts: LedgerParts;
  protected readonly blocks: BlockLog;
  protected readonly pending: PendingState;
  protected readonly notifier: LogNotifier;
  protected readonly known: KnownBlocks;
  protected history: RetainedHistory;
  protected current: Position;
  protected flushedSeq: number;
  private readonly retention: Retention;
  private readonly isWriter: boolean;

  constructor({ dataDir, retention, ...options }: LedgerOptions | ReaderOptions, parts: LedgerParts) {
    const { blocks, state } = parts;
    this.parts = parts;
    this.blocks = blocks;
    this.retention = retention;
    this.isWriter = !('readOnly' in options);
    this.known = new KnownBlocks(blocks);
    this.pending = new PendingState(state);
    this.head = this.pending;
    this.notifier = new LogNotifier('notifier' in options ? options.notifier : undefined);
    const cursor = state.cursor();
    if (cursor === undefined)
      throw new UsageError(`${dataDir} contains a log but no state; start the node once, which builds the state`);
    this.flushedSeq = cursor.seq;
    this.current = readPosition(blocks, cursor);
    this.history = this.openHistory();
  }

  get position(): Position {
    return this.current;
  }

  /** Seq of the newest committed entry. {@link pages} returns entries up to this seq. */
  get storedSeq(): number {
    return this.blocks.committedSeq;
  }

  /** Seq of the newest entry included in the stored state. */
  get stateSeq(): number {
    return this.flushedSeq;
  }

  /** Returns the position of the stored state, and the row count and checksum of each projection at this position. */
  stateSums(): StateSums {
    const { seq, number, totals } = present(this.parts.state.cursor(), 'a ledger has a state');
    return { seq, number, projections: projectionSums(totals) };
  }

  /** Lowest height whose state {@link at} can return. */
  get keptHeight(): number {
    return this.history.height;
  }

  /** True if the folder has the `history` table: the last writer had the retention `all` or a number of blocks. */
  get hasHistory(): boolean {
    return this.history.hasTable();
  }

  /** Entry 0 of a log that `tronicle bootstrap` created; undefined for a log whose entry 0 is genesis. */
  get base(): BaseEntry | undefined {
    return this.blocks.start.base;
  }

  /**
   * Height of the base (the imported state) or of the newest pruned block. The log contains the blocks above this
   * height, and genesis.
   */
  get startNumber(): number {
    return this.blocks.start.number;
  }

  /** Returns the first seq above `seq` that {@link pages} returns. Pruned entries are skipped. */
  seqAfter(seq: number): number {
    return this.blocks.start.after(seq);
  }

  /** Shared buffer for readers in other threads. Each flush of this ledger notifies the `pages` of these readers. */
  get notifierBuffer(): SharedArrayBuffer {
    return this.notifier.counter.buffer as SharedArrayBuffer;
  }

  /** Returns the state after the newest solidified block. */
  solidified(): StateReader {
    const { solidifiedNumber, headNumber } = this.position;
    // If the solidified block is below the start of the log, returns the state at the start of the log. java-tron
    // does the same after a start.
    return this.at(Math.max(Math.min(solidifiedNumber, headNumber), this.base?.number ?? 0));
  }

  /**
   * Returns the state after a canonical block. The view is valid until the next append, revert or refresh.
   * @throws {TronError} HISTORY_NOT_KEPT: the height is below the retained heights; HEIGHT_UNKNOWN: the height is above
   * the head or not a valid height
   */
  at(height: number): StateReader {
    const { headNumber } = this.position;
    if (height === headNumber) return this.head;
    if (!Number.isInteger(height) || height < 0 || height > headNumber) {
      throw heightUnknown(height, headNumber);
    }
    if (height < this.keptHeight) throw stateNotRetained(height, this.keptHeight, this.startNumber);
    return this.history.view(height, this.head);
  }

  /**
   * Returns the `applied` entry of the canonical block at a height; undefined if the log does not contain the block.
   */
  block(number: number): AppliedEntry | undefined {
    return this.blocks.index.block(number);
  }

  /** Returns the id of the canonical block at a height; undefined if the id is unknown. */
  blockIdAt(number: number): Uint8Array | undefined {
    return this.known.idAt(this.current.seq, number);
  }

  /**
   * Returns the id of the newest canonical block whose height has these low 16 bits. For a block below the start of the
   * log, only the first 16 bytes of the id may be known.
   */
  recentBlockId(low: number): Uint8Array | undefined {
    const { headNumber } = this.current;
    return this.blocks.index.recentIdAt(headNumber - ((headNumber - low) & 0xffff));
  }

  /**
   * Returns the height of a canonical block; undefined if the id is unknown or the content of the block is not stored.
   */
  numberOf(id: Uint8Array): number | undefined {
    return this.known.numberOf(id);
  }

  /**
   * Returns the newest `applied` entry of a block id; undefined if no entry is stored. The block may be canonical or
   * reverted.
   */
  entryOfId(id: Uint8Array): AppliedEntry | undefined {
    return this.known.entryOfId(id);
  }

  /**
   * Returns the position of a transaction in the canonical chain; undefined if the id is unknown or the content of its
   * block is not stored.
   */
  transactionAt(id: Uint8Array): TransactionLocation | undefined {
    return this.known.transactionAt(id);
  }

  /** Returns true if a transaction is in the canonical chain, even if the content of its block is not stored. */
  hasTransaction(id: Uint8Array): boolean {
    return this.blocks.index.hasTransaction(id);
  }

  /**
   * Returns an entry.
   * @throws {RangeError} the log has no entry with this seq; other errors of `BlockLog.entry` for a pruned or damaged
   * entry
   */
  entry(seq: number): LogEntry {
    return this.blocks.entry(seq);
  }

  /** Returns true if the log contains a committed entry with this seq; false if the entry is pruned. */
  hasEntry(seq: number): boolean {
    return seq <= this.storedSeq && (seq === 0 || seq >= this.seqAfter(0));
  }

  /**
   * Returns a stored entry, and its `changes` record if that record is retained. Replicas receive entries in this form.
   */
  record(seq: number): LogRecord {
    return { entry: this.blocks.bytesOf(seq), changes: this.blocks.changes(seq) };
  }

  /** Hash of the newest entry. The entry may be unflushed. */
  get newestHash(): Uint8Array {
    return this.blocks.newestHash;
  }

  noted(name: string): Uint8Array | undefined {
    return this.blocks.facts.get(name);
  }

  /** Returns the row changes of an `applied` entry; undefined if the changes are not retained. */
  changes(seq: number): BlockChanges | undefined {
    const bytes = this.blocks.changes(seq);
    if (bytes === undefined) return undefined;
    const changes = new ChangeSet(bytes);
    return { rows: [...changes.rows()], internalTransactions: changes.internalTransactions };
  }

  /** Streams the committed entries from a seq on, then each new entry after its commit. See `logPages`. */
  pages(range: LogRange): AsyncGenerator<LogPage> {
    return logPages(this.blocks, this.notifier, range);
  }

  async close(): Promise<void> {
    this.notifier.close();
    await this.parts.state.close();
    await this.parts.blocks.close();
    this.parts.marker.close();
    this.parts.lock?.close();
  }

  protected openHistory(): RetainedHistory {
    const { blocks, retention, isWriter } = this;
    return new RetainedHistory({ blocks, retention, isWriter }, this.current);
  }
}
