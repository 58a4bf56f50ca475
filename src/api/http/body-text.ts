import iconv from 'iconv-lite';
import { JavaError } from '../../java-compat/java-error.js';
import { toUtf8 } from '../../primitives/bytes.js';

/**
 * Decodes a body with the encoding of its Content-Type. UTF-8 is used only if the type declares it, or if the type is
 * JSON without parameters. Without a declared encoding, all other types are ISO-8859-1, as in servlets. Other encodings
 * are decoded if iconv-lite supports them.
 * Reference: HttpServletRequest.getReader. @throws {JavaError} UnsupportedEncodingException
 */
export function bodyText(body: Uint8Array, type: string): string {
  const charset = charsetOf(type);
  const name = charset.toLowerCase();
  if (name === 'utf-8') return toUtf8(body);
  // Java assumes big-endian if there is no byte order mark.
  if (name === 'utf-16') {
    const text = iconv.decode(body, body[0] === 0xff && body[1] === 0xfe ? 'utf-16le' : 'utf-16be');
    return body.length % 2 === 0 ? text : `${text}\ufffd`;
  }
  if (!NAME.test(charset) || !iconv.encodingExists(name))
    throw new JavaError('java.io.UnsupportedEncodingException', charset);
  return iconv.decode(body, name, { stripBOM: false });
}

/** Valid name of an encoding. Reference: Charset.checkName */
const NAME = /^[A-Za-z0-9][A-Za-z0-9+.:_-]*$/;

/** Media types that use UTF-8 by default. */
const JSON_TYPES = new Set(['application/json', 'text/json']);

/** Reference: Jetty's Request.getCharacterEncoding. */
function charsetOf(type: string): string {
  if (JSON_TYPES.has(type.toLowerCase())) return 'utf-8';
  const found = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(type)?.[1] ?? '';
  return found === '' ? 'iso-8859-1' : found;
}
