/** A request target as the reference's container resolves it. */
export interface RequestPath {
  /** As sent, without query: what error pages show. */
  readonly raw: string;
  /** Decoded, path parameters taken out, dot segments resolved: what handlers are found by. */
  readonly path: string;
  readonly query: string | undefined;
}

/**
 * Resolves a request target: `/wallet/./x`, `/wallet/%78`, `/wallet%2fx` and `/wallet;p/x` all lead to `/wallet/x`;
 * empty segments stay.
 * Reference: org.eclipse.jetty.http.HttpURI. @returns undefined for a target that is refused
 */
export function resolveTarget(target: string): RequestPath | undefined {
  if (PLAIN.test(target)) return { raw: target, path: target, query: undefined };
  const relative = target.replace(/^[a-zA-Z][a-zA-Z0-9+.-]*:\/\/[^/?#]*/, '').replace(/#.*$/, '');
  const mark = relative.indexOf('?');
  const raw = mark < 0 ? relative : relative.slice(0, mark);
  const query = mark < 0 ? undefined : relative.slice(mark + 1);
  const decoded = decodePath(raw.replace(/;[^/]*/g, ''));
  const path = decoded === undefined ? undefined : resolveDots(decoded);
  return path === undefined ? undefined : { raw, path, query };
}

/** A path with nothing to resolve, as nearly all are. */
const PLAIN = /^\/[A-Za-z0-9_/-]*$/;

/** Undefined for a broken escape, or a zero byte. */
function decodePath(text: string): string | undefined {
  if (!text.includes('%')) return text;
  if (/%(?![0-9a-fA-F]{2})|%00/.test(text)) return undefined;
  const bytes = Buffer.from(
    text.replace(/%([0-9a-fA-F]{2})/g, (_all, digits: string) => String.fromCharCode(Number.parseInt(digits, 16))),
    'latin1',
  );
  return bytes.toString();
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
