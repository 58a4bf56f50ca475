const FAILURE = 'Strategy params parse failure, use the default strategy params.';

/**
 * Reads the number of the parameter `qps=<number>`. A number of 0 or less is invalid (see `lastOf`). Reference:
 * Strategy.parseStrategyParams.
 */
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

/** Reads the integer of the parameter `permit=<integer>`. If the integer is 0 or less, no call is admitted. */
export function readPermits(text: string, warn: (text: string) => void): number {
  return lastOf(text, 'permit', 1, warn, (value) => {
    const number = /^[+-]?\d+$/.test(value) ? Number(value) : Number.NaN;
    return number >= -(2 ** 31) && number < 2 ** 31 ? number : undefined;
  });
}

/**
 * Returns the last value of the parameter `name`. If any value of this parameter is invalid, logs a warning and returns
 * the default.
 */
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

/** Parses a floating-point number as Java does. Reference: Double.valueOf. */
function doubleOf(text: string): number | undefined {
  if (/^[+]?Infinity$/.test(text)) return Number.POSITIVE_INFINITY;
  const form = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)[fFdD]?$/.exec(text);
  return form === null ? hexDouble(text) : Number(form[1]);
}

/** Parses a hexadecimal floating-point number such as `0x1.8p1`. The binary exponent is required. */
function hexDouble(text: string): number | undefined {
  const [, whole = '', part = '', exponent] =
    /^[+]?0[xX]([0-9a-fA-F]*)\.?([0-9a-fA-F]*)[pP]([+-]?\d+)[fFdD]?$/.exec(text) ?? [];
  if (exponent === undefined || whole + part === '') return undefined;
  return Number.parseInt(whole + part, 16) * 2 ** (Number(exponent) - 4 * part.length);
}
