/**
 * Returns the value of a hex digit in a URL escape, as Jetty reads it. Jetty also reads `:` to `?` as 10 to 15, and `@`
 * and the grave accent as 9. Reference: org.eclipse.jetty.util.TypeUtil.convertHexDigit.
 * @returns undefined for an invalid digit
 */
export function hexDigit(char: string): number | undefined {
  const code = char.charCodeAt(0);
  const digit = (code & 0x1f) + (code >> 6) * 0x19 - 0x10;
  return digit >= 0 && digit <= 15 ? digit : undefined;
}
