import type { ApiTraffic } from '../../api/metrics/api-metrics.js';
import type { MetricSnapshot } from '../../api/metrics/metric-set.js';
import type { SharedLimits } from '../../api/middleware/shared/shared-limits.js';
import type { SharedPorts } from './ports/shared-ports.js';

/** Role of an API thread if there are several, and the state that these threads share. */
export interface ThreadRole {
  /** True for the first API thread. Only this thread runs the services that a node must run once. */
  readonly isFirst: boolean;
  /** Name of the thread in metrics, such as `api-2`. */
  readonly name: string;
  /** Rate limits and counts of connections of all API threads. */
  readonly limits: SharedLimits;
  readonly ports: SharedPorts;
  /** Addresses for browser light clients; undefined if light clients are not served. */
  readonly followed: Promise<readonly string[]> | undefined;
  /** Sends the addresses for browser light clients to the other threads. Only the first thread calls this function. */
  announce(followed: Promise<readonly string[]>): void;
  /** Returns the metrics of the other API threads, and counters of threads that have ended. @param own own metrics */
  otherMetrics(own: MetricSnapshot): Promise<readonly MetricSnapshot[]>;
  /** Returns the traffic of each other API thread. It is at most two seconds old. */
  otherTraffic(): readonly ApiTraffic[];
}
