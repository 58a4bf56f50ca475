import type { AppliedEntry } from '../../log/log-entry.js';
import type { BlockChanges, Ledger } from '../../projections/ledger/ledger.js';
import { ChangeSet } from '../../projections/state/change-set.js';

/** Gives `changes` records that the log no longer keeps, by executing blocks again. */
export interface PastChanges {
  /** The record of an irreversible block; asked for ascending, one at a time. */
  recordOf(number: number): Promise<Uint8Array>;
  close(): Promise<void>;
}

/**
 * As many records as two batches of a sink: what was read for them may be asked for again after an error of the sink.
 */
const KEPT_BLOCKS_MAX = 4000;
const KEPT_BYTES_MAX = 64 * 1024 * 1024;

/**
 * What a sink reads of a ledger: its `changes`, of blocks below the kept height those of executing again.
 * {@link prepare} each block before its changes are asked for.
 */
export class ChangesReader {
  private readonly ledger: Ledger;
  private readonly open: (() => PastChanges) | undefined;
  private past: PastChanges | undefined;
  private newest = 0;
  private underWay: Promise<void> = Promise.resolve();
  private readonly records = new Map<number, Uint8Array>();
  private bytes = 0;
  /** What the log was asked for last. */
  private stored: { readonly seq: number; readonly changes: BlockChanges } | undefined;

  /** @param open starts executing again, from genesis; without it what is not kept is not known */
  constructor(ledger: Ledger, open?: () => PastChanges) {
    this.ledger = ledger;
    this.open = open;
  }

  /** Of an `applied` entry; `undefined` when it is neither kept nor prepared. */
  changes(seq: number): BlockChanges | undefined {
    const record = this.records.get(seq);
    if (record === undefined) return this.storedChanges(seq);
    const set = new ChangeSet(record);
    return { rows: [...set.rows()], internalTransactions: set.internalTransactions };
  }

  /** Executes up to a block of the irreversible chain, where its changes are not kept; ends early by its signal. */
  async prepare(block: Pick<AppliedEntry, 'seq' | 'number'>, signal: AbortSignal): Promise<void> {
    const { open } = this;
    if (open === undefined || this.has(block)) return;
    // An error of the sink does not end what is under way: it will be asked for again.
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
    // Only an error of the sink leads back so far: what it needs once more is executed once more.
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
