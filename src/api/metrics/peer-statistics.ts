import { type LatencyStatistics, NO_LATENCY } from './latency-window.js';
import { NO_RATE, type Rate } from './meter.js';

/**
 * Statistics of peers and their blocks for `getstatsinfo`. They are plain data that can be sent to another thread.
 * Addresses are 42 hex digits.
 */
export interface PeerStatistics {
  readonly tcpIn: Rate;
  readonly tcpOut: Rate;
  /** Incoming UDP traffic. Only release 4.8.2 and later count it. */
  readonly udpIn: Rate;
  readonly udpOut: Rate;
  readonly errorProtoCount: number;
  readonly disconnections: readonly { readonly reason: string; readonly count: number }[];
  readonly latency: LatencyStatistics;
  readonly witnessLatencies: readonly (LatencyStatistics & { readonly witness: string })[];
  /** Block version of each witness, from its newest block. */
  readonly versions: readonly { readonly address: string; readonly version: number }[];
  readonly duplicates: readonly Duplicate[];
  readonly failed: { readonly number: number; readonly reason: string };
}

/** Returns the number of connections that this node has closed. */
export function disconnectionCount({ disconnections }: PeerStatistics): number {
  return disconnections.reduce((sum, { count }) => sum + count, 0);
}

/** A witness that produced two blocks in the same slot. */
interface Duplicate {
  readonly address: string;
  /** Height of the newest duplicate block. */
  readonly blockNum: number;
  readonly count: number;
}

export const NO_PEER_STATISTICS: PeerStatistics = {
  tcpIn: NO_RATE,
  tcpOut: NO_RATE,
  udpIn: NO_RATE,
  udpOut: NO_RATE,
  errorProtoCount: 0,
  disconnections: [],
  latency: NO_LATENCY,
  witnessLatencies: [],
  versions: [],
  duplicates: [],
  failed: { number: 0, reason: '' },
};
