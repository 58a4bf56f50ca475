import type { AppliedEntry, LogEntry, RevertedEntry } from '../../log/log-entry.js';
import type { Batch } from '../../log/stream/in-batches.js';
import { TronError } from '../../primitives/errors.js';
import type { Ledger } from '../ledger/ledger.js';
import { FoldedBlocks } from './folded-blocks.js';
import { projectedBlock } from './projected-block.js';
import type { Projection } from './projection.js';
import type { ProjectionWrite } from './projection-database.js';

/** Maximum number of entries per commit. */
const BATCH_ENTRIES_MAX = 200;
/** Number of rows after which a batch is committed. 20,000 rows take about 6 MB of memory. A block is never split. */
const BATCH_ROWS = 20_000;

/**
 * The changes that several log entries make to projections with the same position, for one commit. Each block is
 * decoded once for all of them. A projection whose `apply` throws takes no further entries; the others continue.
 */
export class FoldedEntries implements Batch<LogEntry> {
  /** Seq of the newest entry. */
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

  /** Folds the next entry. @throws {TronError} LOG_HOLE */
  add(entry: LogEntry): void {
    const { ledger } = this;
    if (entry.seq !== ledger.seqAfter(this.seq))
      throw new TronError('LOG_HOLE', `projections: received entry ${entry.seq} after ${this.seq}`);
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
        this.folded.delete(projection);
        this.failures.set(projection, error);
      }
    }
  }

  private revertedBlock({ seq, id }: RevertedEntry): AppliedEntry {
    const block = this.ledger.entryOfId(id);
    if (block !== undefined) return block;
    throw new TronError('LOG_HOLE', `entry ${seq} reverts a block that is not in the log`);
  }
}
