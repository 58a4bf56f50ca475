import { equalBytes } from '../../primitives/bytes.js';
import { TronError } from '../../primitives/errors.js';
import { ownerIndex, stateProjections } from '../state-projections.js';
import type { KeyedChange } from './change-set.js';
import type { SortedRows } from './sorted-rows.js';
import type { StateProjection } from './state-projection.js';
import { type StoreId, storeName } from './stores.js';

/** A row of the next commit. */
export interface PendingRow {
  /** Value of the row on disk; undefined if the row does not exist. */
  readonly before: Uint8Array | undefined;
  after: Uint8Array | undefined;
}

/** The changes of a block to the rows of one projection, in the order of the change set. */
interface ProjectionChanges {
  readonly projection: StateProjection;
  readonly changes: readonly KeyedChange[];
}

/** Splits the changes of a block by the projections that own the rows. The result omits projections without changes. */
export function changesByProjection(changes: readonly KeyedChange[]): ProjectionChanges[] {
  const parts: KeyedChange[][] = [];
  for (const change of changes) {
    const owner = ownerIndex(change.store);
    const part = parts[owner];
    if (part === undefined) parts[owner] = [change];
    else part.push(change);
  }
  return stateProjections.flatMap((projection, index) => {
    const part = parts[index];
    return part === undefined ? [] : [{ projection, changes: part }];
  });
}

/**
 * Returns the uncommitted row of each change. An element is undefined if the row has no uncommitted value; its old
 * value is then on disk.
 * @throws {TronError} CHANGES_MISMATCH: the old value of a change differs from the uncommitted row
 */
export function startsOf(rows: SortedRows<PendingRow>, { changes }: ProjectionChanges): (PendingRow | undefined)[] {
  return changes.map(({ text, store, before }) => {
    const row = rows.get(text);
    if (row !== undefined && !isSame(row.after, before)) throw mismatch(store);
    return row;
  });
}

/**
 * Applies (folds) the changes of a block to the rows of one projection: each changed row gets its new value. The
 * writer, a revert, the recovery after a crash, a replica and a replay all use this function. They therefore build
 * the same rows from the same log.
 * @param starts result of {@link startsOf} for the same changes
 * @returns the growth of the uncommitted rows, in bytes
 */
export function foldChanges(
  rows: SortedRows<PendingRow>,
  { changes }: ProjectionChanges,
  starts: readonly (PendingRow | undefined)[],
): number {
  let bytes = 0;
  for (const [index, { text, before, after }] of changes.entries()) {
    const row = starts[index];
    bytes += after?.length ?? 0;
    if (row !== undefined) {
      row.after = after;
      continue;
    }
    rows.set(text, { before, after });
    bytes += text.length + (before?.length ?? 0);
  }
  return bytes;
}

/**
 * Returns the error for changes whose old values differ from the state. This is a bug in Tronicle. The error is
 * thrown before any change is stored.
 */
export function mismatch(store: StoreId): TronError {
  return new TronError(
    'CHANGES_MISMATCH',
    `internal error: the old value of a change in store ${storeName(store)} differs from the value of the row; nothing was written`,
  );
}

/** Returns true if two row values are equal. Undefined represents a row that does not exist. */
export function isSame(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  return a === undefined || b === undefined ? a === b : equalBytes(a, b);
}
