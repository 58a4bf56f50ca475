/**
 * Step of an exponentiation: `squares` squarings, then a product with an odd power from a table. `factor` is the table
 * index of the odd power. If `factor` is undefined, the product is omitted.
 */
interface PowerStep {
  readonly squares: number;
  readonly factor: number | undefined;
}

/**
 * Returns the steps of an exponentiation. They use a table of the odd powers 1, 3, ... 2^window − 1. The first step
 * takes its table power as the start value, so its squarings must be skipped.
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
