import { hexDigit } from './hex-digit.js';

/** Path and query of a request target, resolved as Jetty does. */
interface RequestPath {
  /** Decoded path for routing, without path parameters and dot segments. */
  readonly path: string;
  readonly query: string | undefined;
}

/** Matches a target that is a complete URL, and captures its authority (host and port). */
const ABSOLUTE = /^[a-zA-Z][a-zA-Z0-9+.-]*:\/\/([^/]*)/;
/** Matches a path that needs no resolution, which is the usual case. */
const PLAIN = /^\/[A-Za-z0-9_/-]*$/;
/** Matches a path that needs no resolution, with an optional query. */
const PLAIN_WITH_QUERY = /^\/[A-Za-z0-9_/-]*(?:\?[^#]*)?$/;

/**
 * Resolves a request target: `/wallet/./x`, `/wallet/%78`, `/wallet/%u0078`, `/wallet%2fx` and
 * `/wallet;p/x` all become `/wallet/x`. Keeps empty segments.
 * Reference: org.eclipse.jetty.http.HttpURI. @returns undefined for an invalid target
 */
export function resolveTarget(target: string): RequestPath | undefined {
  if (PLAIN.test(target)) return { path: target, query: undefined };
  const absolute = ABSOLUTE.exec(target);
  if (absolute !== null && !hasReadablePort(absolute[1] ?? '')) return undefined;
  const relative = target.slice(absolute?.[0].length ?? 0);
  if (absolute !== null && relative === '') return { path: '/', query: undefined };
  return relative.startsWith('/') ? readPath(relative) : undefined;
}

/** A target that Fastify's router rejects as malformed. */
const MALFORMED = '/%';

/**
 * Returns the request target for Fastify's router: the path that `resolveTarget` returns, percent-encoded, and the
 * query. For an invalid target, returns a target that the router rejects.
 */
export function routedTarget(target: string): string {
  if (PLAIN_WITH_QUERY.test(target)) return target;
  const found = resolveTarget(target);
  if (found === undefined) return MALFORMED;
  const path = found.path.split('/').map(encodeURIComponent).join('/');
  return found.query === undefined ? path : `${path}?${found.query}`;
}

/** Returns the query of a request target; undefined if it has no query. */
export function queryOf(target: string): string | undefined {
  const at = target.indexOf('?');
  if (at < 0) return undefined;
  return PLAIN_WITH_QUERY.test(target) ? target.slice(at + 1) : resolveTarget(target)?.query;
}

/** Returns true if the port of an authority is empty or a number. */
function hasReadablePort(authority: string): boolean {
  const port = /:([^:@\]]*)$/.exec(authority)?.[1];
  return port === undefined || /^\d*$/.test(port);
}

function readPath(target: string): RequestPath | undefined {
  const end = endOfPath(target);
  if (end === undefined) return undefined;
  const raw = target.slice(0, end);
  if (DOTS_WITH_PARAMETERS.test(raw)) return undefined;
  const path = handlerPath(raw);
  const query = target[end] === '?' ? target.slice(end + 1).replace(/#.*$/s, '') : undefined;
  return path === undefined ? undefined : { path, query };
}

/** Matches a dot segment (plain or escaped) with path parameters after it. */
const DOTS_WITH_PARAMETERS = /\/(?:\.|%2e|%u002e){1,2};/i;

/**
 * Matches a percent sign with two characters, or with `u` and four characters. `hexDigit` later checks that they are
 * digits.
 */
const ESCAPE = /%(?:u[\s\S]{4}|[^u][\s\S])/y;

/**
 * Returns the index at which the query or the fragment starts. A `?` or `#` inside an escape does not count. Does not
 * check escapes inside path parameters. Returns undefined for an invalid or truncated escape, and for an escaped zero
 * byte (`%00`).
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

/** Returns the path for routing; undefined if the path leads above the root. */
function handlerPath(raw: string): string | undefined {
  // If the path has no escapes and no dot segments, and has parameters only in its last segment, Jetty removes only the
  // last of these parameters.
  if (!/%|;[^/]*\/|\/\./.test(raw)) return raw.replace(/;[^;]*$/, '');
  return resolveDots(decodePath(raw));
}

/** Decodes the escapes of a path and removes the path parameters. All escapes must be valid. */
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

/**
 * Returns the name with which `node.disabledApi` disables an API: the second non-empty segment of the path, in lower
 * case.
 */
export function apiName(path: string): string | undefined {
  return path
    .split('/')
    .filter((part) => part !== '')[1]
    ?.toLowerCase();
}
