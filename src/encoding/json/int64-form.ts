let isQuoted = false;

/**
 * Runs an answer in whose messages every number of 64 bits is a text, for callers whose numbers are doubles. An answer
 * is made in one piece, so that what is set here holds for it alone. Reference: JsonFormat.setInt64AsString.
 */
export function quotingInt64<T>(run: () => T): T {
  isQuoted = true;
  try {
    return run();
  } finally {
    isQuoted = false;
  }
}

/** A number of 64 bits as JSON. */
export function int64Text(value: bigint | number): string {
  return isQuoted ? `"${value}"` : String(value);
}

/** The same as a value. */
export function int64Value(value: bigint): bigint | string {
  return isQuoted ? String(value) : value;
}
