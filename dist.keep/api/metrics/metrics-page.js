import { createServer } from 'node:http';
import { EXPOSITION_TYPE, exposition } from './exposition.js';
/** Scrapers of the exporter's own port at once. */
const CONNECTIONS_MAX = 64;
const REQUEST_TIMEOUT_MS = 10_000;
/** `/metrics` beside the status page. */
export function serveMetricsPath(app, sources) {
    app.get('/metrics', async (_, reply) => reply.type(EXPOSITION_TYPE).send(await metricsText(sources)));
}
/**
 * The exporter of `node.metrics.prometheus.port`, not yet listening: it answers any path with the metrics, `/-/healthy` with a word.
 * Reference: io.prometheus.client.exporter.HTTPServer.
 */
export function createExporter(sources) {
    const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS, maxHeaderSize: 8192 }, (request, response) => {
        const end = (status, text) => {
            response.writeHead(status, { 'content-type': EXPOSITION_TYPE, 'content-length': Buffer.byteLength(text) });
            response.end(request.method === 'HEAD' ? undefined : text);
        };
        if (request.url === '/-/healthy')
            return end(200, 'Exporter is Healthy.');
        metricsText(sources).then((text) => end(200, text), () => end(500, ''));
    });
    server.maxConnections = CONNECTIONS_MAX;
    return server;
}
async function metricsText(sources) {
    return exposition(await Promise.all(sources.map((source) => source())));
}
//# sourceMappingURL=metrics-page.js.map