import type { MessagePort } from 'node:worker_threads';
import type { FilterCall } from '../../../api/jsonrpc/logs/filters.js';
import type { ApiTraffic } from '../../../api/metrics/api-metrics.js';
import type { MetricSnapshot } from '../../../api/metrics/metric-set.js';
import type { SharedLimitsData } from '../../../api/middleware/shared/shared-limits.js';
import type { ControlCall } from '../../../api/network-control.js';
import type { ServerName } from '../../../api/servers.js';
import type { NodeConfig } from '../../../config/load-config.js';
import type { WrittenRow } from '../../../projections/state/overlaid-state.js';
import type { RefusedPort } from '../../serving/ports/listen-ports.js';

/** Start data of an API thread. */
export interface ApiThreadData {
  readonly dataDir: string;
  /**
   * Configuration without `node.shutdown`. The time rule of that section contains functions, which cannot be sent to a
   * thread.
   */
  readonly config: Omit<NodeConfig, 'node'> & { readonly node: Omit<NodeConfig['node'], 'shutdown'> };
  readonly producers: readonly Uint8Array[];
  readonly level: string;
  /** Port to the counters of the main thread, see `RemoteMetrics`. */
  readonly metrics: MessagePort;
  /** Port to the peers of the node, see `RemotePeers`. */
  readonly peers: MessagePort;
  /** Shared memory of the main thread's `LogNotifier`. */
  readonly notifier: SharedArrayBuffer;
  /** Shared memory of the main thread's `VotedHeight` (height of the newest block with a PBFT quorum). */
  readonly voted: SharedArrayBuffer;
  /** Data of the node's clock. On a private network, the clock can be set. */
  readonly clock: ClockData;
  /** Data that several API threads share; undefined if only one thread serves the APIs. */
  readonly shared?: SharedThreadData | undefined;
  /** Number of the newest update that was sent to all API threads. */
  readonly updates: SharedArrayBuffer;
}

/** Data and memory that all API threads share. */
export interface SharedThreadData {
  /** Number of this thread, from 0. */
  readonly thread: number;
  readonly limits: SharedLimitsData;
  /** Ports that the node could not open before the API threads started. */
  readonly refusedPorts: readonly RefusedPort[];
}

export interface ClockData {
  readonly now: number;
  readonly at: number;
  /** Speed relative to the machine's clock: 1 in a node, 0 in a test that stops the clock. */
  readonly speed: number;
  /** Offset in ms that is added to the computed time of a clock that can be set, see `TravelClock`. */
  readonly shift?: SharedArrayBuffer | undefined;
}

/** A pending transaction as bytes. */
export interface PendingBytes {
  readonly idHex: string;
  readonly bytes: Uint8Array;
}

/** Pending transactions after log entry `seq`. Sent to all API threads before a submitting client gets its answer. */
export interface PendingUpdate {
  readonly seq: number;
  /**
   * True if the update contains all pending transactions and all effects. False if it contains only the transactions
   * and effects that were added since the previous update.
   */
  readonly isWhole: boolean;
  readonly pending: readonly PendingBytes[];
  readonly repushed: readonly PendingBytes[];
  readonly rows: readonly WrittenRow[];
  /** Height of the newest block that java-tron would have flushed to disk. */
  readonly storedNumber: number;
  /** Number of snapshots (of blocks and of pending transactions) that java-tron would have in memory. */
  readonly snapshotCount: number;
}

/** An update with its number, from 1, as it is sent to the API threads. */
export interface NumberedUpdate {
  readonly number: number;
  readonly update: PendingUpdate;
}

/** Notifications from an API thread to the main thread. */
export type ApiThreadNotice =
  /** Position up to which a reader of this thread has read the log, see `WriterLedger.retainChanges`. */
  | { readonly kind: 'position'; readonly reader: string; readonly seq: number | undefined }
  /** Traffic of the thread since its start. Sent every second if meters are enabled and there are several threads. */
  | { readonly kind: 'traffic'; readonly traffic: ApiTraffic }
  /** Addresses for browser light clients. */
  | { readonly kind: 'followed'; readonly addresses: readonly string[] };

/** Requests of the main thread to an API thread. */
export type ApiThreadRequest =
  /** The answer is a `MetricSnapshot`. */
  | { readonly kind: 'metrics' }
  /** A call of the filters that this thread stores. Rejects with an RpcError. */
  | FilterRequest;

interface FilterRequest {
  readonly kind: 'filters';
  readonly server: ServerName;
  readonly call: FilterCall;
}

/**
 * Requests of an API thread to the main thread. Before the answer to `submit` and `control`, the main thread sends
 * the effect to all API threads.
 */
export type ChainRequest =
  /** Submits a transaction. Rejects with a ChainError if the transaction is rejected. */
  | { readonly kind: 'submit'; readonly bytes: Uint8Array }
  /** Adds a transaction id to the cache of broadcasts. Answered with false if the id is already present. */
  | { readonly kind: 'remember'; readonly id: string }
  /** Answered with a `ControlResult`; rejects with a ControlError. */
  | { readonly kind: 'control'; readonly call: ControlCall }
  /** A call of the filters. The main thread forwards it to the thread that stores the filters. */
  | FilterRequest
  /** Requests a report of all pending transactions. The report arrives before the answer. */
  | { readonly kind: 'pending' }
  /** Answered with the `MetricSnapshot` of each of the other API threads. The request contains the own metrics. */
  | { readonly kind: 'metrics'; readonly own: MetricSnapshot }
  /** Answered with the addresses for browser light clients, when the node serves such clients. */
  | { readonly kind: 'followed' };
