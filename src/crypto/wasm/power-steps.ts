/**
 * Step of an exponentiation: first `squares` squarings, then a multiplication by the table element `factor`. The table
 * contains odd powers. If `factor` is undefined, there is no multiplication.
 */
interface PowerStep {
  readonly squares: number;
  readonly factor: number | undefined;
}

/**
 * Returns the steps of an exponentiation with a table of the odd powers 1, 3, ... 2^window − 1. The first step
 * selects the start value from the table, so the caller must skip the squarings of this step.
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
