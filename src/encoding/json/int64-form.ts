let isQuoted = false;

/**
 * Calls `run`. During this call, printed messages contain 64-bit integers as strings, for clients that read numbers as
 * doubles. `run` must be synchronous, because the setting is global. Reference: JsonFormat.setInt64AsString.
 */
export function quotingInt64<T>(run: () => T): T {
  isQuoted = true;
  try {
    return run();
  } finally {
    isQuoted = false;
  }
}

/** Returns true inside of `quotingInt64`. */
export function isInt64Quoted(): boolean {
  return isQuoted;
}

/** Returns a 64-bit integer as JSON text: a string inside of `quotingInt64`, otherwise a number. */
export function int64Text(value: bigint | number): string {
  return isQuoted ? `"${value}"` : String(value);
}

/** Returns a 64-bit integer as a JSON value: a string inside of `quotingInt64`, otherwise a number. */
export function int64Value(value: bigint): bigint | string {
  return isQuoted ? String(value) : value;
}
