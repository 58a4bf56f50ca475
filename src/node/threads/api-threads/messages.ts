import type { MessagePort } from 'node:worker_threads';
import type { FilterCall } from '../../../api/jsonrpc/logs/filters.js';
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
  /** Port to the peers of the main thread, see `RemotePeers`. */
  readonly peers: MessagePort;
  /** Buffer of the writer's notifier, see `LogNotifier`. */
  readonly notifier: SharedArrayBuffer;
  /** Buffer of the writer's `VotedHeight`. */
  readonly voted: SharedArrayBuffer;
  /** The node's clock, which can be set on a private network. */
  readonly clock: ClockData;
  /** Part of this thread if several threads serve the APIs. */
  readonly shared?: SharedThreadData | undefined;
  /** Number of the newest update that was sent to the API threads. Set after it was sent to all of them. */
  readonly updates: SharedArrayBuffer;
}

/** Memory that the API threads share. */
export interface SharedThreadData {
  /** Number of the thread, from 0. */
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
  /** Offset of a clock that can be set, see `TravelClock`. It is added to the computed time. */
  readonly shift?: SharedArrayBuffer | undefined;
}

/** A pending transaction as bytes. */
export interface PendingBytes {
  readonly idHex: string;
  readonly bytes: Uint8Array;
}

/** Pending transactions as of log entry `seq`. Sent before a submitting client gets its answer. */
export interface PendingUpdate {
  readonly seq: number;
  /**
   * True if the update contains all pending transactions with all effects; false if only those added since the last
   * update.
   */
  readonly isWhole: boolean;
  readonly pending: readonly PendingBytes[];
  readonly repushed: readonly PendingBytes[];
  readonly rows: readonly WrittenRow[];
  /** Newest block that java-tron would have flushed to disk. */
  readonly storedNumber: number;
  /** Number of snapshots (of blocks and of pending transactions) that java-tron would have in memory. */
  readonly snapshotCount: number;
}

/** An update as it is sent to the API threads, with its number from 1. */
export interface NumberedUpdate {
  readonly number: number;
  readonly update: PendingUpdate;
}

/** Notifications of an API thread. */
export type ApiThreadNotice =
  /** Position up to which a reader has read the log, see `WriterLedger.retainChanges`. */
  | { readonly kind: 'position'; readonly reader: string; readonly seq: number | undefined }
  /** Addresses at which browsers can follow the node. */
  | { readonly kind: 'followed'; readonly addresses: readonly string[] };

/** Requests to an API thread. */
export type ApiThreadRequest =
  /** Answered with a `MetricSnapshot`. */
  | { readonly kind: 'metrics' }
  /** A call of the filters that this thread stores. Rejects with an RpcError. */
  | FilterRequest;

interface FilterRequest {
  readonly kind: 'filters';
  readonly server: ServerName;
  readonly call: FilterCall;
}

/** Requests to the main thread. It reports the effect to all API threads before it answers. */
export type ChainRequest =
  /** Rejects with a ChainError if the transaction is refused. */
  | { readonly kind: 'submit'; readonly bytes: Uint8Array }
  /** Answered with a `ControlResult`; rejects with a ControlError. */
  | { readonly kind: 'control'; readonly call: ControlCall }
  /** A call of the filters. The main thread passes it on to the thread that stores them. */
  | FilterRequest
  /** Requests a report of all pending transactions. It arrives before the answer. */
  | { readonly kind: 'pending' }
  /** Answered with the `MetricSnapshot` of each of the other API threads. */
  | { readonly kind: 'metrics' }
  /** Answered with the addresses at which browsers can follow the node, once it serves them. */
  | { readonly kind: 'followed' };
