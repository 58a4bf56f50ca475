/**
 * Members and elements of a body. The reference has no such limit; a transaction that may be sent has a thousandth of
 * it, and reading millions of them would hold up all other calls for seconds.
 */
export const ELEMENTS_MAX = 100_000;

/** Whether a text has more commas than that, before anything parses it. */
export function hasTooManyElements(text: string): boolean {
  if (text.length <= 2 * ELEMENTS_MAX) return false;
  let count = 0;
  for (let at = text.indexOf(','); at >= 0 && count <= ELEMENTS_MAX; at = text.indexOf(',', at + 1)) count++;
  return count > ELEMENTS_MAX;
}
