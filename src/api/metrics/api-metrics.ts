import { resolveTarget } from '../request-path.js';
import type { Rate } from './meter.js';
import { Meter, NO_RATE } from './meter.js';
import { MetricSet, UNDEFINED } from './metric-set.js';
import { type ApiMetricName, apiMetrics } from './reference-metrics.js';

/** Receives events of calls: their arrival, their end and their responses. */
export interface ApiObserver {
  /** Returns the label under which a request is counted. @param target path and query as the client sent them */
  urlOf(target: string): string;
  /** Called after an HTTP handler ran. @param url label that `urlOf` returned */
  servletDone(url: string, seconds: number): void;
  /** Called after a response of the full node's HTTP or JSON-RPC server was sent. */
  responseSent(url: string, status: number, bytes: number): void;
  /** Called when a gRPC call arrives. @param endpoint name of the method, as `protocol.<Service>/<Method>` */
  grpcCalled(endpoint: string): void;
  grpcDone(endpoint: string, seconds: number): void;
  /** Called after a JSON-RPC method returned a result. */
  rpcMethodDone(method: string, seconds: number): void;
}

/** Traffic of an endpoint in `getstatsinfo`. */
export interface EndpointTraffic {
  readonly name: string;
  readonly qps: Rate;
  readonly failQps?: Rate;
  readonly outTraffic?: Rate;
}

export interface ApiTraffic {
  readonly qps: Rate;
  readonly failQps: Rate;
  readonly outTraffic: Rate;
  readonly detail: readonly EndpointTraffic[];
}

interface ApiMetricsOptions {
  /** True if meters are enabled (`node.metricsEnable`). If false, all meters stay at 0. */
  readonly hasMeters: boolean;
  /** True if requests are counted under the path of their handler, as in release 4.8.2 and later. */
  readonly byHandler?: boolean;
  /** Returns the current time in milliseconds. */
  readonly now: () => number;
}

interface EndpointMeters {
  readonly qps: Meter;
  failQps?: Meter;
  outTraffic?: Meter;
}

/** Maximum number of endpoints with separate meters. Clients can request any path, so a limit is necessary. */
const ENDPOINTS_MAX = 1_000;
const OK = 200;
const BAD_REQUEST = 400;
const NOT_FOUND = 404;
const NOT_ACCEPTABLE = 406;

/**
 * Counts calls of the interfaces, for Prometheus and for `getstatsinfo`.
 * Reference: HttpInterceptor, MetricInterceptor.
 */
export class ApiMetrics implements ApiObserver {
  readonly set = new MetricSet<ApiMetricName>(apiMetrics);
  private readonly hasMeters: boolean;
  private readonly byHandler: boolean;
  private readonly now: () => number;
  private readonly qps: Meter;
  private readonly failQps: Meter;
  private readonly outTraffic: Meter;
  private readonly endpoints = new Map<string, EndpointMeters>();

  constructor({ hasMeters, byHandler = false, now }: ApiMetricsOptions) {
    this.hasMeters = hasMeters;
    this.byHandler = byHandler;
    this.now = now;
    this.qps = new Meter(now);
    this.failQps = new Meter(now);
    this.outTraffic = new Meter(now);
  }

  urlOf(target: string): string {
    if (this.byHandler) return resolveTarget(target)?.path ?? UNDEFINED;
    const end = target.search(/[?#]/);
    return end < 0 ? target : target.slice(0, end);
  }

  servletDone(url: string, seconds: number): void {
    this.set.observe('tron:http_service_latency_seconds', seconds, [url]);
  }

  responseSent(url: string, status: number, bytes: number): void {
    if (this.byHandler) this.sentByHandler(url, status, bytes);
    else this.sent(url, status, bytes);
  }

  /**
   * Counts a response. As in java-tron, a response with a status from 400 to 406 counts as a request without a
   * handler. All such responses have one common label. Reference: HttpInterceptor of 4.8.2.
   */
  private sentByHandler(url: string, status: number, bytes: number): void {
    const isUnhandled = status >= BAD_REQUEST && status <= NOT_ACCEPTABLE;
    this.set.observe('tron:http_bytes', bytes, [isUnhandled ? UNDEFINED : url, String(status)]);
    if (!this.hasMeters) return;
    this.qps.mark();
    this.outTraffic.mark(bytes);
    if (status !== OK) this.failQps.mark();
    if (isUnhandled) return;
    const endpoint = this.endpoint(url);
    if (endpoint === undefined) return;
    endpoint.outTraffic ??= new Meter(this.now);
    endpoint.outTraffic.mark(bytes);
    if (status === OK) {
      endpoint.qps.mark();
      return;
    }
    endpoint.failQps ??= new Meter(this.now);
    endpoint.failQps.mark();
  }

  private sent(url: string, status: number, bytes: number): void {
    this.set.observe('tron:http_bytes', bytes, [url, String(status)]);
    if (!this.hasMeters) return;
    this.qps.mark();
    if (status !== OK) this.failQps.mark();
    if (status === NOT_FOUND) return;
    this.outTraffic.mark(bytes);
    const endpoint = this.endpoint(url);
    if (endpoint === undefined) return;
    endpoint.qps.mark();
    endpoint.outTraffic ??= new Meter(this.now);
    endpoint.outTraffic.mark(bytes);
    if (status === OK) return;
    endpoint.failQps ??= new Meter(this.now);
    endpoint.failQps.mark();
  }

  grpcCalled(endpoint: string): void {
    if (!this.hasMeters) return;
    this.qps.mark();
    this.endpoint(endpoint)?.qps.mark();
  }

  grpcDone(endpoint: string, seconds: number): void {
    this.set.observe('tron:grpc_service_latency_seconds', seconds, [endpoint]);
  }

  rpcMethodDone(method: string, seconds: number): void {
    this.set.observe('tron:jsonrpc_service_latency_seconds', seconds, [method]);
  }

  /** Returns the traffic of this thread since its start. The endpoints are sorted by name. */
  traffic(): ApiTraffic {
    if (!this.hasMeters) return { qps: NO_RATE, failQps: NO_RATE, outTraffic: NO_RATE, detail: [] };
    const endpoints = [...this.endpoints].sort(([a], [b]) => (a < b ? -1 : 1));
    return {
      qps: this.qps.rate(),
      failQps: this.failQps.rate(),
      outTraffic: this.outTraffic.rate(),
      detail: endpoints.map(([name, endpoint]) => trafficOf(name, endpoint)),
    };
  }

  private endpoint(name: string): EndpointMeters | undefined {
    const known = this.endpoints.get(name);
    if (known !== undefined || this.endpoints.size >= ENDPOINTS_MAX) return known;
    const made = { qps: new Meter(this.now) };
    this.endpoints.set(name, made);
    return made;
  }
}

function trafficOf(name: string, { qps, failQps, outTraffic }: EndpointMeters): EndpointTraffic {
  return {
    name,
    qps: qps.rate(),
    ...(failQps === undefined ? {} : { failQps: failQps.rate() }),
    ...(outTraffic === undefined ? {} : { outTraffic: outTraffic.rate() }),
  };
}
