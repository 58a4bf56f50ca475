import { JavaError } from '../../java-compat/java-error.js';
import { hexDigit } from '../hex-digit.js';
import { notUtf8, Utf8Text } from './utf8-text.js';

/** Values of each parameter, by name. The values of one name are in the order of the request. */
export type Parameters = ReadonlyMap<string, readonly string[]>;

/** Maximum number of query parameters that are read. Further parameters are ignored; no handler needs more. */
const PARAMETERS_MAX = 1000;
/** Maximum number of form parameters. Reference: Jetty's ContextHandler */
const FORM_NAMES_MAX = 1000;
/** Maximum size of a form, in bytes. Reference: Jetty's ContextHandler */
const FORM_BYTES_MAX = 200_000;

/**
 * Returns the parameters of the query and of the form. As in Jetty, the form is parsed first, but for equal names the
 * values of the query precede the values of the form. Reference: org.eclipse.jetty.server.Request.getParameters.
 * @throws {JavaError} BadMessageException: the query or the form is malformed
 */
export function readParameters(query: string | undefined, form: Uint8Array | undefined): Parameters {
  const ofForm = form === undefined ? new Map<string, string[]>() : readForm(form);
  const found = query === undefined ? new Map<string, string[]>() : read(query, 'URI query', PARAMETERS_MAX);
  for (const [name, values] of ofForm) found.set(name, [...(found.get(name) ?? []), ...values]);
  return found;
}

function readForm(form: Uint8Array): Map<string, string[]> {
  if (form.length > FORM_BYTES_MAX) throw unreadable('form content');
  const found = read(escapedBytes(form), 'form content', Number.POSITIVE_INFINITY);
  if (found.size > FORM_NAMES_MAX) throw unreadable('form content');
  return found;
}

/** Percent-encodes the non-ASCII bytes of a form, so that a later step decodes all bytes as UTF-8. */
function escapedBytes(form: Uint8Array): string {
  const text = Buffer.from(form).toString('latin1');
  return text.replace(/[\x80-\xff]/g, (char) => `%${char.charCodeAt(0).toString(16)}`);
}

function read(text: string, what: string, most: number): Map<string, string[]> {
  const found = new Map<string, string[]>();
  let count = 0;
  try {
    for (const [name, value] of readPairs(text)) {
      const before = found.get(name);
      if (before === undefined) found.set(name, [value]);
      else before.push(value);
      if (++count >= most) break;
    }
  } catch (error) {
    if (error instanceof JavaError) throw unreadable(what);
    throw error;
  }
  return found;
}

/**
 * Yields the names and values of parameters in order, including repeated names. Reference:
 * org.eclipse.jetty.util.UrlEncoded.decodeUtf8To.
 * @throws {JavaError} NotUtf8Exception: invalid UTF-8; IllegalArgumentException: an invalid percent escape
 */
export function* readPairs(text: string): Generator<readonly [name: string, value: string]> {
  const part = new Utf8Text();
  let name: string | undefined;
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '&') {
      const decoded = part.take();
      if (name !== undefined) yield [name, decoded];
      else if (decoded !== '') yield [decoded, ''];
      name = undefined;
    } else if (token === '=' && name === undefined) name = part.take();
    else if (token === '+') part.addByte(SPACE);
    else if (token.startsWith('%')) part.addByte(escapedByte(token));
    else part.addText(token);
  }
  const decoded = part.take();
  if (name !== undefined) yield [name, decoded];
  else if (decoded !== '') yield [decoded, ''];
}

/** Tokens of a form. A percent escape is `%` and the next two characters, even if these are not hex digits. */
const TOKEN = /[&=+]|%[\s\S]{0,2}|[^&=+%]+/g;
const SPACE = 0x20;

function escapedByte(text: string): number {
  const [, high, low] = text;
  if (high === undefined || low === undefined) throw notUtf8('Incomplete % encoding');
  const [first, second] = [hexDigit(high), hexDigit(low)];
  if (first === undefined || second === undefined) {
    throw new JavaError('java.lang.IllegalArgumentException', `Not valid encoding '${text}'`);
  }
  return first * 16 + second;
}

function unreadable(what: string): JavaError {
  return new JavaError('org.eclipse.jetty.http.BadMessageException', `400: Unable to parse ${what}`);
}
