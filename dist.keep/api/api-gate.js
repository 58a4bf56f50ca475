import { Admission } from './admission/admission.js';
import { isLiteNode } from './admission/lite-node.js';
import { ApiMetrics } from './metrics/api-metrics.js';
export function createApiGate(options) {
    const { api, rates, hasMeters, opensHistory, chainStatistics, node } = options;
    // Where its blocks begin does not change while a node runs.
    let isLite;
    return {
        admission: new Admission(rates),
        metrics: new ApiMetrics({ hasMeters, now: () => performance.now() }),
        hasMeters,
        node,
        startedMs: performance.now(),
        chainStatistics,
        closesHistory: () => {
            if (opensHistory)
                return false;
            isLite ??= isLiteNode(api.view('head'));
            return isLite;
        },
    };
}
//# sourceMappingURL=api-gate.js.map