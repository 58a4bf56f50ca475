import { isMainThread } from 'node:worker_threads';
import { Gauge } from 'prom-client';
import { handlerNames } from '../../api/http/route-table.js';
import { NO_STATISTICS } from '../../api/metrics/chain-metrics.js';
import { addLoopDelay } from '../../api/metrics/loop-delay.js';
import { type ApiMiddleware, createApiMiddleware } from '../../api/middleware/api-middleware.js';
import { ownIpv4 } from '../peers/own-address.js';
import type { ServedNode } from './served-node.js';

/**
 * Default limit of calls per second of an interface. Used in releases that have no configuration key for this default.
 */
const DEFAULT_INTERFACE_QPS = 1_000;

type CreatedFrom = Pick<ServedNode, 'api' | 'config' | 'log' | 'metrics' | 'role'>;

/** Creates the rate limits and counters of all servers, and the list of disabled interfaces, from the configuration. */
export function createMiddleware({ api, config, log, metrics, role }: CreatedFrom): ApiMiddleware {
  const { node, rateLimiter, witness } = config;
  const { release } = api.settings;
  const { admission: rules } = release;
  const handlers = handlerNames(release);
  const gate = createApiMiddleware({
    api,
    rates: {
      qps: rateLimiter.global.qps,
      addressQps: rateLimiter.global.ip.qps,
      interfaceQps: rules.hasLaterKeys ? rateLimiter.global.api.qps : DEFAULT_INTERFACE_QPS,
      refusesAtOnce: rules.hasLaterKeys && rateLimiter.apiNonBlocking,
      rules,
      http: rateLimiter.http.filter(({ component }) => !rules.stopsAtBadLimits || handlers.has(component)),
      rpc: rateLimiter.rpc,
      warn: (text) => log.warn(text),
    },
    shared: role?.limits,
    hasMeters: node.metricsEnable,
    opensHistory: node.openHistoryQueryWhenLiteFN,
    node: { ip: ownIpv4(config), witness: witness.accountAddress },
    chainStatistics: () => metrics?.statistics() ?? NO_STATISTICS,
    otherTraffic: () => role?.otherTraffic() ?? [],
  });
  const { registry } = gate.metrics.set;
  if (!isMainThread) addLoopDelay(registry, role?.name ?? 'api');
  new Gauge({
    name: 'tronicle_waiting_calls',
    help: 'API calls delayed by the rate limits',
    registers: [registry],
    collect() {
      this.set(gate.admission.queuedCalls);
    },
  });
  return gate;
}
