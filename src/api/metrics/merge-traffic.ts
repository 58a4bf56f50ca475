import type { ApiTraffic, EndpointTraffic } from './api-metrics.js';
import { NO_RATE, type Rate } from './meter.js';

/** Adds the traffic of several threads. The endpoints of the result are sorted by name. */
export function mergeTraffic(parts: readonly ApiTraffic[]): ApiTraffic {
  const [only, ...others] = parts;
  if (only !== undefined && others.length === 0) return only;
  const endpoints = new Map<string, EndpointTraffic>();
  for (const endpoint of parts.flatMap(({ detail }) => detail)) {
    const known = endpoints.get(endpoint.name);
    endpoints.set(endpoint.name, known === undefined ? endpoint : mergeEndpoints(known, endpoint));
  }
  return {
    qps: sumOf(parts.map(({ qps }) => qps)),
    failQps: sumOf(parts.map(({ failQps }) => failQps)),
    outTraffic: sumOf(parts.map(({ outTraffic }) => outTraffic)),
    detail: [...endpoints.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
  };
}

function mergeEndpoints(a: EndpointTraffic, b: EndpointTraffic): EndpointTraffic {
  const [failQps, outTraffic] = [sumOfKnown(a.failQps, b.failQps), sumOfKnown(a.outTraffic, b.outTraffic)];
  return {
    name: a.name,
    qps: sumOf([a.qps, b.qps]),
    ...(failQps === undefined ? {} : { failQps }),
    ...(outTraffic === undefined ? {} : { outTraffic }),
  };
}

function sumOfKnown(a: Rate | undefined, b: Rate | undefined): Rate | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return sumOf([a, b]);
}

function sumOf(rates: readonly Rate[]): Rate {
  return rates.reduce(
    (sum, rate) => ({
      count: sum.count + rate.count,
      meanRate: sum.meanRate + rate.meanRate,
      oneMinuteRate: sum.oneMinuteRate + rate.oneMinuteRate,
      fiveMinuteRate: sum.fiveMinuteRate + rate.fiveMinuteRate,
      fifteenMinuteRate: sum.fifteenMinuteRate + rate.fifteenMinuteRate,
    }),
    NO_RATE,
  );
}
