import { TronError } from '../primitives/errors.js';
import type { BlockLog } from './block-log.js';
import type { LogEntry } from './log-entry.js';

export interface EntryStreamOptions {
  readonly fromSeq: number;
  /** Wait for new entries (default), or end at the newest entry. */
  readonly follow?: boolean;
  /** Ends the iteration when aborted. */
  readonly signal?: AbortSignal;
}

const PAGE_BYTES = 1024 * 1024;

/**
 * Notifies readers in all threads of new committed entries, with `Atomics.notify` on a shared counter. A reading thread
 * receives the buffer in its start message.
 */
export class LogNotifier {
  readonly counter: Int32Array;
  private closed = false;

  constructor(buffer: SharedArrayBuffer = new SharedArrayBuffer(4)) {
    this.counter = new Int32Array(buffer);
  }

  get isClosed(): boolean {
    return this.closed;
  }

  /** Number of notifications, modulo 2^32. */
  get rings(): number {
    return Atomics.load(this.counter, 0);
  }

  ring(): void {
    Atomics.add(this.counter, 0, 1);
    Atomics.notify(this.counter, 0);
  }

  /**
   * Waits until the counter differs from `seen`. A timer keeps the thread alive meanwhile, because a pending
   * `waitAsync` does not.
   */
  async ringAfter(seen: number): Promise<void> {
    const stayAlive = setInterval(() => undefined, 2 ** 30);
    try {
      await Atomics.waitAsync(this.counter, 0, seen).value;
    } finally {
      clearInterval(stayAlive);
    }
  }

  close(): void {
    this.closed = true;
    this.ring();
  }
}

/**
 * Streams entries from `fromSeq` on: first existing ones, then new ones, in order without gaps or duplicates. Only
 * committed entries are returned. The next page is read when the consumer requests it.
 * @throws {TronError} SEQ_UNKNOWN if `fromSeq` is beyond the end of the log
 */
export async function* streamEntries(
  log: Pick<BlockLog, 'page' | 'committedSeq' | 'refreshForReader'>,
  bell: LogNotifier,
  { fromSeq, follow = true, signal }: EntryStreamOptions,
): AsyncIterableIterator<LogEntry> {
  const stop = (): void => bell.ring();
  signal?.addEventListener('abort', stop, { once: true });
  const isOver = (): boolean => signal?.aborted === true || bell.isClosed;
  try {
    let next = fromSeq;
    for (let isFirst = true; ; isFirst = false) {
      const seen = bell.rings;
      if (isOver()) return;
      log.refreshForReader();
      if (isFirst && (next > log.committedSeq + 1 || next < 0)) {
        throw new TronError(
          'SEQ_UNKNOWN',
          `cannot read the log from entry ${next}: it ends at entry ${log.committedSeq}`,
        );
      }
      for (const entry of log.page(next, PAGE_BYTES)) {
        yield entry;
        if (isOver()) return;
        next = entry.seq + 1;
      }
      if (next <= log.committedSeq) continue;
      if (!follow) return;
      await bell.ringAfter(seen);
    }
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}
