import type { SinkStatus } from '../../streams/forwarding/sink-status.js';

/** Lag of a read replica behind the log that it follows, measured at its last fetch. */
export interface ReplicaStatus {
  readonly lagRecords: number;
  readonly lagSeconds: number;
  readonly isConnected: boolean;
}

/** Progress of the projections, the sinks, a read replica and the writer. */
export interface NodeProgress {
  /** Name of each projection and sequence number of its newest log entry, -1 for none. */
  projections(): readonly { readonly name: string; readonly seq: number }[];
  sinks(): readonly SinkStatus[];
  /** Undefined for a node that is not a replica. */
  replica(): ReplicaStatus | undefined;
  /** Reason why blocks cannot be stored; undefined without a problem. */
  storageProblem(): string | undefined;
}

export const NO_PROGRESS: NodeProgress = {
  projections: () => [],
  sinks: () => [],
  replica: () => undefined,
  storageProblem: () => undefined,
};
