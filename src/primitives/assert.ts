import { AssertionError } from 'node:assert';

// Assertions of facts that the surrounding code guarantees, but the compiler cannot prove. A failure is a bug of this
// program. Invalid input is rejected with typed errors instead.

/** Returns the element at an index of a list. @throws {AssertionError} the index is out of range */
export function itemAt<T>(list: ArrayLike<T>, index: number): T {
  const item = list[index];
  if (item === undefined) throw new AssertionError({ message: `no element at ${index} of ${list.length}` });
  return item;
}

/**
 * Returns a value that must exist.
 * @param why the reason why the value exists
 * @throws {AssertionError} the value does not exist
 */
export function present<T>(value: T | undefined | null, why: string): T {
  if (value === undefined || value === null) throw new AssertionError({ message: `missing value, although ${why}` });
  return value;
}
