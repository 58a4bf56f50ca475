import type { Logger } from 'pino';
import type { NodeConfig } from './config/load-config.js';

/** Says once, at the start, which switched-on keys ask for something that this node does not do yet. */
export function warnUnserved(config: NodeConfig, log: Logger): void {
  const { node, rateLimiter, tronicle, eventSubscription } = config;
  const asked: readonly (readonly [key: string, isOn: boolean])[] = [
    ['node.metrics.prometheus.enable', node.metrics.prometheus.enable],
    ['node.metricsEnable', node.metricsEnable],
    ['rate.limiter.http', rateLimiter.http.length > 0],
    ['rate.limiter.rpc', rateLimiter.rpc.length > 0],
    ['event.subscribe', eventSubscription],
    ['tronicle.admin.enable', tronicle.admin.enable],
    ['tronicle.api.reflection', tronicle.api.reflection],
    ['tronicle.api.cors', tronicle.api.cors.length > 0],
    ['tronicle.projections', tronicle.projections.length > 0],
  ];
  for (const [key, isOn] of asked) if (isOn) log.warn(`${key} has no effect in this release`);
}
