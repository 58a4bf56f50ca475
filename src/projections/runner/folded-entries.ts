import type { AppliedEntry, LogEntry, RevertedEntry } from '../../log/log-entry.js';
import type { Batch } from '../../log/stream/in-batches.js';
import { TronError } from '../../primitives/errors.js';
import type { Ledger } from '../ledger/ledger.js';
import type { StateRow } from '../state/state-reader.js';
import type { ProjectedBlock, Projection, ProjectionBit } from './projection.js';
import type { ProjectionWrite } from './projection-database.js';

/** Maximum number of entries per commit. */
const BATCH_ENTRIES_MAX = 200;

/**
 * The changes that several log entries make to a projection, for one commit. A row that an entry adds and a later entry
 * of the batch removes is not written.
 */
export class FoldedEntries implements Batch<LogEntry> {
  /** Seq of the newest entry. */
  seq: number;
  private entries = 0;
  private readonly ledger: Ledger;
  private readonly projection: Projection;
  private readonly rows = new Map<string, StateRow | undefined>();
  private readonly bits = new Map<string, { readonly size: number; readonly values: Map<number, boolean> }>();

  /** Starts a batch. @param after seq of the newest entry that is already part of the projection */
  constructor(ledger: Ledger, projection: Projection, after: number) {
    this.ledger = ledger;
    this.projection = projection;
    this.seq = after;
  }

  get isFull(): boolean {
    return this.entries >= BATCH_ENTRIES_MAX;
  }

  /** Folds the next entry. @throws {TronError} LOG_HOLE | HISTORY_NOT_KEPT */
  add(entry: LogEntry): void {
    const { ledger, projection } = this;
    if (entry.seq !== ledger.seqAfter(this.seq))
      throw new TronError('LOG_HOLE', `projection ${projection.name}: received entry ${entry.seq} after ${this.seq}`);
    this.seq = entry.seq;
    this.entries++;
    if (entry.kind === 'applied') this.fold(entry, true);
    else if (entry.kind === 'reverted') this.fold(this.revertedBlock(entry), false);
  }

  /** Returns the rows, sorted by key. */
  writes(): ProjectionWrite {
    const put: StateRow[] = [];
    const remove: Uint8Array[] = [];
    for (const [text, row] of [...this.rows].sort(([a], [b]) => (a < b ? -1 : 1))) {
      if (row) put.push(row);
      else remove.push(Buffer.from(text, 'latin1'));
    }
    const bits = [...this.bits]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([text, set]) => ({ key: Buffer.from(text, 'latin1'), ...set }));
    return { put, remove, bits };
  }

  /** Adds or removes the rows of a block. @param isAdded false to delete the rows of the block and clear its bits */
  private fold(block: AppliedEntry, isAdded: boolean): void {
    for (const row of this.projection.apply(projected(this.ledger, block))) {
      if ('bit' in row) this.setBit(row, isAdded);
      else this.rows.set(Buffer.from(row.key).toString('latin1'), isAdded ? row : undefined);
    }
  }

  private revertedBlock({ seq, id }: RevertedEntry): AppliedEntry {
    const block = this.ledger.entryOfId(id);
    if (block !== undefined) return block;
    throw new TronError('LOG_HOLE', `entry ${seq} reverts a block that is not in the log`);
  }

  private setBit({ key, bit, bits: size }: ProjectionBit, isSet: boolean): void {
    const text = Buffer.from(key).toString('latin1');
    const known = this.bits.get(text);
    if (known !== undefined) known.values.set(bit, isSet);
    else this.bits.set(text, { size, values: new Map([[bit, isSet]]) });
  }
}

function projected(ledger: Ledger, entry: AppliedEntry): ProjectedBlock {
  return {
    entry,
    changes: () => {
      const changes = ledger.changes(entry.seq);
      if (changes) return changes;
      throw new TronError('HISTORY_NOT_KEPT', `the changes of block ${entry.number} are not retained`);
    },
  };
}
