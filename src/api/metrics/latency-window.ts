import { itemAt } from '../../primitives/assert.js';
/** Block latencies: percentiles over the newest blocks, and numbers of late blocks since the start of the node. */
export interface LatencyStatistics {
  /** Number of all recorded latencies. */
  readonly count: number;
  /** Percentiles of the newest latencies (at most {@link VALUES_MAX}), in milliseconds. */
  readonly top75: number;
  readonly top95: number;
  readonly top99: number;
  /** Number of latencies from 1 s to below 2 s. */
  readonly delay1S: number;
  /** Number of latencies from 2 s to below 3 s. */
  readonly delay2S: number;
  /** Number of latencies of 3 s or more. */
  readonly delay3S: number;
}

/** Number of newest latencies that are stored. Histograms of Dropwizard Metrics have the same sample size. */
const VALUES_MAX = 1028;

/**
 * Stores the newest block latencies and computes percentiles.
 * Reference: a histogram of Dropwizard Metrics, and BlockChainMetricManager.
 */
export class LatencyWindow {
  private readonly values: number[] = [];
  /** Numbers of latencies from 1 s, from 2 s and from 3 s. Each latency is in only one of these numbers. */
  private readonly late = [0, 0, 0];
  private count = 0;
  /** Cached statistics; undefined if a latency was added since they were computed. */
  private known: LatencyStatistics | undefined;

  /** Adds a latency. @param ms time from the block's timestamp to its arrival, in milliseconds */
  add(ms: number): void {
    this.values[this.count % VALUES_MAX] = ms;
    this.count++;
    this.known = undefined;
    const seconds = Math.min(3, Math.floor(ms / 1000));
    if (seconds >= 1) this.late[seconds - 1] = itemAt(this.late, seconds - 1) + 1;
  }

  statistics(): LatencyStatistics {
    this.known ??= this.read();
    return this.known;
  }

  private read(): LatencyStatistics {
    const sorted = [...this.values].sort((a, b) => a - b);
    const at = (share: number): number => Math.trunc(sorted[Math.floor(share * sorted.length)] ?? 0);
    const [delay1S, delay2S, delay3S] = this.late as [number, number, number];
    const percentiles = { top75: at(0.75), top95: at(0.95), top99: at(0.99) };
    return { count: this.count, ...percentiles, delay1S, delay2S, delay3S };
  }
}

/** Statistics without any latency. */
export const NO_LATENCY: LatencyStatistics = new LatencyWindow().statistics();
