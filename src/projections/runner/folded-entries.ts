import { logHole } from '../../log/log-damage.js';
import type { AppliedEntry, LogEntry, RevertedEntry } from '../../log/log-entry.js';
import type { Batch } from '../../log/stream/in-batches.js';
import { isStorageError } from '../../primitives/errors.js';
import type { Ledger } from '../ledger/ledger.js';
import { FoldedBlocks } from './folded-blocks.js';
import { projectedBlock } from './projected-block.js';
import type { Projection } from './projection.js';
import type { ProjectionWrite } from './projection-database.js';

/** Maximum number of entries per commit. */
const BATCH_ENTRIES_MAX = 200;
/**
 * Number of rows at which a batch is committed. 20,000 rows take about 6 MB of memory. The rows of one block are
 * always in the same batch, so a batch can have more rows.
 */
const BATCH_ROWS = 20_000;

/**
 * A batch: the changes of several log entries to all projections at the same position. Each block is decoded once for
 * all projections. If `apply` of a projection throws, this projection receives no further entries. The other
 * projections continue.
 */
export class FoldedEntries implements Batch<LogEntry> {
  /** Seq of the newest entry in the batch. */
  seq: number;
  /** Errors of the projections that failed in this batch. */
  readonly failures = new Map<Projection, unknown>();
  private readonly ledger: Ledger;
  private readonly folded: Map<Projection, FoldedBlocks>;
  private entries = 0;
  private rows = 0;

  /** Starts a batch. @param after seq of the newest entry that is already part of the projections */
  constructor(ledger: Ledger, projections: Iterable<Projection>, after: number) {
    this.ledger = ledger;
    this.folded = new Map([...projections].map((projection) => [projection, new FoldedBlocks(projection)]));
    this.seq = after;
  }

  get isFull(): boolean {
    return this.entries >= BATCH_ENTRIES_MAX || this.rows >= BATCH_ROWS;
  }

  /**
   * Adds the next entry.
   * @throws {TronError} LOG_HOLE: the entry does not follow the previous one; STORAGE_FAILED: the log cannot be read
   */
  add(entry: LogEntry): void {
    const { ledger } = this;
    if (entry.seq !== ledger.seqAfter(this.seq))
      throw logHole(`the projections received log entry ${entry.seq} directly after entry ${this.seq}`);
    this.seq = entry.seq;
    this.entries++;
    if (entry.kind === 'applied') this.fold(entry, true);
    else if (entry.kind === 'reverted') this.fold(this.revertedBlock(entry), false);
  }

  /** Returns the rows to write, by projection. */
  writes(): ReadonlyMap<Projection, ProjectionWrite> {
    return new Map([...this.folded].map(([projection, blocks]) => [projection, blocks.writes()]));
  }

  private fold(entry: AppliedEntry, isAdded: boolean): void {
    const block = projectedBlock(this.ledger, entry);
    for (const [projection, blocks] of this.folded) {
      try {
        this.rows += blocks.fold(block, isAdded);
      } catch (error) {
        // The projection is correct, and the runner repeats the batch.
        if (isStorageError(error)) throw error;
        this.folded.delete(projection);
        this.failures.set(projection, error);
      }
    }
  }

  private revertedBlock({ seq, id }: RevertedEntry): AppliedEntry {
    const block = this.ledger.entryOfId(id);
    if (block !== undefined) return block;
    throw logHole(`entry ${seq} reverts a block that is not in the log`);
  }
}
