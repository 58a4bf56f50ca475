/**
 * Converts JSON text to the form that Jackson writes to a stream. A control character becomes one escape. A character
 * beyond the basic plane becomes two escapes. Hex digits of escapes are upper case. All other characters are not
 * escaped. java-tron writes every JSON-RPC response this way. Reference: UTF8JsonGenerator.
 */
export function jacksonText(json: string): string {
  return WRITTEN_OTHERWISE.test(json) ? json.replace(PARTS, written) : json;
}

const WRITTEN_OTHERWISE = /\\u|[\ud800-\udfff]/;
/** Matches each escape as a whole, so that an escaped backslash does not start another escape. */
const PARTS = /\\(?:u([0-9a-fA-F]{4})|.)|[\ud800-\udfff]/g;

function written(part: string, digits: string | undefined): string {
  if (digits === undefined && part.startsWith('\\')) return part;
  const code = digits === undefined ? part.charCodeAt(0) : Number.parseInt(digits, 16);
  const isEscaped = code < 0x20 || (code >= 0xd800 && code <= 0xdfff);
  return isEscaped ? `\\u${code.toString(16).toUpperCase().padStart(4, '0')}` : String.fromCharCode(code);
}
