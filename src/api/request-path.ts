import { hexDigit } from './hex-digit.js';

/** A request target, resolved as Jetty does. */
export interface RequestPath {
  /** Path as sent, without the query. Shown on error pages. */
  readonly raw: string;
  /**
   * Decoded path for routing, without path parameters and dot segments. `*` addresses the server itself.
   */
  readonly path: string;
  readonly query: string | undefined;
}

/**
 * Resolves a request target: `/wallet/./x`, `/wallet/%78`, `/wallet/%u0078`, `/wallet%2fx` and
 * `/wallet;p/x` all become `/wallet/x`. Keeps empty segments.
 * Reference: org.eclipse.jetty.http.HttpURI. @returns undefined for an invalid target
 */
export function resolveTarget(target: string): RequestPath | undefined {
  const found = readTarget(target);
  return typeof found === 'string' ? undefined : found;
}

/** Returns Jetty's error text for an invalid target. */
export function targetRefusal(target: string): string {
  const found = readTarget(target);
  return typeof found === 'string' ? found : BAD_REQUEST;
}

/** Matches an absolute target and captures its authority. */
const ABSOLUTE = /^[a-zA-Z][a-zA-Z0-9+.-]*:\/\/([^/]*)/;

/**
 * Returns the error text of later Jetty releases for a target with user info.
 * Reference: Jetty 9.4.58.
 * @returns undefined if there is no user info
 */
export function userRefusal(target: string): string | undefined {
  const authority = ABSOLUTE.exec(target)?.[1] ?? '';
  const signs = authority.split('@').length - 1;
  if (signs === 0) return undefined;
  return signs === 1 ? 'User info in Authority' : BAD_REQUEST;
}

/** Matches a path without anything to resolve, which is the usual case. */
const PLAIN = /^\/[A-Za-z0-9_/-]*$/;
const BAD_REQUEST = 'Bad Request';
const AMBIGUOUS = 'Ambiguous path parameters';

/** Returns the resolved target, or the error text. */
function readTarget(target: string): RequestPath | string {
  if (PLAIN.test(target)) return { raw: target, path: target, query: undefined };
  if (target === '*') return { raw: target, path: target, query: undefined };
  const absolute = ABSOLUTE.exec(target);
  if (absolute !== null && !hasReadablePort(absolute[1] ?? '')) return BAD_REQUEST;
  const relative = target.slice(absolute?.[0].length ?? 0);
  if (absolute !== null && relative === '') return { raw: '/', path: '/', query: undefined };
  return relative.startsWith('/') ? readPath(relative) : BAD_REQUEST;
}

/** Returns true if the port of an authority is empty or a number. */
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

/** Matches a dot segment, plain or escaped, that is followed by path parameters. */
const DOTS_WITH_PARAMETERS = /\/(?:\.|%2e|%u002e){1,2};/i;

/** Matches an escape: two digits, or four after `u`. Digits are checked later by `hexDigit`. */
const ESCAPE = /%(?:u[\s\S]{4}|[^u][\s\S])/y;

/**
 * Returns the index at which the query or fragment starts. A `?` or `#` inside an escape does not start it. Escapes
 * inside path parameters are not checked. Returns undefined for an invalid or truncated escape.
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

/** Returns the path for routing, or undefined if it leads above the root. */
function handlerPath(raw: string): string | undefined {
  // If there is nothing else to resolve, Jetty removes only the last path parameter.
  if (!/%|;[^/]*\/|\/\./.test(raw)) return raw.replace(/;[^;]*$/, '');
  return resolveDots(decodePath(raw));
}

/** Decodes the escapes of a path, which are already validated. */
function decodePath(text: string): string {
  const pieces = text.match(/%u[\s\S]{4}|%[\s\S]{2}|;[^/]*|[^%;]+/g) ?? [];
  return Buffer.concat(pieces.filter((piece) => !piece.startsWith(';')).map(bytesOf)).toString();
}

function bytesOf(piece: string): Buffer {
  if (!piece.startsWith('%')) return Buffer.from(piece);
  const value = escapedValue(piece) ?? 0;
  return piece.startsWith('%u') ? Buffer.from(String.fromCharCode(value)) : Buffer.of(value);
}

/** Resolves dot segments. Returns undefined if the path leads above the root. */
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

/** Returns the name by which an API can be disabled: the second non-empty segment in lower case. */
export function apiName({ path }: RequestPath): string | undefined {
  return path
    .split('/')
    .filter((part) => part !== '')[1]
    ?.toLowerCase();
}
