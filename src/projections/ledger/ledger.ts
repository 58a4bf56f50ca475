import type { BlockLog } from '../../log/block-log.js';
import { type EntryStreamOptions, LogNotifier, streamEntries } from '../../log/entry-stream.js';
import type { AppliedEntry, BaseEntry, LogEntry } from '../../log/log-entry.js';
import type { LogRecord } from '../../log/log-record.js';
import { UsageError } from '../../primitives/errors.js';
import { ChangeSet } from '../state/change-set.js';
import { PendingState } from '../state/pending-state.js';
import type { StateReader } from '../state/state-reader.js';
import { RetainedHistory } from './kept-history.js';
import { KnownBlocks, type TransactionLocation } from './known-blocks.js';
import { heightUnknown, readPosition, stateNotRetained } from './ledger-facts.js';
import type { BlockChanges, LedgerOptions, LedgerParts, Position, ReaderOptions, Retention } from './ledger-types.js';

export type {
  BlockChanges,
  BlockRef,
  Genesis,
  HoldChanges,
  LedgerOptions,
  NewBlock,
  Position,
  ReaderOptions,
  Retention,
} from './ledger-types.js';

/**
 * The block log and the state that follows from it, as everybody reads them. Who writes has a `WriterLedger`, and sees
 * what it appended, flushed or not; another thread or process a `ReaderLedger`.
 */
export abstract class Ledger {
  /** State after the newest block. */
  readonly head: StateReader;
  protected readonly parts: LedgerParts;
  protected readonly blocks: BlockLog;
  protected readonly pending: PendingState;
  protected readonly bell: LogNotifier;
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
    this.bell = new LogNotifier('bell' in options ? options.bell : undefined);
    const cursor = state.cursor();
    if (cursor === undefined) throw new UsageError(`${dataDir} holds no state yet`);
    this.flushedSeq = cursor.seq;
    this.current = readPosition(blocks, cursor);
    this.history = this.openHistory();
  }

  get position(): Position {
    return this.current;
  }

  /** Seq of the newest entry that is on the disk, and so the last one that {@link entries} gives now. */
  get storedSeq(): number {
    return this.blocks.committedSeq;
  }

  /** Seq of the newest entry whose effects the stored state holds. */
  get stateSeq(): number {
    return this.flushedSeq;
  }

  /** Lowest height that {@link at} answers. */
  get keptHeight(): number {
    return this.history.height;
  }

  /** Entry 0 of a log that begins at a height and not at genesis. */
  get base(): BaseEntry | undefined {
    return this.blocks.begin.base;
  }

  /**
   * The log holds the blocks above this height, and genesis: that of the base, or of the newest block that has left.
   */
  get beginNumber(): number {
    return this.blocks.begin.number;
  }

  /** Seq of the entry that comes behind another one in {@link entries}. */
  seqAfter(seq: number): number {
    return this.blocks.begin.after(seq);
  }

  /** Share it with reading threads: their `entries` wake when this ledger flushes. */
  get bellBuffer(): SharedArrayBuffer {
    return this.bell.counter.buffer as SharedArrayBuffer;
  }

  /** State after the newest irreversible block. */
  solidified(): StateReader {
    const { solidifiedNumber, headNumber } = this.position;
    // A log that begins at a height knows no older state, as the reference after a start.
    return this.at(Math.max(Math.min(solidifiedNumber, headNumber), this.base?.number ?? 0));
  }

  /**
   * State after the block of a canonical height. The view is good until the next append, revert or refresh.
   * @throws {TronError} HISTORY_NOT_KEPT below the kept height, HEIGHT_UNKNOWN above the head.
   */
  at(height: number): StateReader {
    const { headNumber } = this.position;
    if (height === headNumber) return this.head;
    if (!Number.isInteger(height) || height < 0 || height > headNumber) {
      throw heightUnknown(height, headNumber);
    }
    if (height < this.keptHeight) throw stateNotRetained(height, this.keptHeight, this.beginNumber);
    return this.history.view(height, this.head);
  }

  /** The `applied` entry of a canonical height. */
  block(number: number): AppliedEntry | undefined {
    return this.blocks.index.block(number);
  }

  /** Id of the canonical block of a height. */
  blockIdAt(number: number): Uint8Array | undefined {
    return this.known.idAt(this.current.seq, number);
  }

  /**
   * Id of the newest canonical block whose height ends in these 16 bits; of one below a base at least its first 16
   * bytes.
   */
  recentBlockId(low: number): Uint8Array | undefined {
    const { headNumber } = this.current;
    return this.blocks.index.recentIdAt(headNumber - ((headNumber - low) & 0xffff));
  }

  /** Height of a canonical block. */
  numberOf(id: Uint8Array): number | undefined {
    return this.known.numberOf(id);
  }

  /** The newest `applied` entry of a block id, canonical or taken back. */
  entryOfId(id: Uint8Array): AppliedEntry | undefined {
    return this.known.entryOfId(id);
  }

  /** Place of a transaction in the canonical chain. */
  transactionAt(id: Uint8Array): TransactionLocation | undefined {
    return this.known.transactionAt(id);
  }

  /** Whether the canonical chain holds a transaction, also in a block of which only that is known. */
  hasTransaction(id: Uint8Array): boolean {
    return this.blocks.index.hasTransaction(id);
  }

  /** @throws {RangeError} when there is no such entry. */
  entry(seq: number): LogEntry {
    return this.blocks.entry(seq);
  }

  /** An entry as it is stored, with the `changes` record beside it where that is kept: what replicas take. */
  record(seq: number): LogRecord {
    return { entry: this.blocks.bytesOf(seq), changes: this.blocks.changes(seq) };
  }

  /** Hash of the newest entry, with what waits. */
  get newestHash(): Uint8Array {
    return this.blocks.newestHash;
  }

  noted(name: string): Uint8Array | undefined {
    return this.blocks.facts.get(name);
  }

  /** What the block of an `applied` entry changed; `undefined` when it is no longer kept. */
  changes(seq: number): BlockChanges | undefined {
    const bytes = this.blocks.changes(seq);
    if (bytes === undefined) return undefined;
    const changes = new ChangeSet(bytes);
    return { rows: [...changes.rows()], internalTransactions: changes.internalTransactions };
  }

  /** Entries on the disk from a seq on, then those that come, see `streamEntries`. */
  entries(options: EntryStreamOptions): AsyncIterable<LogEntry> {
    return streamEntries(this.blocks, this.bell, options);
  }

  async close(): Promise<void> {
    this.bell.close();
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
