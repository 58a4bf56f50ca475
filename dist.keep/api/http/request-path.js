/**
 * Resolves a request target: `/wallet/./x`, `/wallet/%78`, `/wallet%2fx` and `/wallet;p/x` all lead to `/wallet/x`;
 * empty segments stay.
 * Reference: org.eclipse.jetty.http.HttpURI. @returns undefined for a target that is refused
 */
export function resolveTarget(target) {
    if (PLAIN.test(target))
        return { raw: target, path: target, query: undefined };
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
function decodePath(text) {
    if (!text.includes('%'))
        return text;
    if (/%(?![0-9a-fA-F]{2})|%00/.test(text))
        return undefined;
    const bytes = Buffer.from(text.replace(/%([0-9a-fA-F]{2})/g, (_all, digits) => String.fromCharCode(Number.parseInt(digits, 16))), 'latin1');
    return bytes.toString();
}
/** Undefined when the path leads above the root. */
function resolveDots(path) {
    if (!/(^|\/)\.\.?(\/|$)/.test(path))
        return path;
    const segments = [];
    const parts = path.split('/').slice(1);
    for (const [at, part] of parts.entries()) {
        const isLast = at === parts.length - 1;
        if (part === '..') {
            if (segments.pop() === undefined)
                return undefined;
            if (isLast)
                segments.push('');
        }
        else if (part !== '.')
            segments.push(part);
        else if (isLast)
            segments.push('');
    }
    return `/${segments.join('/')}`;
}
/** Name by which an API is switched off: the second segment in lower case, empty segments passed over. */
export function apiName({ path }) {
    return path
        .split('/')
        .filter((part) => part !== '')[1]
        ?.toLowerCase();
}
//# sourceMappingURL=request-path.js.map