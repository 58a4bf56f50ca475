/** `bad` endangers the node; `unknown` could not be found out, and endangers nothing by itself. */
export type Level = 'ok' | 'warn' | 'bad' | 'unknown';

/** What one check found. */
export interface Finding {
  readonly check: string;
  readonly level: Level;
  /** What is so, with units. */
  readonly found: string;
  /** What to do; absent where all is well. */
  readonly remedy?: string;
}

/**
 * A measured number against two bounds.
 * @param warn,bad a value at or beyond is of that level; which side is beyond say the bounds
 */
export function levelOf(value: number, { warn, bad }: { readonly warn: number; readonly bad: number }): Level {
  const isBeyond = (bound: number): boolean => (bad > warn ? value >= bound : value <= bound);
  if (isBeyond(bad)) return 'bad';
  return isBeyond(warn) ? 'warn' : 'ok';
}

/** A finding whose remedy is left out where all is well. */
export function finding(check: string, level: Level, found: string, remedy: string): Finding {
  return level === 'ok' ? { check, level, found } : { check, level, found, remedy };
}
