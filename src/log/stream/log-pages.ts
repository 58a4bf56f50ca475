import { TronError } from '../../primitives/errors.js';
import type { LogEntry } from '../log-entry.js';
import type { LogNotices } from './log-notifier.js';
import type { Page } from './page.js';

/** Source of committed log entries: the log, or a cache of its newest entries. */
export interface EntrySource {
  /** Seq of the newest entry that readers may see. */
  readonly committedSeq: number;
  /**
   * Returns entries in ascending order of seq, starting at `fromSeq`. Returns at least one entry if one exists, and
   * stops after `bytesMax` bytes.
   */
  page(fromSeq: number, bytesMax: number): readonly LogEntry[];
  /** Makes newer commits of the writer visible to a reader. */
  refreshForReader(): void;
}

/** The part of the log to read. */
export interface LogRange {
  readonly fromSeq: number;
  /** True (default) to wait for new entries at the end of the log; false to end the stream there. */
  readonly follow?: boolean | undefined;
  /** Ends the stream after the current page when aborted. */
  readonly signal?: AbortSignal | undefined;
  /**
   * After this signal was aborted, the stream ends at the newest entry. It still returns all entries that exist by
   * then.
   */
  readonly drain?: AbortSignal | undefined;
}

/** Consecutive entries. */
export interface LogPage extends Page<LogEntry> {
  readonly items: readonly LogEntry[];
}

/** Maximum size of the entries of a page, in bytes. A reader of the log needs this amount of memory. */
const PAGE_BYTES = 1024 * 1024;

/**
 * Reads pages of entries from `fromSeq` on: first existing entries, then new ones, in ascending order of seq, without
 * gaps or duplicates. Returns only committed entries. All readers of the log use this function.
 *
 * Reads the next page when the consumer requests it. A slow consumer therefore needs the memory of one page, and delays
 * no other consumer.
 * @throws {TronError} SEQ_UNKNOWN: `fromSeq` is negative, or after the seq of the next entry; LOG_CUT: the entry was
 * pruned
 */
export async function* logPages(
  source: EntrySource,
  notices: LogNotices,
  { fromSeq, follow = true, signal, drain }: LogRange,
): AsyncGenerator<LogPage> {
  const isOver = (): boolean => signal?.aborted === true || notices.isClosed;
  const wake = drain === undefined || signal === undefined ? (signal ?? drain) : AbortSignal.any([signal, drain]);
  let next = fromSeq;
  for (let isFirst = true; ; isFirst = false) {
    const seen = notices.notifications;
    const isDraining = drain?.aborted === true;
    if (isOver()) return;
    source.refreshForReader();
    if (isFirst && (next > source.committedSeq + 1 || next < 0)) {
      throw new TronError(
        'SEQ_UNKNOWN',
        `cannot read the log from entry ${next}: the log ends at entry ${source.committedSeq}; the position is from another data folder`,
      );
    }
    const items = source.page(next, PAGE_BYTES);
    const newest = items.at(-1);
    if (newest !== undefined) {
      next = newest.seq + 1;
      yield { items, isNewest: next > source.committedSeq };
      continue;
    }
    if (!follow || isDraining) return;
    await notices.notifiedAfter(seen, wake);
  }
}
