import { readSeq, seqKey } from '../../log/block-key.js';
import type { BlockLog } from '../../log/block-log.js';
import type { LogEntry } from '../../log/log-entry.js';
import { ChangeSet, type KeyedChange } from '../state/change-set.js';
import type { StateReader } from '../state/state-reader.js';
import { History } from './history.js';
import { RETAINED } from './ledger-facts.js';
import type { Position, Retention } from './ledger-types.js';

interface RetainedHistoryOptions {
  readonly blocks: BlockLog;
  readonly retention: Retention;
  readonly isWriter: boolean;
}

/**
 * Number of blocks below the solidified block whose changes are retained, because a reorg may revert the solidified
 * block.
 */
const KEPT_BELOW_SOLIDIFIED = 3;
/**
 * Maximum number of heights whose history is in memory. If solidification stalls, older heights are read from the
 * table.
 */
const HEIGHTS_IN_MEMORY_MAX = 1024;
/**
 * Maximum number of new log entries that a read-only ledger adds to its open history one by one. If there are more,
 * the ledger opens the history again.
 */
const ENTRIES_FOLLOWED_MAX = 64;
/** Maximum number of blocks whose changes one commit deletes, to limit the duration of the commit. */
const DELETED_MAX = 1000;
/** Name of a fact in the log database. The fact exists if the history table is complete. */
const INDEXED = 'indexed';

/** Manages the retention of `changes` records, and the {@link History} that reads them. */
export class RetainedHistory {
  private readonly blocks: BlockLog;
  private readonly retention: Retention;
  private readonly keepsTable: boolean;
  private history: History;
  private lowestRetained: number;
  private oldestReachable = Number.POSITIVE_INFINITY;

  constructor({ blocks, retention, isWriter }: RetainedHistoryOptions, position: Position) {
    this.blocks = blocks;
    this.retention = retention;
    this.keepsTable = retention !== 'unsolidified';
    this.lowestRetained = this.readLowestRetained();
    this.history = new History(blocks, this.lowestRetained);
    this.fill(position);
    if (isWriter && this.hasTable() !== this.keepsTable) this.switchTable(position);
  }

  /** Lowest height whose state can be read. */
  get height(): number {
    return this.lowestRetained;
  }

  view(height: number, head: StateReader): StateReader {
    return this.history.view(height, head);
  }

  /** Returns the changes of an entry. @throws {TronError} HISTORY_NOT_KEPT: the changes are not retained */
  changesOf(seq: number): ChangeSet {
    return this.history.changesOf(seq);
  }

  add(number: number, seq: number, rows: readonly KeyedChange[], oldestReachable: number | undefined): void {
    this.history.add(number, seq, rows);
    if (this.keepsTable) History.index(this.blocks, number, seq, rows);
    if (oldestReachable !== undefined) this.oldestReachable = oldestReachable;
  }

  remove(number: number, seq: number, rows: readonly KeyedChange[]): void {
    if (this.keepsTable) History.unindex(this.blocks, number, seq, rows);
    this.history.remove(number);
  }

  /** Returns true if adding `entries` new entries one by one is faster than opening the history again. */
  isNear(entries: number): boolean {
    return entries <= ENTRIES_FOLLOWED_MAX;
  }

  /**
   * Adds the entries that the writer appended. Only readers call this method.
   * @returns true if the history is up to date. False if the caller must open it again, because a block was reverted,
   * or because the changes of a new block were already deleted; the history is then unchanged
   */
  follow(entries: readonly LogEntry[], position: Position): boolean {
    const retained = this.readLowestRetained();
    if (entries.some(({ kind, number }) => kind === 'reverted' || number <= retained)) return false;
    this.lowestRetained = retained;
    for (const { kind, seq, number } of entries) {
      if (kind === 'applied') this.history.add(number, seq, this.history.changesOf(seq).rows());
    }
    this.trim(position);
    return true;
  }

  /** Releases memory after a flush. Removes heights that are in the table or that no read needs any longer. */
  trim({ solidifiedNumber, headNumber }: Position): void {
    const inMemory = Math.max(Math.min(solidifiedNumber, headNumber), headNumber - HEIGHTS_IN_MEMORY_MAX);
    this.history.trim(this.keepsTable ? inMemory : this.lowestRetained);
  }

  /**
   * Deletes old `changes` records. Never deletes records after the last state commit, because the recovery of the
   * state may need them.
   * @param flushedSeq newest entry that the committed state includes
   * @param passedSeq newest entry that all readers have processed; later records are retained, regardless of the
   * configured retention
   */
  forget({ headNumber, solidifiedNumber }: Position, flushedSeq: number, passedSeq: number): void {
    const { retention } = this;
    if (retention === 'all') return;
    const needed = Math.min(solidifiedNumber - KEPT_BELOW_SOLIDIFIED, this.oldestReachable, headNumber);
    let lowest = retention === 'unsolidified' ? needed : Math.min(needed, headNumber - retention);
    // During a sync, all blocks of a batch are newer than the last state commit. Their changes can be deleted only
    // after the next commit.
    while (lowest > this.lowestRetained && (this.blocks.index.heightRow(lowest)?.seq ?? 0) > flushedSeq) lowest--;
    lowest = Math.min(lowest, this.lowestRetained + DELETED_MAX);
    if (lowest <= this.lowestRetained) return;
    const limit = this.blocks.index.heightRow(lowest)?.seq;
    if (limit === undefined) return;
    const last = Math.min(limit, passedSeq);
    for (const seq of this.blocks.changesFrom(1)) {
      if (seq > last) break;
      this.unindexDeleted(seq);
      this.blocks.deleteChanges(seq);
    }
    this.lowestRetained = lowest;
    this.blocks.facts.set(RETAINED, seqKey(lowest));
  }

  private unindexDeleted(seq: number): void {
    if (!this.keepsTable) return;
    const { number } = this.blocks.entry(seq);
    History.unindex(this.blocks, number, seq, new ChangeSet(this.blocks.changes(seq) as Buffer).rows());
  }

  /** Adds to memory the changes that the history table does not contain. */
  private fill({ headNumber, solidifiedNumber }: Position): void {
    if (this.hasTable()) this.history.trim(Math.max(this.lowestRetained, Math.min(solidifiedNumber, headNumber)));
    for (let number = this.history.floor + 1; number <= headNumber; number++) {
      const seq = (this.blocks.index.heightRow(number) as { seq: number }).seq;
      this.history.add(number, seq, this.history.changesOf(seq).rows());
    }
  }

  /** Fills the history table if the configured retention needs this table; otherwise clears the table. */
  private switchTable(position: Position): void {
    const { headNumber } = position;
    if (this.keepsTable) {
      for (let number = this.lowestRetained + 1; number <= headNumber; number++) {
        const seq = (this.blocks.index.heightRow(number) as { seq: number }).seq;
        History.index(this.blocks, number, seq, this.history.changesOf(seq).rows());
      }
      this.indexReadersChanges();
      this.blocks.facts.set(INDEXED, seqKey(headNumber));
      this.blocks.commitTables();
      return;
    }
    this.history = new History(this.blocks, this.lowestRetained);
    this.blocks.facts.set(INDEXED, undefined);
    this.blocks.clearHistory();
    this.fill(position);
  }

  /**
   * Adds rows to the table for changes that are stored only because a slow reader still needs them. The states at
   * their heights can no longer be read. The table must contain all stored changes, because `forget` deletes rows of
   * the table together with their changes.
   */
  private indexReadersChanges(): void {
    for (let number = this.lowestRetained; number > 0; number--) {
      const seq = this.blocks.index.heightRow(number)?.seq;
      if (seq === undefined || this.blocks.changes(seq) === undefined) return;
      History.index(this.blocks, number, seq, this.history.changesOf(seq).rows());
    }
  }

  private readLowestRetained(): number {
    const row = this.blocks.facts.get(RETAINED);
    return row ? readSeq(row) : 0;
  }

  /** Returns true if the folder has the table of past row values, which past states are read from. */
  hasTable(): boolean {
    return this.blocks.facts.get(INDEXED) !== undefined;
  }
}
