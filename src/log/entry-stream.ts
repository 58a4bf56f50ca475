import { TronError } from '../primitives/errors.js';
import type { BlockLog } from './block-log.js';
import type { LogEntry } from './log-entry.js';

export interface EntryStreamOptions {
  readonly fromSeq: number;
  /** Wait for entries that come later (default), or end at the last one. */
  readonly follow?: boolean;
  /** Ends the iteration. */
  readonly signal?: AbortSignal;
}

const PAGE_BYTES = 1024 * 1024;

/**
 * Says that entries came onto the disk, across threads: `Atomics.notify` on one shared counter. A thread that reads the
 * log gets the buffer in its start message.
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

  /** How often it rang; starts again after 2^32. */
  get rings(): number {
    return Atomics.load(this.counter, 0);
  }

  ring(): void {
    Atomics.add(this.counter, 0, 1);
    Atomics.notify(this.counter, 0);
  }

  /**
   * Waits until the counter is another than `seen`. A pending `waitAsync` alone would let the thread end, hence the
   * timer.
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
 * Entries from `fromSeq` on, first from the disk and then as they come, in one order without gap or repetition: both
 * are the same read, which starts again where the last one ended. Only entries that are on the disk are seen. The next
 * page is read when the consumer asks for it. @throws {TronError} SEQ_UNKNOWN when the log does not reach to `fromSeq`.
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
        throw new TronError('SEQ_UNKNOWN', `the log ends at entry ${log.committedSeq}, entry ${next} cannot be next`);
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
