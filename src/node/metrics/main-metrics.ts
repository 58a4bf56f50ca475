import type { ReplicaStatus } from '../../api/graphql/node-progress.js';
import type { NodeStatistics } from '../../api/metrics/chain-metrics.js';
import type { MetricSnapshot } from '../../api/metrics/metric-set.js';
import type { SinkStatus } from '../../streams/forwarding/sink-status.js';

/** Counters of the main thread. All results are plain data, because the servers may run in another thread. */
export interface MainMetrics {
  snapshot(): Promise<MetricSnapshot>;
  /** Statistics; at most one second old in another thread. */
  statistics(): NodeStatistics;
  /** Newest status of every sink; at most 200 ms old in another thread. */
  sinks(): readonly SinkStatus[];
  /** Status of a read replica, as old as the sinks' status. */
  replica(): ReplicaStatus | undefined;
  /** Reason why blocks cannot be stored, as old as the status of the sinks. */
  storageProblem(): string | undefined;
}
