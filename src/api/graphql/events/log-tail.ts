import type { LogEntry } from '../../../log/log-entry.js';
import type { Ledger } from '../../../projections/ledger/ledger.js';

/** Number of newest entries in the cache. Subscribers read them at about the same time. */
const ENTRIES_MAX = 256;

/** Reads the end of the log once for all subscriptions, and notifies them of new entries. */
export class LogTail {
  private readonly ledger: Ledger;
  private readonly known = new Map<number, LogEntry>();
  private readonly waiting = new Set<() => void>();
  private readonly ended = new AbortController();
  private readonly following: Promise<void>;

  constructor(ledger: Ledger) {
    this.ledger = ledger;
    this.following = this.follow();
  }

  /** True once the node shuts down. */
  get isClosed(): boolean {
    return this.ended.signal.aborted;
  }

  /** Returns a flushed entry. */
  entry(seq: number): LogEntry {
    const known = this.known.get(seq);
    if (known !== undefined) return known;
    const entry = this.ledger.entry(seq);
    // Old entries are not cached, because they would evict the newest ones.
    if (seq > this.ledger.storedSeq - ENTRIES_MAX) this.keep(entry);
    return entry;
  }

  /** Resolves once the log has an entry after `seq`, or when the signal aborts. */
  async after(seq: number, signal: AbortSignal): Promise<void> {
    if (this.ledger.storedSeq > seq || signal.aborted || this.ended.signal.aborted) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        this.waiting.delete(done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      this.waiting.add(done);
      signal.addEventListener('abort', done, { once: true });
    });
  }

  async close(): Promise<void> {
    this.ended.abort();
    this.wake();
    await this.following;
  }

  private async follow(): Promise<void> {
    const { ledger, ended } = this;
    for await (const entry of ledger.entries({ fromSeq: ledger.storedSeq + 1, signal: ended.signal })) {
      this.keep(entry);
      // Entries arrive in batches, so subscribers are notified once per batch.
      if (entry.seq >= ledger.storedSeq) this.wake();
    }
    this.wake();
  }

  private wake(): void {
    for (const done of [...this.waiting]) done();
  }

  private keep(entry: LogEntry): void {
    this.known.set(entry.seq, entry);
    for (const oldest of this.known.keys()) {
      if (this.known.size <= ENTRIES_MAX) break;
      this.known.delete(oldest);
    }
  }
}
