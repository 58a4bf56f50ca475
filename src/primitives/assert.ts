import { AssertionError } from 'node:assert';

// What the code around guarantees and the compiler cannot see. A failure is a defect of this program, never the fault
// of an input: inputs are refused by typed errors.

/** The element of a list at a place that lies inside it. @throws {AssertionError} it does not */
export function itemAt<T>(list: ArrayLike<T>, index: number): T {
  const item = list[index];
  if (item === undefined) throw new AssertionError({ message: `no element at ${index} of ${list.length}` });
  return item;
}

/** A value that is there. @param why in the words of what guarantees it @throws {AssertionError} it is not */
export function present<T>(value: T | undefined | null, why: string): T {
  if (value === undefined || value === null) throw new AssertionError({ message: `absent, though ${why}` });
  return value;
}
