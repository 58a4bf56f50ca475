import iconv from 'iconv-lite';
import { JavaError } from '../../java-compat/java-error.js';
import { toUtf8 } from '../../primitives/bytes.js';

/**
 * Text of a body by its Content-Type. UTF-8 only where the type says so, or is JSON and says nothing: a type with other
 * parameters, any other one, and none are ISO-8859-1, as servlets have it. Other encodings as far as iconv-lite has
 * them.
 * Reference: HttpServletRequest.getReader. @throws {JavaError} UnsupportedEncodingException
 */
export function bodyText(body: Uint8Array, type: string): string {
  const charset = charsetOf(type);
  const name = charset.toLowerCase();
  if (name === 'utf-8') return toUtf8(body);
  // Java has the larger byte first where no mark tells.
  if (name === 'utf-16') {
    const text = iconv.decode(body, body[0] === 0xff && body[1] === 0xfe ? 'utf-16le' : 'utf-16be');
    return body.length % 2 === 0 ? text : `${text}\ufffd`;
  }
  if (!NAME.test(charset) || !iconv.encodingExists(name))
    throw new JavaError('java.io.UnsupportedEncodingException', charset);
  return iconv.decode(body, name, { stripBOM: false });
}

/** What an encoding can be called. Reference: Charset.checkName */
const NAME = /^[A-Za-z0-9][A-Za-z0-9+.:_-]*$/;

/** Types that are UTF-8 without saying so. */
const JSON_TYPES = new Set(['application/json', 'text/json']);

/** Reference: Jetty's Request.getCharacterEncoding. */
function charsetOf(type: string): string {
  if (JSON_TYPES.has(type.toLowerCase())) return 'utf-8';
  const found = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(type)?.[1] ?? '';
  return found === '' ? 'iso-8859-1' : found;
}
