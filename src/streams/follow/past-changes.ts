import type { AppliedEntry } from '../../log/log-entry.js';
import type { BlockChanges, Ledger } from '../../projections/ledger/ledger.js';
import { ChangeSet } from '../../projections/state/change-set.js';
import { SinkError } from '../sink-error.js';

/** Executes blocks again to get `changes` records that were pruned from the log. */
export interface PastChanges {
  /** Returns the `changes` record of a solidified block. Calls must be in ascending order, and must not overlap. */
  recordOf(number: number): Promise<Uint8Array>;
  close(): Promise<void>;
}

/**
 * Maximum number of cached `changes` records. It is twice the maximum number of blocks in a batch, because a sink
 * requests the `changes` records of its last batch again after an error.
 */
const KEPT_BLOCKS_MAX = 4000;
const KEPT_BYTES_MAX = 64 * 1024 * 1024;

/**
 * Reads row changes for a sink. If the changes of a block are pruned, the reader gets them by executing the block
 * again. {@link prepare} must be called for a block before `changes`.
 */
export class ChangesReader {
  private readonly ledger: Ledger;
  private readonly open: (() => PastChanges) | undefined;
  private past: PastChanges | undefined;
  private newest = 0;
  private underWay: Promise<void> = Promise.resolve();
  private readonly records = new Map<number, Uint8Array>();
  private bytes = 0;
  /** Cache of the last record read from the log. */
  private stored: { readonly seq: number; readonly changes: BlockChanges } | undefined;

  /**
   * Creates a reader.
   * @param open starts the execution of blocks from genesis; undefined if blocks cannot be executed again
   */
  constructor(ledger: Ledger, open?: () => PastChanges) {
    this.ledger = ledger;
    this.open = open;
  }

  /** Returns the changes of an `applied` entry; undefined if they are neither stored nor prepared. */
  changes(seq: number): BlockChanges | undefined {
    const record = this.records.get(seq);
    if (record === undefined) return this.storedChanges(seq);
    const set = new ChangeSet(record);
    return { rows: [...set.rows()], internalTransactions: set.internalTransactions };
  }

  /**
   * Makes the changes of a canonical solidified block available to `changes`. If they are pruned, executes all blocks
   * up to this block that were not executed again yet. Returns early if the signal aborts.
   * @throws {SinkError} the blocks below are pruned, so they cannot be executed
   */
  async prepare(block: Pick<AppliedEntry, 'seq' | 'number'>, signal: AbortSignal): Promise<void> {
    const { open } = this;
    if (open === undefined || this.has(block)) return;
    const { base, startNumber } = this.ledger;
    if (startNumber > (base?.number ?? 0)) throw notExecutable(block.number, startNumber);
    // Ignores an error of the previous call, because the sink requests that block again.
    const before = this.underWay.catch(() => undefined);
    const done = before.then(() => (this.has(block) ? undefined : this.execute(block, open)));
    this.underWay = done;
    await settledOrAborted(done, signal);
  }

  async close(): Promise<void> {
    const { past } = this;
    this.past = undefined;
    this.newest = 0;
    await past?.close();
  }

  private has({ seq }: Pick<AppliedEntry, 'seq'>): boolean {
    return this.records.has(seq) || this.storedChanges(seq) !== undefined;
  }

  private storedChanges(seq: number): BlockChanges | undefined {
    if (this.stored?.seq === seq) return this.stored.changes;
    const changes = this.ledger.changes(seq);
    this.stored = changes && { seq, changes };
    return changes;
  }

  private async execute({ seq, number }: Pick<AppliedEntry, 'seq' | 'number'>, open: () => PastChanges): Promise<void> {
    // A block is requested again only after an error of the sink. Execution then starts again from genesis.
    if (number <= this.newest) await this.close();
    this.past ??= open();
    this.keep(seq, await this.past.recordOf(number));
    this.newest = number;
  }

  private keep(seq: number, record: Uint8Array): void {
    this.records.set(seq, record);
    this.bytes += record.length;
    for (const [oldest, { length }] of this.records) {
      if (oldest === seq || (this.records.size <= KEPT_BLOCKS_MAX && this.bytes <= KEPT_BYTES_MAX)) break;
      this.records.delete(oldest);
      this.bytes -= length;
    }
  }
}

function notExecutable(number: number, startNumber: number): SinkError {
  return new SinkError(
    `the row changes of block ${number} were deleted, and cannot be computed again because the log starts after block ${startNumber}; ` +
      'use a sink with another name that starts at a newer block (from), or a node with a longer log',
  );
}

async function settledOrAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) throw signal.reason;
  const settled = new AbortController();
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true, signal: settled.signal });
  });
  try {
    await Promise.race([work, aborted]);
  } finally {
    settled.abort();
  }
}
