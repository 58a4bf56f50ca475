import { itemAt } from '../../primitives/assert.js';
/** Latencies of blocks: how they lie now, and how many were late. */
export interface LatencyStatistics {
  /** All that were ever counted. */
  readonly count: number;
  /** Percentiles of the newest ones, ms. */
  readonly top75: number;
  readonly top95: number;
  readonly top99: number;
  /** From one, two and three seconds on. */
  readonly delay1S: number;
  readonly delay2S: number;
  readonly delay3S: number;
}

/** As many values as a histogram of the reference samples. */
const VALUES_MAX = 1028;

/**
 * The newest latencies, of which percentiles are taken.
 * Reference: a histogram of Dropwizard Metrics, and BlockChainMetricManager.
 */
export class LatencyWindow {
  private readonly values: number[] = [];
  /** By full seconds: one, two, three and more. */
  private readonly late = [0, 0, 0];
  private count = 0;
  /** Until the next one comes. */
  private known: LatencyStatistics | undefined;

  /** @param ms between a block's time and its coming */
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

/** Of nothing. */
export const NO_LATENCY: LatencyStatistics = new LatencyWindow().statistics();
