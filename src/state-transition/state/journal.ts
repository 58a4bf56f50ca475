// biome-ignore-all lint/style/noNonNullAssertion: a mark is a previous length of the log, and the log is only truncated to marks
import type { TableEntry } from './table.js';

/** A snapshot of the state: the length of the journal at the time of the snapshot. */
export type Mark = number;

interface OldValue {
  readonly entry: TableEntry<unknown>;
  readonly value: unknown;
  readonly epoch: number;
  /** Additional action that is executed when the record is reverted. */
  readonly undo?: () => void;
}

/**
 * Undo log of a state: previous values of rows, newest last. All tables of the state share one journal. A mark is a
 * length of the journal, so one mark suffices to restore every table.
 */
export class Journal {
  /**
   * Number of the current epoch. Each mark, each revert and each call of `clear` starts a new epoch. The first write
   * to a row in an epoch stores the old value in the journal, and then changes a copy of this value.
   */
  epoch = 0;
  private readonly log: OldValue[] = [];

  mark(): Mark {
    this.epoch++;
    return this.log.length;
  }

  revertTo(mark: Mark): void {
    for (let at = this.log.length - 1; at >= mark; at--) {
      const { entry, value, epoch, undo } = this.log[at]!;
      entry.value = value;
      entry.epoch = epoch;
      undo?.();
    }
    this.log.length = mark;
    this.epoch++;
  }

  /** Returns the rows written since a mark, without duplicates, in the order of their first write. */
  writtenSince(mark: Mark): Set<TableEntry<unknown>> {
    const entries = new Set<TableEntry<unknown>>();
    for (let at = mark; at < this.log.length; at++) entries.add(this.log[at]!.entry);
    return entries;
  }

  /** Returns the values that rows had at a mark, for all rows written since the mark. Values must not be modified. */
  valuesAt(mark: Mark): Map<TableEntry<unknown>, unknown> {
    const values = new Map<TableEntry<unknown>, unknown>();
    for (let at = this.log.length - 1; at >= mark; at--) {
      const { entry, value } = this.log[at]!;
      values.set(entry, value);
    }
    return values;
  }

  /**
   * Returns the rows that were written and later deleted since a mark, with their last values before the deletion.
   * Values must not be modified.
   */
  deletedSince(mark: Mark): Map<TableEntry<unknown>, unknown> {
    const deleted = new Map<TableEntry<unknown>, unknown>();
    for (let at = mark; at < this.log.length; at++) {
      const { entry, value } = this.log[at]!;
      if (entry.value === undefined) deleted.set(entry, value);
    }
    for (const [entry, value] of this.valuesAt(mark)) if (deleted.get(entry) === value) deleted.delete(entry);
    return deleted;
  }

  record(entry: TableEntry<unknown>): void {
    this.log.push({ entry, value: entry.value, epoch: entry.epoch });
  }

  /** Records the current value of a row, like `record`, and an action to execute when the record is reverted. */
  recordWith(entry: TableEntry<unknown>, undo: () => void): void {
    this.log.push({ entry, value: entry.value, epoch: entry.epoch, undo });
  }

  clear(): void {
    this.log.length = 0;
    this.epoch++;
  }
}
