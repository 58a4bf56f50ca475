import type { MetricSnapshot } from '../../api/metrics/metric-set.js';
import type { SharedLimits } from '../../api/middleware/shared/shared-limits.js';
import type { SharedPorts } from './ports/listen-options.js';

/** Part of an API thread, if there are several. */
export interface ThreadRole {
  /** Name for metrics, such as `api-2`. */
  readonly name: string;
  /** Rate limits and counts of connections of all API threads. */
  readonly limits: SharedLimits;
  readonly ports: SharedPorts;
  /** Services of the first thread; undefined in the first thread itself. */
  readonly first?: FirstThread | undefined;
  /** Returns the metrics of the other API threads. */
  otherMetrics(): Promise<readonly MetricSnapshot[]>;
  /** Sends the other threads the addresses at which browsers can follow the node. Called by the first thread. */
  announce(followed: Promise<readonly string[]>): void;
}

/** Services that only the first API thread runs. The other threads refer to it. */
interface FirstThread {
  /** Addresses at which browsers can follow the node; undefined if they are not served. */
  readonly followed: Promise<readonly string[]> | undefined;
}
