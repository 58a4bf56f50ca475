/**
 * Value of a digit of an escape as the reference's container reads it: `:` to `?` are 10 to 15 too, and `@` and a grave
 * accent 9.
 * Reference: org.eclipse.jetty.util.TypeUtil.convertHexDigit. @returns undefined for what is no digit
 */
export function hexDigit(char: string): number | undefined {
  const code = char.charCodeAt(0);
  const digit = (code & 0x1f) + (code >> 6) * 0x19 - 0x10;
  return digit >= 0 && digit <= 15 ? digit : undefined;
}
