import type { SinkStatus } from '../../streams/forwarding/sink-status.js';

/** Lag of a read replica behind the block log that it follows, measured when the replica last fetched entries. */
export interface ReplicaStatus {
  readonly lagRecords: number;
  readonly lagSeconds: number;
  readonly isConnected: boolean;
}

/** Progress of the projections, the sinks and a read replica, and the state of the storage. */
export interface NodeProgress {
  /**
   * Returns each projection with the sequence number of the newest block log entry that it has processed; −1 if it has
   * processed no entry.
   */
  projections(): readonly { readonly name: string; readonly seq: number }[];
  sinks(): readonly SinkStatus[];
  /** Returns the lag of a read replica; undefined for other nodes. */
  replica(): ReplicaStatus | undefined;
  /** Returns the reason why blocks cannot be stored; undefined if they can be stored. */
  storageProblem(): string | undefined;
}

export const NO_PROGRESS: NodeProgress = {
  projections: () => [],
  sinks: () => [],
  replica: () => undefined,
  storageProblem: () => undefined,
};
