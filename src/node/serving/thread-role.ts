import type { MetricSnapshot } from '../../api/metrics/metric-set.js';
import type { SharedLimits } from '../../api/middleware/shared/shared-limits.js';
import type { SharedPorts } from './ports/listen-options.js';

/** Services of one of several API threads, and the state that it shares with the others. */
export interface ThreadRole {
  /** Name for metrics, such as `api-2`. */
  readonly name: string;
  /** Rate limits and counts of connections of all API threads. */
  readonly limits: SharedLimits;
  readonly ports: SharedPorts;
  /** Services that the first thread runs for this one. Undefined: this is the first thread. */
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
