import { Meter, NO_RATE } from './meter.js';
import { MetricSet } from './metric-set.js';
import { apiMetrics } from './reference-metrics.js';
/** Endpoints that are told apart: paths are the callers' choice. */
const ENDPOINTS_MAX = 1_000;
const OK = 200;
const NOT_FOUND = 404;
/** Counts what the interfaces do, for Prometheus and for `getstatsinfo`. Reference: HttpInterceptor, MetricInterceptor. */
export class ApiMetrics {
    set = new MetricSet(apiMetrics);
    hasMeters;
    now;
    qps;
    failQps;
    outTraffic;
    endpoints = new Map();
    constructor({ hasMeters, now }) {
        this.hasMeters = hasMeters;
        this.now = now;
        this.qps = new Meter(now);
        this.failQps = new Meter(now);
        this.outTraffic = new Meter(now);
    }
    servletDone(url, seconds) {
        this.set.observe('tron:http_service_latency_seconds', seconds, [url]);
    }
    responseSent(url, status, bytes) {
        this.set.observe('tron:http_bytes', bytes, [url, String(status)]);
        if (!this.hasMeters)
            return;
        this.qps.mark();
        if (status !== OK)
            this.failQps.mark();
        if (status === NOT_FOUND)
            return;
        this.outTraffic.mark(bytes);
        const endpoint = this.endpoint(url);
        if (endpoint === undefined)
            return;
        endpoint.qps.mark();
        endpoint.outTraffic ??= new Meter(this.now);
        endpoint.outTraffic.mark(bytes);
        if (status === OK)
            return;
        endpoint.failQps ??= new Meter(this.now);
        endpoint.failQps.mark();
    }
    grpcCalled(endpoint) {
        if (!this.hasMeters)
            return;
        this.qps.mark();
        this.endpoint(endpoint)?.qps.mark();
    }
    grpcDone(endpoint, seconds) {
        this.set.observe('tron:grpc_service_latency_seconds', seconds, [endpoint]);
    }
    rpcMethodDone(method, seconds) {
        this.set.observe('tron:jsonrpc_service_latency_seconds', seconds, [method]);
    }
    /** Traffic since the start; endpoints in the order of their names. */
    traffic() {
        if (!this.hasMeters)
            return { qps: NO_RATE, failQps: NO_RATE, outTraffic: NO_RATE, detail: [] };
        const names = [...this.endpoints.keys()].sort();
        return {
            qps: this.qps.rate(),
            failQps: this.failQps.rate(),
            outTraffic: this.outTraffic.rate(),
            detail: names.map((name) => trafficOf(name, this.endpoints.get(name))),
        };
    }
    endpoint(name) {
        const known = this.endpoints.get(name);
        if (known !== undefined || this.endpoints.size >= ENDPOINTS_MAX)
            return known;
        const made = { qps: new Meter(this.now) };
        this.endpoints.set(name, made);
        return made;
    }
}
function trafficOf(name, { qps, failQps, outTraffic }) {
    return {
        name,
        qps: qps.rate(),
        ...(failQps === undefined ? {} : { failQps: failQps.rate() }),
        ...(outTraffic === undefined ? {} : { outTraffic: outTraffic.rate() }),
    };
}
//# sourceMappingURL=api-metrics.js.map