import type { ReplicaStatus } from '../../api/graphql/status.js';
import type { NodeStatistics } from '../../api/metrics/chain-metrics.js';
import type { MetricSnapshot } from '../../api/metrics/metric-set.js';
import type { SinkStatus } from '../../streams/forwarding/forward.js';

/** Counters of the thread that decides, for the servers, which may be in another one: both answers are plain data. */
export interface MainMetrics {
  snapshot(): Promise<MetricSnapshot>;
  /** May be a second old. */
  statistics(): NodeStatistics;
  /** Newest status of every sink; may be some tenths of a second old. */
  sinks(): readonly SinkStatus[];
  /** Of a read replica; as old as the sinks'. */
  replica(): ReplicaStatus | undefined;
}
