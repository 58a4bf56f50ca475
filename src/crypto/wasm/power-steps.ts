/** So many squarings, then a product with the odd power at a place of the table, or with none. */
interface PowerStep {
  readonly squares: number;
  readonly factor: number | undefined;
}

/**
 * How a power is made of a table of 1, 3, ... 2^window - 1 times the exponent 1; the squarings of the first step have
 * nothing to square.
 */
export function powerSteps(exponent: bigint, window: number): readonly PowerStep[] {
  const steps: PowerStep[] = [];
  const bits = exponent.toString(2);
  let squares = 0;
  for (let at = 0; at < bits.length; ) {
    if (bits[at] === '0') {
      squares++;
      at++;
      continue;
    }
    let end = Math.min(at + window, bits.length);
    while (bits[end - 1] === '0') end--;
    steps.push({ squares: squares + end - at, factor: Number.parseInt(bits.slice(at, end), 2) >> 1 });
    squares = 0;
    at = end;
  }
  return squares > 0 ? [...steps, { squares, factor: undefined }] : steps;
}
