// biome-ignore-all lint/style/noNonNullAssertion: a mark is a length that the log has had, and the log is only cut back to marks
import type { TableEntry } from './table.js';

/** A point to return to: the journal's length when it was taken. */
export type Mark = number;

interface OldValue {
  readonly entry: TableEntry<unknown>;
  readonly value: unknown;
  readonly epoch: number;
  /** What else is to be undone with it. */
  readonly undo?: () => void;
}

/** Old values of rows, newest last. One journal serves all tables of a state, so that a mark covers every store. */
export class Journal {
  /** Rises with every mark: a row copied under an older epoch is copied again before it is written. */
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

  /** Rows written since a mark, each once, in the order of their first writing. */
  writtenSince(mark: Mark): Set<TableEntry<unknown>> {
    const entries = new Set<TableEntry<unknown>>();
    for (let at = mark; at < this.log.length; at++) entries.add(this.log[at]!.entry);
    return entries;
  }

  /** What rows written since a mark were when it was taken. Values are not to be changed. */
  valuesAt(mark: Mark): Map<TableEntry<unknown>, unknown> {
    const values = new Map<TableEntry<unknown>, unknown>();
    for (let at = this.log.length - 1; at >= mark; at--) {
      const { entry, value } = this.log[at]!;
      values.set(entry, value);
    }
    return values;
  }

  /** Rows written and then deleted since a mark, each with what it held last. Values are not to be changed. */
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

  /** As `record`, with something to do when it is taken back. */
  recordWith(entry: TableEntry<unknown>, undo: () => void): void {
    this.log.push({ entry, value: entry.value, epoch: entry.epoch, undo });
  }

  clear(): void {
    this.log.length = 0;
    this.epoch++;
  }
}
