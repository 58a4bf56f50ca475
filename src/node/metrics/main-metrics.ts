import type { ReplicaStatus } from '../../api/graphql/node-progress.js';
import type { NodeStatistics } from '../../api/metrics/chain-metrics.js';
import type { MetricSnapshot } from '../../api/metrics/metric-set.js';
import type { SinkStatus } from '../../streams/forwarding/sink-status.js';

/**
 * Counters and status of the main thread, for this thread or for an API thread. All results are plain data that can
 * be sent to another thread.
 */
export interface MainMetrics {
  snapshot(): Promise<MetricSnapshot>;
  /** Statistics. In another thread, they are at most one second old. */
  statistics(): NodeStatistics;
  /** Newest status of every sink. In another thread, it is at most 200 ms old. */
  sinks(): readonly SinkStatus[];
  /** Status of a read replica; undefined for other nodes. In another thread, it is at most 200 ms old. */
  replica(): ReplicaStatus | undefined;
  /**
   * Reason why blocks cannot be stored; undefined if blocks can be stored. In another thread, the value is at most 200
   * ms old.
   */
  storageProblem(): string | undefined;
}
