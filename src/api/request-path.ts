import { hexDigit } from './hex-digit.js';

/** A request target as the reference's container resolves it. */
export interface RequestPath {
  /** As sent, without query: what error pages show. */
  readonly raw: string;
  /**
   * Decoded, path parameters taken out, dot segments resolved: what handlers are found by. `*` for the server itself.
   */
  readonly path: string;
  readonly query: string | undefined;
}

/**
 * Resolves a request target: `/wallet/./x`, `/wallet/%78`, `/wallet/%u0078`, `/wallet%2fx` and
 * `/wallet;p/x` all lead to `/wallet/x`; empty segments stay.
 * Reference: org.eclipse.jetty.http.HttpURI. @returns undefined for a target that is refused
 */
export function resolveTarget(target: string): RequestPath | undefined {
  const found = readTarget(target);
  return typeof found === 'string' ? undefined : found;
}

/** What the reference says of a target that is refused. */
export function targetRefusal(target: string): string {
  const found = readTarget(target);
  return typeof found === 'string' ? found : BAD_REQUEST;
}

/** A target with an authority, and which. */
const ABSOLUTE = /^[a-zA-Z][a-zA-Z0-9+.-]*:\/\/([^/]*)/;

/**
 * What a later container says of a target that names a user, whatever its path.
 * Reference: Jetty 9.4.58.
 * @returns undefined for none
 */
export function userRefusal(target: string): string | undefined {
  const authority = ABSOLUTE.exec(target)?.[1] ?? '';
  const signs = authority.split('@').length - 1;
  if (signs === 0) return undefined;
  return signs === 1 ? 'User info in Authority' : BAD_REQUEST;
}

/** A path with nothing to resolve, as nearly all are. */
const PLAIN = /^\/[A-Za-z0-9_/-]*$/;
const BAD_REQUEST = 'Bad Request';
const AMBIGUOUS = 'Ambiguous path parameters';

/** A text for a target that is refused: why. */
function readTarget(target: string): RequestPath | string {
  if (PLAIN.test(target)) return { raw: target, path: target, query: undefined };
  if (target === '*') return { raw: target, path: target, query: undefined };
  const absolute = ABSOLUTE.exec(target);
  if (absolute !== null && !hasReadablePort(absolute[1] ?? '')) return BAD_REQUEST;
  const relative = target.slice(absolute?.[0].length ?? 0);
  if (absolute !== null && relative === '') return { raw: '/', path: '/', query: undefined };
  return relative.startsWith('/') ? readPath(relative) : BAD_REQUEST;
}

/** A port of an authority is a number, or nothing. */
function hasReadablePort(authority: string): boolean {
  const port = /:([^:@\]]*)$/.exec(authority)?.[1];
  return port === undefined || /^\d*$/.test(port);
}

function readPath(target: string): RequestPath | string {
  const end = endOfPath(target);
  if (end === undefined) return BAD_REQUEST;
  const raw = target.slice(0, end);
  if (DOTS_WITH_PARAMETERS.test(raw)) return AMBIGUOUS;
  const path = handlerPath(raw);
  const query = target[end] === '?' ? target.slice(end + 1).replace(/#.*$/s, '') : undefined;
  return path === undefined ? BAD_REQUEST : { raw, path, query };
}

/** A dot segment, however it is written, that parameters follow. */
const DOTS_WITH_PARAMETERS = /\/(?:\.|%2e|%u002e){1,2};/i;

/** Two digits, or four behind `u`; the digits may be such that `hexDigit` alone takes them. */
const ESCAPE = /%(?:u[\s\S]{4}|[^u][\s\S])/y;

/**
 * Where the query, or the fragment, begins: what belongs to an escape does not begin it, nor does an escape count in a
 * path parameter. Undefined for an escape that is none, or that is cut off.
 */
function endOfPath(text: string): number | undefined {
  let isParameter = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === '?' || char === '#') return at;
    if (char === ';') isParameter = true;
    else if (char === '/') isParameter = false;
    else if (char === '%' && !isParameter) {
      ESCAPE.lastIndex = at;
      const value = escapedValue(ESCAPE.exec(text)?.[0]);
      if (value === undefined || value === 0) return undefined;
      at = ESCAPE.lastIndex - 1;
    }
  }
  return text.length;
}

function escapedValue(text: string | undefined): number | undefined {
  let value = text === undefined ? undefined : 0;
  for (const char of text?.replace(/^%u?/, '') ?? '') {
    const digit = hexDigit(char);
    value = value === undefined || digit === undefined ? undefined : value * 16 + digit;
  }
  return value;
}

/** Undefined when the path leads above the root. */
function handlerPath(raw: string): string | undefined {
  // Where nothing else is to be resolved, only the last of several parameters is taken out.
  if (!/%|;[^/]*\/|\/\./.test(raw)) return raw.replace(/;[^;]*$/, '');
  return resolveDots(decodePath(raw));
}

/** Escapes are known to be whole. */
function decodePath(text: string): string {
  const pieces = text.match(/%u[\s\S]{4}|%[\s\S]{2}|;[^/]*|[^%;]+/g) ?? [];
  return Buffer.concat(pieces.filter((piece) => !piece.startsWith(';')).map(bytesOf)).toString();
}

function bytesOf(piece: string): Buffer {
  if (!piece.startsWith('%')) return Buffer.from(piece);
  const value = escapedValue(piece) ?? 0;
  return piece.startsWith('%u') ? Buffer.from(String.fromCharCode(value)) : Buffer.of(value);
}

/** Undefined when the path leads above the root. */
function resolveDots(path: string): string | undefined {
  if (!/(^|\/)\.\.?(\/|$)/.test(path)) return path;
  const segments: string[] = [];
  const parts = path.split('/').slice(1);
  for (const [at, part] of parts.entries()) {
    const isLast = at === parts.length - 1;
    if (part === '..') {
      if (segments.pop() === undefined) return undefined;
      if (isLast) segments.push('');
    } else if (part !== '.') segments.push(part);
    else if (isLast) segments.push('');
  }
  return `/${segments.join('/')}`;
}

/** Name by which an API is switched off: the second segment in lower case, empty segments passed over. */
export function apiName({ path }: RequestPath): string | undefined {
  return path
    .split('/')
    .filter((part) => part !== '')[1]
    ?.toLowerCase();
}
