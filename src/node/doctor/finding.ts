/**
 * Severity. `bad` endangers the node. `unknown` means that the value could not be measured; this alone does not
 * endanger the node.
 */
export type Level = 'ok' | 'warn' | 'bad' | 'unknown';

/** Result of one check. */
export interface Finding {
  readonly check: string;
  readonly level: Level;
  /** Measured value with its unit. */
  readonly found: string;
  /** Advice for the operator; undefined if the level is `ok`. */
  readonly remedy?: string;
}

/**
 * Returns the level of a measured number. If `bad` is greater than `warn`, large values are bad. Otherwise, small
 * values are bad.
 * @param warn,bad bounds, inclusive
 */
export function levelOf(value: number, { warn, bad }: { readonly warn: number; readonly bad: number }): Level {
  const isBeyond = (bound: number): boolean => (bad > warn ? value >= bound : value <= bound);
  if (isBeyond(bad)) return 'bad';
  return isBeyond(warn) ? 'warn' : 'ok';
}

/** Returns the more serious of two measured levels. */
export function worse(one: Level, other: Level): Level {
  return SERIOUSNESS.find((level) => level === one || level === other) ?? 'ok';
}

const SERIOUSNESS: readonly Level[] = ['bad', 'warn', 'unknown'];

/** Creates the result of a check. Omits the remedy if the level is `ok`. */
export function finding(check: string, level: Level, found: string, remedy: string): Finding {
  return level === 'ok' ? { check, level, found } : { check, level, found, remedy };
}
