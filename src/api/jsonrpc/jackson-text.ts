/**
 * JSON text in the form in which Jackson writes it to a stream, which all answers of JSON-RPC pass in the reference:
 * characters beyond the basic plane are two escapes, control characters one, with capital digits; all others stand as
 * they are.
 * Reference: UTF8JsonGenerator.
 */
export function jacksonText(json: string): string {
  return WRITTEN_OTHERWISE.test(json) ? json.replace(PARTS, written) : json;
}

const WRITTEN_OTHERWISE = /\\u|[\ud800-\udfff]/;
/** Each escape whole, so that a backslash that is escaped itself begins none. */
const PARTS = /\\(?:u([0-9a-fA-F]{4})|.)|[\ud800-\udfff]/g;

function written(part: string, digits: string | undefined): string {
  if (digits === undefined && part.startsWith('\\')) return part;
  const code = digits === undefined ? part.charCodeAt(0) : Number.parseInt(digits, 16);
  const isEscaped = code < 0x20 || (code >= 0xd800 && code <= 0xdfff);
  return isEscaped ? `\\u${code.toString(16).toUpperCase().padStart(4, '0')}` : String.fromCharCode(code);
}
