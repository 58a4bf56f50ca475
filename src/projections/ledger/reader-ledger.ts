import type { BlockLog } from '../../log/block-log.js';
import { type EntryStreamOptions, streamEntries } from '../../log/entry-stream.js';
import type { AppliedEntry, LogEntry } from '../../log/log-entry.js';
import { Ledger } from './ledger.js';
import { readPosition } from './ledger-facts.js';
import type { LedgerParts, Position, ReaderOptions } from './ledger-types.js';
import { takeSnapshots } from './reader-snapshots.js';
import { SliceSnapshot } from './slice-snapshot.js';

/**
 * A ledger that another thread or process writes. It shows what was committed when it was opened or refreshed; with
 * `follows`, what is committed when a turn of the event loop asks first.
 */
export class ReaderLedger extends Ledger {
  /** Of one that follows. */
  private readonly snapshot: SliceSnapshot | undefined;
  /** The bell is the writer's. */
  private readonly isRung: boolean;

  constructor(options: ReaderOptions, parts: LedgerParts) {
    // The writer may have gone on since the log was opened.
    takeSnapshots(parts.blocks, parts.state);
    super(options, parts);
    const { bell } = this;
    this.isRung = options.bell !== undefined;
    if (options.follows === true) this.snapshot = new SliceSnapshot({ ...parts, bell, isRung: this.isRung });
  }

  override get position(): Position {
    this.follow();
    return this.current;
  }

  override get storedSeq(): number {
    this.follow();
    return this.snapshot === undefined ? this.blocks.committedSeq : this.current.seq;
  }

  /** One that follows gives the head as the same object each time. */
  override block(number: number): AppliedEntry | undefined {
    if (this.snapshot === undefined || number !== this.current.headNumber) return super.block(number);
    return this.known.head(this.current.seq, number);
  }

  override entries(options: EntryStreamOptions): AsyncIterable<LogEntry> {
    const source = this.snapshot === undefined ? this.blocks : this.entriesOfState();
    // Without the writer's bell nothing would ever wake a reader of another process.
    const follow = options.follow ?? this.isRung;
    return streamEntries(source, this.bell, { ...options, follow });
  }

  /**
   * Goes on to what the writer has committed since. What is read synchronously after it is one snapshot; a later turn
   * of the event loop may see newer rows and has to refresh first.
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
    this.snapshot.seen();
  }

  /** The log up to where the state is: who hears of a block may ask for the state after it. */
  private entriesOfState(): Pick<BlockLog, 'page' | 'committedSeq' | 'refreshForReader'> {
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
