const FAILURE = 'Strategy params parse failure, use the default strategy params.';

/** Number of `qps=<number>`, which must be above 0. Reference: Strategy.parseStrategyParams. */
export function readNumber<T extends number | undefined>(
  text: string,
  fallback: T,
  warn: (text: string) => void,
): number | T {
  return lastOf(text, 'qps', fallback, warn, (value) => {
    const number = doubleOf(value);
    return number !== undefined && number > 0 ? number : undefined;
  });
}

/** Number of `permit=<whole number>`; 0 and less are taken as they are, so that nobody gets in. */
export function readPermits(text: string, warn: (text: string) => void): number {
  return lastOf(text, 'permit', 1, warn, (value) => {
    const number = /^[+-]?\d+$/.test(value) ? Number(value) : Number.NaN;
    return number >= -(2 ** 31) && number < 2 ** 31 ? number : undefined;
  });
}

/** Other names are passed over; one value that cannot be read makes all of them the default. */
function lastOf<T extends number | undefined>(
  text: string,
  name: string,
  fallback: T,
  warn: (text: string) => void,
  read: (value: string) => number | undefined,
): number | T {
  let found: number | T = fallback;
  for (const [, key, value = ''] of text.matchAll(/\b([^\s]+)=([^\s]+)\b/g)) {
    if (key !== name) continue;
    const number = read(value);
    if (number === undefined) {
      warn(FAILURE);
      return fallback;
    }
    found = number;
  }
  return found;
}

/** Reference: Double.valueOf, decimal forms. */
function doubleOf(text: string): number | undefined {
  if (text === 'Infinity' || text === '+Infinity') return Number.POSITIVE_INFINITY;
  const form = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)[fFdD]?$/.exec(text);
  return form === null ? undefined : Number(form[1]);
}
