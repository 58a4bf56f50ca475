import type { FastifyInstance } from 'fastify';
import { mergeMetrics } from '../../api/metrics/merge-metrics.js';
import type { MetricSnapshot } from '../../api/metrics/metric-set.js';
import { createExporter, type MetricSource, serveMetricsPath } from '../../api/metrics/metrics-page.js';
import type { Service } from '../lifecycle/node.js';
import { refusePort } from './ports/refused-port.js';
import type { ServedNode } from './served-node.js';
import type { ThreadRole } from './thread-role.js';

/** Adds `/metrics` to the port of the status page. */
export function addMetricsPath(app: FastifyInstance, node: ServedNode): void {
  serveMetricsPath(app, sourcesOf(node));
}

/**
 * Serves the metrics of all threads on `node.metrics.prometheus.port`, if enabled. If the port is not available, logs
 * an error and the node runs without it. Reference: Metrics.init.
 */
export async function serveExporter(node: ServedNode): Promise<Service | undefined> {
  const { enable, port } = node.config.node.metrics.prometheus;
  if (!enable) return undefined;
  const server = createExporter(sourcesOf(node));
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host: node.config.tronicle.api.address, port }, resolve);
    });
    node.log.info({ api: 'prometheus', port }, 'server listening');
  } catch (error) {
    refusePort({ api: 'prometheus', port, release: node.api.settings.release, log: node.log }, error);
    return undefined;
  }
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Returns the metrics of the main thread and those of all API threads. */
function sourcesOf({ metrics, gate, role }: ServedNode): readonly MetricSource[] {
  return [
    ...(metrics === undefined ? [] : [() => metrics.snapshot()]),
    ...(gate === undefined ? [] : [() => ofAllThreads(gate.metrics.set.snapshot(), role)]),
  ];
}

async function ofAllThreads(own: Promise<MetricSnapshot>, role: ThreadRole | undefined): Promise<MetricSnapshot> {
  if (role === undefined) return own;
  return mergeMetrics([await own, ...(await role.otherMetrics())]);
}
