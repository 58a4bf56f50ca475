/**
 * Maximum number of JSON members and array elements in a request body. java-tron has no such limit. A valid transaction
 * has about a hundred. Parsing millions of elements would block all other calls for seconds.
 */
export const ELEMENTS_MAX = 100_000;

/**
 * Returns true if a text has more than {@link ELEMENTS_MAX} commas, and therefore too many elements. Does not parse the
 * text.
 */
export function hasTooManyElements(text: string): boolean {
  if (text.length <= 2 * ELEMENTS_MAX) return false;
  let count = 0;
  for (let at = text.indexOf(','); at >= 0 && count <= ELEMENTS_MAX; at = text.indexOf(',', at + 1)) count++;
  return count > ELEMENTS_MAX;
}
