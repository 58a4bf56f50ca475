/**
 * JSON text of a string as the reference's writer (Jackson) makes it: only quotes, backslashes and control characters are escaped,
 * these with upper-case hex.
 */
export function jsonText(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  return JSON.stringify(text).replace(/\\u00[01][a-f]/g, (code) => `\\u${code.slice(2).toUpperCase()}`);
}

/** `null` stays. */
export function jsonTextOrNull(text: string | null): string {
  return text === null ? 'null' : jsonText(text);
}

/** A list of texts that need no escaping: hex. */
export function jsonHexList(texts: readonly string[]): string {
  return texts.length === 0 ? '[]' : `["${texts.join('","')}"]`;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what has to be escaped
const PLAIN = /^[^"\\\u0000-\u001f\ud800-\udfff]*$/;
