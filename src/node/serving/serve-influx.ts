import { InfluxReporter } from '../../api/metrics/influx-reporter.js';
import type { Service } from '../lifecycle/node.js';
import type { ServedNode } from './served-node.js';

/**
 * Pushes meters to InfluxDB, if `node.metrics.storageEnable` and `node.metricsEnable` are set. Reference:
 * MetricsUtil.init.
 */
export function serveInflux({ api, config, gate, log, metrics }: ServedNode): Service | undefined {
  const { metricsEnable, metrics: keys } = config.node;
  if (!metricsEnable || !keys.storageEnable || gate === undefined || metrics === undefined) return undefined;
  const { release } = api.settings;
  if (!release.hasInflux) {
    log.warn({ release: release.name }, 'node.metrics.storageEnable ignored: this release has no InfluxDB support');
    return undefined;
  }
  const { ip: host, port, database, metricsReportInterval } = keys.influxdb;
  return new InfluxReporter({
    ...{ host, port, database },
    intervalMs: Math.max(1, metricsReportInterval) * 1000,
    read: () => ({ chain: metrics.statistics(), api: gate.traffic() }),
    now: Date.now,
    onChange: (problem) => {
      if (problem === undefined) log.info({ host, port }, 'InfluxDB writes succeed again');
      else log.warn({ host, port, database, problem }, 'InfluxDB write failed, retrying');
    },
  });
}
