import type { LogEntry } from '../../../log/log-entry.js';
import type { Ledger } from '../../../projections/ledger/ledger.js';

/** Newest entries kept for all subscribers, who read them at about the same time. */
const ENTRIES_MAX = 256;

/** The end of the log, read once for all subscriptions, and the place where they wait for more. */
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

  /** Nothing comes any more: the node ends. */
  get isClosed(): boolean {
    return this.ended.signal.aborted;
  }

  /** An entry that is on the disk. */
  entry(seq: number): LogEntry {
    const known = this.known.get(seq);
    if (known !== undefined) return known;
    const entry = this.ledger.entry(seq);
    // Those far behind read each entry for themselves; keeping it would drive out what the others share.
    if (seq > this.ledger.storedSeq - ENTRIES_MAX) this.keep(entry);
    return entry;
  }

  /** Waits until the log has more than the entry `seq`; at once when it has, or when the signal says so. */
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
      // A page of entries comes in one go: whoever waits needs to hear of it once.
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
