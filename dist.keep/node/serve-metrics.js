import { createExporter, serveMetricsPath } from '../api/metrics/metrics-page.js';
/** `/metrics` on the port of the status page. */
export function addMetricsPath(app, node) {
    serveMetricsPath(app, sourcesOf(node));
}
/**
 * Serves the counters of all threads on `node.metrics.prometheus.port`, when it is enabled. A port that cannot be had is an error in
 * the log; the node runs on without. Reference: Metrics.init.
 */
export async function serveExporter(node) {
    const { enable, port } = node.config.node.metrics.prometheus;
    if (!enable)
        return undefined;
    const server = createExporter(sourcesOf(node));
    try {
        await new Promise((resolve, reject) => {
            server.once('error', reject);
            server.listen({ host: '0.0.0.0', port }, resolve);
        });
        node.log.info({ api: 'prometheus', port }, 'serves');
    }
    catch (error) {
        node.log.error({ err: error, api: 'prometheus', port }, 'cannot serve');
        return undefined;
    }
    return {
        close: () => new Promise((resolve) => {
            server.close(() => resolve());
            server.closeAllConnections();
        }),
    };
}
function sourcesOf({ metrics, gate }) {
    return [
        ...(metrics === undefined ? [] : [() => metrics.snapshot()]),
        ...(gate === undefined ? [] : [() => gate.metrics.set.snapshot()]),
    ];
}
//# sourceMappingURL=serve-metrics.js.map