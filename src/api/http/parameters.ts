import { JavaError } from '../../java/error.js';

/** Values of each parameter, in their order. */
export type Parameters = ReadonlyMap<string, readonly string[]>;

/**
 * Parameters of a query, then of a form. Reference: org.eclipse.jetty.util.UrlEncoded. @throws {JavaError}
 * BadMessageException
 */
export function readParameters(query: string | undefined, form: string | undefined): Parameters {
  const found = new Map<string, string[]>();
  if (query !== undefined) read(query, found, 'URI query');
  if (form !== undefined) read(form, found, 'form content');
  return found;
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
      if (!/^[0-9a-fA-F]{2}$/.test(digits)) {
        throw new JavaError('org.eclipse.jetty.http.BadMessageException', `400: Unable to parse ${what}`);
      }
      bytes.push(Buffer.from(digits, 'hex'));
      at += 2;
    }
    from = at + 1;
  }
  bytes.push(Buffer.from(text.slice(from)));
  return Buffer.concat(bytes).toString();
}

const SPACE = Buffer.from(' ');
