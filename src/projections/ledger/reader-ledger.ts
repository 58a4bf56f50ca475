import type { AppliedEntry } from '../../log/log-entry.js';
import { type EntrySource, type LogPage, type LogRange, logPages } from '../../log/stream/log-pages.js';
import { Ledger } from './ledger.js';
import { readPosition } from './ledger-facts.js';
import type { LedgerParts, Position, ReaderOptions } from './ledger-types.js';
import { takeSnapshots } from './reader-snapshots.js';
import { SliceSnapshot } from './slice-snapshot.js';

/**
 * A ledger that another thread or process writes. Reads return the commit at the last refresh. With the option
 * `follows`, the first read in each turn of the event loop refreshes the ledger.
 */
export class ReaderLedger extends Ledger {
  /** Snapshot of a ledger with the option `follows`; otherwise undefined. */
  private readonly snapshot: SliceSnapshot | undefined;
  /** True if this ledger shares the notifier of the writer. */
  private readonly isNotified: boolean;

  constructor(options: ReaderOptions, parts: LedgerParts) {
    // Takes new snapshots, because the writer may have committed since the log was opened.
    takeSnapshots(parts.blocks, parts.state);
    super(options, parts);
    const { notifier } = this;
    this.isNotified = options.notifier !== undefined;
    if (options.follows === true)
      this.snapshot = new SliceSnapshot({ ...parts, notifier, isNotified: this.isNotified });
  }

  override get position(): Position {
    this.follow();
    return this.current;
  }

  override get storedSeq(): number {
    this.follow();
    return this.snapshot === undefined ? this.blocks.committedSeq : this.current.seq;
  }

  /** Returns an applied entry. With `follows`, the head entry is the same object until the head changes. */
  override block(number: number): AppliedEntry | undefined {
    if (this.snapshot === undefined || number !== this.current.headNumber) return super.block(number);
    return this.known.head(this.current.seq, number);
  }

  override pages(range: LogRange): AsyncGenerator<LogPage> {
    const source = this.snapshot === undefined ? this.blocks : this.entriesOfState();
    // Without the notifier of the writer, this ledger does not learn of new entries. Its stream then ends at the
    // newest entry.
    const follow = range.follow ?? this.isNotified;
    return logPages(source, this.notifier, { ...range, follow });
  }

  /**
   * Changes to the newest commit of the writer. Synchronous reads after the call use one snapshot. In a later turn of
   * the event loop, reads may return newer rows, unless the caller refreshes first.
   */
  refresh(): void {
    const before = this.current;
    const cursor = takeSnapshots(this.blocks, this.parts.state);
    if (cursor === undefined) return;
    this.flushedSeq = cursor.seq;
    this.current = readPosition(this.blocks, cursor);
    if (this.current.seq !== before.seq) this.followHistory(before.seq);
  }

  private follow(): void {
    if (this.snapshot?.take(this.current) !== true) return;
    this.refresh();
    this.snapshot.refreshed();
  }

  /**
   * Returns the log up to the newest entry that the state includes. A caller can then read the state after each
   * returned block.
   */
  private entriesOfState(): EntrySource {
    const ledger = this;
    return {
      refreshForReader: () => this.follow(),
      get committedSeq() {
        return ledger.storedSeq;
      },
      page: (from, bytesMax) => this.blocks.page(from, bytesMax).filter(({ seq }) => seq <= this.current.seq),
    };
  }

  private followHistory(fromSeq: number): void {
    const entries = this.history.isNear(this.current.seq - fromSeq)
      ? this.blocks.page(fromSeq + 1, Number.POSITIVE_INFINITY).filter(({ seq }) => seq <= this.current.seq)
      : undefined;
    if (entries === undefined || !this.history.follow(entries, this.current)) this.history = this.openHistory();
  }
}
