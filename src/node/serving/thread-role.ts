import type { MetricSnapshot } from '../../api/metrics/metric-set.js';
import type { SharedLimits } from '../../api/middleware/shared/shared-limits.js';
import type { SharedPorts } from './ports/shared-ports.js';

/** Services of an API thread if there are several, and the state that these threads share. */
export interface ThreadRole {
  /** True for the thread that runs the services of which a node needs only one. */
  readonly isFirst: boolean;
  /** Name for metrics, such as `api-2`. */
  readonly name: string;
  /** Rate limits and counts of connections of all API threads. */
  readonly limits: SharedLimits;
  readonly ports: SharedPorts;
  /** Addresses at which browsers can follow the node; undefined if they are not served. */
  readonly followed: Promise<readonly string[]> | undefined;
  /** Sends the other threads the addresses at which browsers can follow the node. Called by the first thread. */
  announce(followed: Promise<readonly string[]>): void;
  /** Returns the metrics of the other API threads. */
  otherMetrics(): Promise<readonly MetricSnapshot[]>;
}
