import { readSeq, seqKey } from '../../log/block-key.js';
import type { BlockLog } from '../../log/block-log.js';
import { KEY_BYTES_MAX } from '../../log/lmdb/environment.js';
import { logHole } from '../../log/log-damage.js';
import { toHex } from '../../primitives/bytes.js';
import { TronError } from '../../primitives/errors.js';
import { ChangeSet, type KeyedChange } from '../state/change-set.js';
import { mergeRows, type OverlaidRow } from '../state/merge-rows.js';
import { keyOfOrdered, type OrderedRange, orderedRange, orderedText } from '../state/ordered-key.js';
import { SortedRows } from '../state/sorted-rows.js';
import type { RangeOptions, StateReader } from '../state/state-reader.js';
import type { StoreId } from '../state/stores.js';
import { storeName } from '../state/stores.js';

const CACHE_BYTES_MAX = 32 * 1024 * 1024;

/**
 * Finds the value of a row at a height: the old value in the first change of the row above this height.
 *
 * Changes above the height `floor` are indexed in memory. Changes up to `floor` are in the `history` table of the
 * log. The node fills this table only if `tronicle.history.retention` is a number or `all`.
 */
export class History {
  private readonly log: BlockLog;
  private readonly heights = new SortedRows<number | number[]>();
  private readonly rowsOfHeight = new Map<number, { readonly seq: number; readonly texts: readonly string[] }>();
  private readonly cache = new Map<number, ChangeSet>();
  private cachedBytes = 0;
  private lowest: number;

  constructor(log: BlockLog, floor: number) {
    this.log = log;
    this.lowest = floor;
  }

  /** Height up to which changes are in the table. Changes above it are in memory. */
  get floor(): number {
    return this.lowest;
  }

  /** Indexes the changes of a block that became the head. */
  add(number: number, seq: number, changes: Iterable<KeyedChange>): void {
    const texts: string[] = [];
    for (const { text } of changes) {
      texts.push(text);
      const heights = this.heights.get(text);
      if (Array.isArray(heights)) heights.push(number);
      else this.heights.set(text, heights === undefined ? number : [heights, number]);
    }
    this.rowsOfHeight.set(number, { seq, texts });
  }

  /** Removes the changes of a reverted block, which must be the newest indexed block. */
  remove(number: number): void {
    this.dropHeight(number);
    this.lowest = Math.min(this.lowest, number - 1);
  }

  /** Removes heights up to `floor` from memory, because the table contains them or no read needs them any longer. */
  trim(floor: number): void {
    for (let number = this.lowest + 1; number <= floor; number++) this.dropHeight(number);
    this.lowest = Math.max(this.lowest, floor);
  }

  /**
   * Returns the state after block `height`, computed from the newest state `head`. The caller must check that the
   * changes are retained.
   */
  view(height: number, head: StateReader): StateReader {
    return {
      get: (store, key) => {
        const seq = this.nextChange(orderedText(store, key), height);
        return seq === undefined ? head.get(store, key) : this.valueBefore(seq, store, key);
      },
      range: (store, options) => this.range(height, head, store, options),
    };
  }

  /** Writes the table rows of a block, in the database transaction that stores its log entry. */
  static index(log: BlockLog, number: number, seq: number, changes: Iterable<KeyedChange>): void {
    const value = seqKey(seq);
    for (const { text } of changes) log.history.put(historyKey(text, number), value);
  }

  /** Deletes the table rows of a block. Skips a row if it refers to another log entry than `seq`. */
  static unindex(log: BlockLog, number: number, seq: number, changes: Iterable<KeyedChange>): void {
    for (const { text } of changes) {
      const row = historyKey(text, number);
      const stored = log.history.get(row);
      if (stored !== undefined && readSeq(stored) === seq) log.history.remove(row);
    }
  }

  /**
   * Returns the `changes` record of an entry. Caches up to 32 MiB of records.
   * @throws {TronError} HISTORY_NOT_KEPT: the record is not retained
   */
  changesOf(seq: number): ChangeSet {
    const cached = this.cache.get(seq);
    if (cached) return cached;
    const bytes = this.log.changes(seq);
    if (bytes === undefined)
      throw new TronError(
        'HISTORY_NOT_KEPT',
        `the row changes of log entry ${seq} were deleted; tronicle.history.retention sets the number of blocks to keep`,
      );
    const changes = new ChangeSet(bytes);
    this.cache.set(seq, changes);
    this.cachedBytes += bytes.length;
    for (const [oldest, { bytes: oldestBytes }] of this.cache) {
      if (this.cachedBytes <= CACHE_BYTES_MAX || oldest === seq) break;
      this.cache.delete(oldest);
      this.cachedBytes -= oldestBytes.length;
    }
    return changes;
  }

  private valueBefore(seq: number, store: StoreId, key: Uint8Array): Uint8Array | undefined {
    const change = this.changesOf(seq).find(store, key);
    if (change === undefined)
      throw logHole(
        `the history index refers to entry ${seq} for row ${toHex(key)} of store ${storeName(store)}, but the entry does not change this row`,
      );
    return change.before;
  }

  private *range(height: number, head: StateReader, store: StoreId, options: RangeOptions = {}) {
    const { limit: _, ...unlimited } = options;
    const bounds = orderedRange(store, unlimited);
    yield* mergeRows(store, head.range(store, unlimited), this.overlay(height, store, bounds), options);
  }

  private *overlay(height: number, store: StoreId, bounds: OrderedRange): IterableIterator<OverlaidRow> {
    for (const [text, seq] of this.changedRows(height, bounds)) {
      const key = keyOfOrdered(Buffer.from(text, 'latin1'));
      if (bounds.prefix !== undefined && Buffer.compare(key.subarray(0, bounds.prefix.length), bounds.prefix) !== 0)
        continue;
      yield { key, value: this.valueBefore(seq, store, key) };
    }
  }

  /**
   * Iterates over the rows that changed after `height`. Returns the ordered key of each row as text, and the seq of the
   * first entry that changed it.
   */
  private *changedRows(height: number, bounds: OrderedRange): IterableIterator<readonly [string, number]> {
    const sign = bounds.reverse ? -1 : 1;
    const stored = this.storedChanges(height, bounds);
    let next = stored.next();
    for (const [text, heights] of this.heights.range(bounds)) {
      while (next.done !== true && compareText(next.value[0], text) * sign < 0) {
        yield next.value;
        next = stored.next();
      }
      if (next.done !== true && next.value[0] === text) {
        yield next.value;
        next = stored.next();
        continue;
      }
      const first = firstAbove(heights, height);
      if (first !== undefined) yield [text, this.seqOf(first)];
    }
    for (; next.done !== true; next = stored.next()) yield next.value;
  }

  private *storedChanges(
    height: number,
    { low, high, reverse }: OrderedRange,
  ): Generator<readonly [string, number], void> {
    if (height >= this.lowest || low >= high) return;
    const [start, end] = [escaped(low).subarray(0, KEY_BYTES_MAX), escaped(high).subarray(0, KEY_BYTES_MAX)];
    let current: readonly [string, number] | undefined;
    const range = this.log.history.table.getRange(reverse ? { start: end, end: start, reverse } : { start, end });
    for (const { key, value } of range) {
      const { text, number } = parseHistoryKey(key as Buffer);
      if (number <= height || number > this.lowest || text < low || text >= high) continue;
      if (current !== undefined && current[0] !== text) yield current;
      if (current?.[0] !== text || reverse) current = [text, readSeq(value)];
    }
    if (current !== undefined) yield current;
  }

  private nextChange(text: string, height: number): number | undefined {
    if (height < this.lowest) {
      const range = { start: historyKey(text, height + 1), end: historyKey(text, this.lowest + 1), limit: 1 };
      // API clients choose keys. A key that is too long for LMDB has no row.
      if (range.start.length > KEY_BYTES_MAX) return undefined;
      for (const { value } of this.log.history.table.getRange(range)) return readSeq(value);
    }
    const first = firstAbove(this.heights.get(text), height);
    return first === undefined ? undefined : this.seqOf(first);
  }

  private dropHeight(number: number): void {
    for (const text of this.rowsOfHeight.get(number)?.texts ?? []) {
      const heights = this.heights.get(text);
      if (!Array.isArray(heights)) this.heights.delete(text);
      else if (heights.length > 1) heights.splice(heights.indexOf(number), 1);
      else this.heights.delete(text);
    }
    this.rowsOfHeight.delete(number);
  }

  private seqOf(number: number): number {
    const rows = this.rowsOfHeight.get(number);
    if (rows === undefined) throw logHole(`the history index has no log entry for block ${number}`);
    return rows.seq;
  }
}

function firstAbove(heights: number | readonly number[] | undefined, height: number): number | undefined {
  if (typeof heights !== 'number') return heights?.find((number) => number > height);
  return heights > height ? heights : undefined;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * Returns a key of the table: the ordered row key with each byte 00 escaped as 00 ff, then 00 00, then the height
 * (u32). No key is a prefix of another key, and all heights of a row are adjacent.
 */
export function historyKey(text: string, number: number): Buffer {
  const row = escaped(text);
  const key = Buffer.alloc(row.length + 6);
  key.set(row, 0);
  key.writeUInt32BE(number, row.length + 2);
  return key;
}

function escaped(text: string): Buffer {
  return Buffer.from(text.includes('\0') ? text.replaceAll('\0', '\0\xff') : text, 'latin1');
}

function parseHistoryKey(key: Buffer): { readonly text: string; readonly number: number } {
  return {
    text: key.toString('latin1', 0, key.length - 6).replaceAll('\0\xff', '\0'),
    number: key.readUInt32BE(key.length - 4),
  };
}
