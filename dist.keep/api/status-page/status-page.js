import { readFile } from 'node:fs/promises';
/** Files of the page as they stand in the repository: nothing builds them. From `src` and from `dist` alike it is three steps up. */
const FOLDER = new URL('../../../src/api/status-page/page/', import.meta.url);
const FILES = [
    ['/', 'index.html', 'text/html; charset=utf-8'],
    ['/status.css', 'status.css', 'text/css; charset=utf-8'],
    ['/status.js', 'status.js', 'text/javascript; charset=utf-8'],
    ['/queries.js', 'queries.js', 'text/javascript; charset=utf-8'],
];
/** The page runs what this node sends and nothing else. */
const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'";
/** The status page at `/`, for people. It asks GraphQL of the same server. @throws {Error} a file of the page is missing */
export async function serveStatusPage(app) {
    for (const [path, file, type] of FILES) {
        const text = await readFile(new URL(file, FOLDER), 'utf8');
        app.get(path, (_, reply) => reply
            .type(type)
            .header('cache-control', 'no-cache')
            .header('content-security-policy', POLICY)
            .header('x-content-type-options', 'nosniff')
            .send(text));
    }
}
//# sourceMappingURL=status-page.js.map