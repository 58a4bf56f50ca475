import { EMPTY, lastValueFrom } from 'rxjs';
import type { LogEntry } from '../../../log/log-entry.js';
import { inTurn } from '../../../log/stream/in-turn.js';
import type { LogNotices } from '../../../log/stream/log-notifier.js';
import { type EntrySource, type LogPage, logPages } from '../../../log/stream/log-pages.js';
import { TimeSlice } from '../../../primitives/time-slice.js';
import type { Ledger } from '../../../projections/ledger/ledger.js';

/** Number of newest block log entries that are cached. Most subscribers read these entries at about the same time. */
const ENTRIES_MAX = 256;

/**
 * Reads the newest entries of the block log once for all subscriptions, and notifies the subscriptions of new entries.
 * The method `page` returns at most one entry, so each slow subscriber has at most one entry in memory.
 */
export class LogTail implements EntrySource, LogNotices {
  notifications = 0;
  private readonly ledger: Ledger;
  private readonly known = new Map<number, LogEntry>();
  private readonly waiters = new Set<() => void>();
  private readonly ended = new AbortController();
  private readonly following: Promise<unknown>;
  /** Limits the time of all subscriptions together per turn of the event loop, so that requests are not delayed. */
  private readonly slice = new TimeSlice();

  constructor(ledger: Ledger) {
    const { signal } = this.ended;
    this.ledger = ledger;
    const pages = (): AsyncIterable<LogPage> => ledger.pages({ fromSeq: ledger.storedSeq + 1, signal });
    const followed = inTurn(pages, ({ items }) => {
      for (const entry of items) this.keep(entry);
      this.wake();
      return EMPTY;
    });
    this.following = lastValueFrom(followed, { defaultValue: undefined });
  }

  /** True when the node shuts down. */
  get isClosed(): boolean {
    return this.ended.signal.aborted;
  }

  get committedSeq(): number {
    return this.ledger.storedSeq;
  }

  /** Streams the entries of the block log from a sequence number on, until the signal aborts. */
  async *entries(fromSeq: number, signal: AbortSignal): AsyncGenerator<LogEntry> {
    for await (const { items } of logPages(this, this, { fromSeq, signal })) {
      yield* items;
      await this.yieldIfOver();
    }
  }

  /** Waits for the next turn of the event loop if the subscriptions have used their time of the current turn. */
  async yieldIfOver(): Promise<void> {
    await this.slice.yieldIfOver();
  }

  page(fromSeq: number): readonly LogEntry[] {
    return fromSeq <= this.committedSeq ? [this.entry(fromSeq)] : [];
  }

  /** Does nothing, because the ledger sees new commits without a refresh. */
  refreshForReader(): void {}

  /** Returns the entry of the block log with a sequence number. The entry must have been flushed to disk. */
  entry(seq: number): LogEntry {
    const known = this.known.get(seq);
    if (known !== undefined) return known;
    const entry = this.ledger.entry(seq);
    // Old entries are not cached, because they would evict the newest ones.
    if (seq > this.ledger.storedSeq - ENTRIES_MAX) this.keep(entry);
    return entry;
  }

  async notifiedAfter(seen: number, signal: AbortSignal): Promise<void> {
    if (this.notifications !== seen || signal.aborted || this.isClosed) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        this.waiters.delete(done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      this.waiters.add(done);
      signal.addEventListener('abort', done, { once: true });
    });
  }

  async close(): Promise<void> {
    this.ended.abort();
    this.wake();
    await this.following;
  }

  private wake(): void {
    this.notifications++;
    for (const done of [...this.waiters]) done();
  }

  private keep(entry: LogEntry): void {
    this.known.set(entry.seq, entry);
    for (const oldest of this.known.keys()) {
      if (this.known.size <= ENTRIES_MAX) break;
      this.known.delete(oldest);
    }
  }
}
