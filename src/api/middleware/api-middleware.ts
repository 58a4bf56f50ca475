import type { ApiContext } from '../context/api-context.js';
import { ApiMetrics } from '../metrics/api-metrics.js';
import type { NodeStatistics } from '../metrics/chain-metrics.js';
import { isLiteNode } from './lite-node.js';
import { RateLimit, type RateLimitOptions } from './rate-limit.js';

/** What `getstatsinfo` says of the node itself. */
interface NodeFacts {
  /** Announced address. */
  readonly ip: string;
  /** 42 hex digits of the address that it produces blocks for. */
  readonly witness?: string | undefined;
}

export interface ApiMiddlewareOptions {
  readonly api: ApiContext;
  readonly rates: Omit<RateLimitOptions, 'nowMs'>;
  /** `node.metricsEnable` */
  readonly hasMeters: boolean;
  /** `node.openHistoryQueryWhenLiteFN` */
  readonly opensHistory: boolean;
  readonly node: NodeFacts;
  /** Newest counters of the thread of the chain. */
  readonly chainStatistics: () => NodeStatistics;
}

/**
 * What stands around the answers of all servers: rates, counters, closed interfaces. One for HTTP, JSON-RPC and gRPC.
 */
export interface ApiMiddleware {
  readonly admission: RateLimit;
  readonly metrics: ApiMetrics;
  readonly node: NodeFacts;
  /** ms of `performance.now()` when the interfaces began. */
  readonly startedMs: number;
  /** Whether `Monitor` is served. */
  readonly hasMeters: boolean;
  readonly chainStatistics: () => NodeStatistics;
  /** Whether interfaces that need old blocks are closed here. */
  closesHistory(): boolean;
}

export function createApiMiddleware(options: ApiMiddlewareOptions): ApiMiddleware {
  const { api, rates, hasMeters, opensHistory, chainStatistics, node } = options;
  // Where its blocks begin does not change while a node runs.
  let isLite: boolean | undefined;
  return {
    admission: new RateLimit(rates),
    metrics: new ApiMetrics({
      hasMeters,
      byHandler: api.settings.release.hasLaterMetrics,
      now: () => performance.now(),
    }),
    hasMeters,
    node,
    startedMs: performance.now(),
    chainStatistics,
    closesHistory: () => {
      if (opensHistory) return false;
      isLite ??= isLiteNode(api.view('head'));
      return isLite;
    },
  };
}
