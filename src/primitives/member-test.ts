import { equalBytes, toHex } from './bytes.js';

/** Number of values up to which comparing each of them is faster than a set. */
const SHORT_LIST = 8;

/**
 * Returns a function that tests whether bytes are one of the values. For more than SHORT_LIST values, its time does not
 * depend on their number.
 */
export function memberTest(values: readonly Uint8Array[]): (bytes: Uint8Array) => boolean {
  if (values.length <= SHORT_LIST) return (bytes) => values.some((value) => equalBytes(value, bytes));
  const known = new Set(values.map(toHex));
  return (bytes) => known.has(toHex(bytes));
}
