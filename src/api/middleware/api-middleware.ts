import type { ApiContext } from '../context/api-context.js';
import { ApiMetrics, type ApiTraffic } from '../metrics/api-metrics.js';
import type { NodeStatistics } from '../metrics/chain-metrics.js';
import { mergeTraffic } from '../metrics/merge-traffic.js';
import { isLiteNode } from './lite-node.js';
import { createMemoryBudgets, type MemoryBudgets } from './memory-budgets.js';
import { RateLimit, type RateLimitOptions } from './rate-limit.js';
import type { SharedLimits } from './shared/shared-limits.js';

/** Values of this node that `getstatsinfo` shows. */
interface NodeFacts {
  /** IP address that the node announces to peers. */
  readonly ip: string;
  /** Address of the witness for which the node produces blocks, 42 hex digits; undefined if it produces none. */
  readonly witness?: string | undefined;
}

export interface ApiMiddlewareOptions {
  readonly api: ApiContext;
  readonly rates: Omit<RateLimitOptions, 'nowMs' | 'limits'>;
  /** Limits that all API threads apply together; undefined if there is only one API thread. */
  readonly shared?: SharedLimits | undefined;
  /** True if meters are enabled. `node.metricsEnable` */
  readonly hasMeters: boolean;
  /** True if a lite node also responds to queries that need old blocks (`node.openHistoryQueryWhenLiteFN`). */
  readonly opensHistory: boolean;
  readonly node: NodeFacts;
  /** Returns the counters that the main thread reported last. */
  readonly chainStatistics: () => NodeStatistics;
  /** Returns the traffic that each of the other API threads reported last. */
  readonly otherTraffic: () => readonly ApiTraffic[];
}

/**
 * Checks and counters for every request: rate limits, metrics and closed interfaces. HTTP, JSON-RPC and gRPC share
 * them.
 */
export interface ApiMiddleware {
  readonly admission: RateLimit;
  readonly budgets: MemoryBudgets;
  /** Limits that all API threads apply together; undefined if there is only one API thread. */
  readonly shared: SharedLimits | undefined;
  readonly metrics: ApiMetrics;
  readonly node: NodeFacts;
  /** Start time of the interfaces, in milliseconds of `performance.now()`. */
  readonly startedMs: number;
  /** True if the service `Monitor` is served. */
  readonly hasMeters: boolean;
  readonly chainStatistics: () => NodeStatistics;
  /** Returns the traffic of all API threads. The traffic of the other threads is at most two seconds old. */
  traffic(): ApiTraffic;
  /** Returns true if this node rejects queries that need old blocks. */
  closesHistory(): boolean;
}

export function createApiMiddleware(options: ApiMiddlewareOptions): ApiMiddleware {
  const { api, rates, shared, hasMeters, opensHistory, chainStatistics, otherTraffic, node } = options;
  // The first block of a node does not change while the node runs, so the result is cached.
  let isLite: boolean | undefined;
  const metrics = new ApiMetrics({
    hasMeters,
    byHandler: api.settings.release.hasLaterMetrics,
    now: () => performance.now(),
  });
  return {
    admission: new RateLimit({ ...rates, ...(shared && { limits: shared }) }),
    budgets: createMemoryBudgets(shared?.threads),
    shared,
    metrics,
    hasMeters,
    node,
    startedMs: performance.now(),
    chainStatistics,
    traffic: () => mergeTraffic([metrics.traffic(), ...otherTraffic()]),
    closesHistory: () => {
      if (opensHistory) return false;
      isLite ??= isLiteNode(api.view('head'));
      return isLite;
    },
  };
}
