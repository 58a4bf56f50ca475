import type { ListenOptions } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { mergeMetrics } from '../../api/metrics/merge-metrics.js';
import type { MetricSnapshot } from '../../api/metrics/metric-set.js';
import { createExporter, type MetricSource, serveMetricsPath } from '../../api/metrics/metrics-page.js';
import type { Service } from '../lifecycle/node.js';
import { openPort } from './ports/open-port.js';
import type { ServedNode } from './served-node.js';
import type { ThreadRole } from './thread-role.js';

/** Adds the path `/metrics` to the port of the status page. */
export function addMetricsPath(app: FastifyInstance, node: ServedNode): void {
  serveMetricsPath(app, sourcesOf(node));
}

/**
 * Serves the metrics of all threads on `node.metrics.prometheus.port`, if enabled. If the port is not available, logs
 * an error. The node then runs without the exporter, unless the release stops the node. Reference: Metrics.init.
 * @throws {TronError} PORT_IN_USE: the port is not available, and `ApiRelease.stopsWithoutPort` is true
 */
export async function serveExporter(node: ServedNode): Promise<Service | undefined> {
  const { enable, port } = node.config.node.metrics.prometheus;
  if (!enable) return undefined;
  const server = createExporter(sourcesOf(node));
  const listen = (options: ListenOptions): Promise<undefined> =>
    new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(options, () => resolve(undefined));
    });
  if (!(await openPort(node, { api: 'prometheus', port, listen }))) return undefined;
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Returns the sources of metrics: the main thread and all API threads. */
function sourcesOf({ metrics, gate, role }: ServedNode): readonly MetricSource[] {
  return [
    ...(metrics === undefined ? [] : [() => metrics.snapshot()]),
    ...(gate === undefined ? [] : [() => ofAllThreads(gate.metrics.set.snapshot(), role)]),
  ];
}

async function ofAllThreads(own: Promise<MetricSnapshot>, role: ThreadRole | undefined): Promise<MetricSnapshot> {
  if (role === undefined) return own;
  const metrics = await own;
  return mergeMetrics([metrics, ...(await role.otherMetrics(metrics))]);
}
