import { isUtf8 } from 'node:buffer';
import { JavaError } from '../../java/error.js';

/** Values of each parameter, in their order. */
export type Parameters = ReadonlyMap<string, readonly string[]>;

/**
 * Parameters of a query, then of a form. Reference: org.eclipse.jetty.util.UrlEncoded. @throws {JavaError}
 * BadMessageException
 */
export function readParameters(query: string | undefined, form: Uint8Array | undefined): Parameters {
  const found = new Map<string, string[]>();
  if (query !== undefined) read(query, found, 'URI query');
  if (form !== undefined) read(escapedBytes(form), found, 'form content');
  return found;
}

/** A form whose bytes beyond ASCII are escaped, so that each part is read from its bytes. */
function escapedBytes(form: Uint8Array): string {
  const text = Buffer.from(form).toString('latin1');
  return text.replace(/[\x80-\xff]/g, (char) => `%${char.charCodeAt(0).toString(16)}`);
}

/** More are not looked at: no handler has that many. */
const PARAMETERS_MAX = 1000;

function read(text: string, into: Map<string, string[]>, what: string): void {
  for (const [name, value] of readPairs(text, what)) {
    const before = into.get(name);
    if (before === undefined) into.set(name, [value]);
    else before.push(value);
  }
}

/** Names and values in their order, a name as often as it comes. @throws {JavaError} BadMessageException */
export function* readPairs(text: string, what: string): Generator<readonly [name: string, value: string]> {
  for (const part of text.split('&', PARAMETERS_MAX)) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    const name = decode(equals < 0 ? part : part.slice(0, equals), what);
    yield [name, equals < 0 ? '' : decode(part.slice(equals + 1), what)];
  }
}

function decode(text: string, what: string): string {
  if (!/[%+]/.test(text)) return text;
  const bytes: Buffer[] = [];
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char !== '%' && char !== '+') continue;
    bytes.push(Buffer.from(text.slice(from, at)));
    if (char === '+') bytes.push(SPACE);
    else {
      const digits = text.slice(at + 1, at + 3);
      if (!/^[0-9a-fA-F]{2}$/.test(digits)) throw unreadable(what);
      bytes.push(Buffer.from(digits, 'hex'));
      at += 2;
    }
    from = at + 1;
  }
  bytes.push(Buffer.from(text.slice(from)));
  const whole = Buffer.concat(bytes);
  return isUtf8(whole) ? whole.toString() : cutOff(whole, what);
}

/** A character that the end cuts off is one that cannot be read; any other wrong byte is refused. Reference: Utf8Appendable */
function cutOff(bytes: Uint8Array, what: string): string {
  try {
    return `${new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: true })}\ufffd`;
  } catch {
    throw unreadable(what);
  }
}

function unreadable(what: string): JavaError {
  return new JavaError('org.eclipse.jetty.http.BadMessageException', `400: Unable to parse ${what}`);
}

const SPACE = Buffer.from(' ');
