import { isMainThread } from 'node:worker_threads';
import { Gauge } from 'prom-client';
import { createApiGate } from '../api/api-gate.js';
import { NO_STATISTICS } from '../api/metrics/chain-metrics.js';
import { addLoopDelay } from '../api/metrics/loop-delay.js';
/** Rates, counters and closed interfaces of all servers, as the configuration says. */
export function gateOf({ api, config, log, metrics }) {
    const { node, rateLimiter, witness } = config;
    const gate = createApiGate({
        api,
        rates: {
            qps: rateLimiter.global.qps,
            addressQps: rateLimiter.global.ip.qps,
            http: rateLimiter.http,
            rpc: rateLimiter.rpc,
            warn: (text) => log.warn(text),
        },
        hasMeters: node.metricsEnable,
        opensHistory: node.openHistoryQueryWhenLiteFN,
        node: { ip: node.discovery.external.ip ?? '127.0.0.1', witness: witness.accountAddress },
        chainStatistics: () => metrics?.statistics() ?? NO_STATISTICS,
    });
    const { registry } = gate.metrics.set;
    if (!isMainThread)
        addLoopDelay(registry, 'api');
    new Gauge({
        name: 'tronicle_waiting_calls',
        help: 'Calls that wait for their turn by the rate limits',
        registers: [registry],
        collect() {
            this.set(gate.admission.waitingCalls);
        },
    });
    return gate;
}
//# sourceMappingURL=create-gate.js.map