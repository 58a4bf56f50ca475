import iconv from 'iconv-lite';
import { JavaError } from '../../java-compat/java-error.js';
import { toUtf8 } from '../../primitives/bytes.js';

/**
 * Decodes a body with the encoding that its Content-Type declares. The default is UTF-8 for JSON types without
 * parameters, and ISO-8859-1 for all other types, as in Java servlets. Supports the encodings of the library
 * iconv-lite. Reference: HttpServletRequest.getReader.
 * @throws {JavaError} UnsupportedEncodingException: the encoding is unknown
 */
export function bodyText(body: Uint8Array, type: string): string {
  const charset = charsetOf(type);
  const name = charset.toLowerCase();
  if (name === 'utf-8') return toUtf8(body);
  // Without a byte order mark, Java reads UTF-16 as big-endian.
  if (name === 'utf-16') {
    const text = iconv.decode(body, body[0] === 0xff && body[1] === 0xfe ? 'utf-16le' : 'utf-16be');
    return body.length % 2 === 0 ? text : `${text}\ufffd`;
  }
  if (!NAME.test(charset) || !iconv.encodingExists(name))
    throw new JavaError('java.io.UnsupportedEncodingException', charset);
  return iconv.decode(body, name, { stripBOM: false });
}

/** Pattern of a valid encoding name. Reference: Charset.checkName */
const NAME = /^[A-Za-z0-9][A-Za-z0-9+.:_-]*$/;

/** Media types whose default encoding is UTF-8. */
const JSON_TYPES = new Set(['application/json', 'text/json']);

/** Returns the encoding that a Content-Type declares. Reference: Jetty's Request.getCharacterEncoding. */
function charsetOf(type: string): string {
  if (JSON_TYPES.has(type.toLowerCase())) return 'utf-8';
  const found = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(type)?.[1] ?? '';
  return found === '' ? 'iso-8859-1' : found;
}
