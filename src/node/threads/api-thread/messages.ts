import type { MessagePort } from 'node:worker_threads';
import type { ControlCall } from '../../../api/network-control.js';
import type { NodeConfig } from '../../../config/load-config.js';
import type { WrittenRow } from '../../../projections/state/overlaid-state.js';

/** What the thread of the APIs is started with. */
export interface ApiThreadData {
  readonly dataDir: string;
  /** Without what cannot cross threads: the rule of a time of shutdown. */
  readonly config: Omit<NodeConfig, 'node'> & { readonly node: Omit<NodeConfig['node'], 'shutdown'> };
  readonly producers: readonly Uint8Array[];
  readonly level: string;
  /** Where the deciding thread answers for its counters, see `RemoteMetrics`. */
  readonly metrics: MessagePort;
  /** Where the deciding thread tells of its peers, see `RemotePeers`. */
  readonly peers: MessagePort;
  /** The writer's, see `LogNotifier`. */
  readonly bell: SharedArrayBuffer;
  /** Of the writer's `VotedHeight`. */
  readonly voted: SharedArrayBuffer;
  /** The node's time, which runs fast on a private network: what it was at which `Date.now()`, and how fast it runs. */
  readonly clock: ClockData;
}

export interface ClockData {
  readonly now: number;
  readonly at: number;
  readonly speed: number;
  /** Of a clock that can be set, see `TravelClock`: added to what follows from the others. */
  readonly shift?: SharedArrayBuffer | undefined;
}

/** A transaction that waits, as bytes. */
export interface PendingBytes {
  readonly idHex: string;
  readonly bytes: Uint8Array;
}

/** What waits, as of the log's entry `seq`; sent before anybody who submitted is answered. */
export interface PendingUpdate {
  readonly kind: 'waiting';
  readonly seq: number;
  /** All that waits, with all of its effects; otherwise what came since the last news. */
  readonly isWhole: boolean;
  readonly pending: readonly PendingBytes[];
  readonly takenBack: readonly PendingBytes[];
  readonly rows: readonly WrittenRow[];
  /** Newest block that java-tron would have on its disk. */
  readonly storedNumber: number;
  /** States that it would have in memory, of blocks and of what waits. */
  readonly heldStates: number;
}

/** Blocks that joined the chain or were taken back, in order, once they are on the disk. */
export interface BlocksUpdate {
  readonly kind: 'blocks';
  readonly blocks: readonly BlockMove[];
}

export interface BlockMove {
  /** `switched`: as part of a branch that may still fail; `rejoined`: told again once the whole branch was followed. */
  readonly change: 'joined' | 'switched' | 'rejoined' | 'undone';
  readonly id: Uint8Array;
  /** Newest solidified height after it. */
  readonly solidified: number;
}

/** What the thread of the APIs is told. */
export type ChainUpdate = PendingUpdate | BlocksUpdate;

/** What it tells: how far a reader of the log has come there, see `WriterLedger.holdChanges`. */
export interface ReaderPosition {
  readonly reader: string;
  readonly seq: number | undefined;
}

/** What it asks of the deciding thread, which tells the effect before it answers. */
export type ChainRequest =
  /** Rejects with what the rules refuse it for. */
  | { readonly kind: 'submit'; readonly bytes: Uint8Array }
  /** Answered with a `ControlResult`; rejects with a ControlError. */
  | { readonly kind: 'control'; readonly call: ControlCall };
