/**
 * Decodes UTF-8 as Java does. An encoded surrogate has three bytes. It becomes one replacement character, even if its
 * third byte is missing. Reference: ByteString.toStringUtf8.
 */
export function toJavaText(bytes: Uint8Array): string {
  const raw = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!raw.includes(0xed)) return raw.toString('utf8');
  const latin = raw.toString('latin1').replace(/\xed[\xa0-\xbf][\x80-\xbf]?/g, '\xff');
  return Buffer.from(latin, 'latin1').toString('utf8');
}

/**
 * Removes all characters up to U+0020 from both ends: the control characters below U+0020 and the normal space, but no
 * other spaces. Reference: String.trim.
 */
export function javaTrim(text: string): string {
  return text.replace(OUTER_SPACES, '');
}

const OUTER_SPACES = /^[\0- ]+|[\0- ]+$/g;

/**
 * Returns true if a text contains only white space. No-break spaces and byte order marks are not white space here.
 * Reference: StringUtils.isBlank.
 */
export function isBlank(text: string): boolean {
  return BLANK.test(text);
}

/** Pattern of white space as in Java. Reference: Character.isWhitespace. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: four of them are white space in Java
const BLANK = /^[\t-\r\x1c- \u1680\u2000-\u2006\u2008-\u200a\u2028\u2029\u205f\u3000]*$/;
