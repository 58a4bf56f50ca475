import { itemAt } from '../../primitives/assert.js';

/** Values of a meter: number of events, and events per second. */
export interface Rate {
  readonly count: bigint;
  readonly meanRate: number;
  readonly oneMinuteRate: number;
  readonly fiveMinuteRate: number;
  readonly fifteenMinuteRate: number;
}

const TICK_MS = 5_000;
const MINUTES = [1, 5, 15] as const;

/**
 * Counts events and computes exponentially weighted rates. As in java-tron, the meter starts at the first event or the
 * first read. Reference: Meter, EWMA (Dropwizard Metrics), MetricsUtil.meterMark.
 */
export class Meter {
  private readonly now: () => number;
  private startMs: number | undefined;
  private lastMs = 0;
  private total = 0n;
  private uncounted = 0;
  private isFirst = true;
  /** Events per second over one, five and fifteen minutes. */
  private readonly rates = [0, 0, 0];

  /** @param now returns the current time in milliseconds */
  constructor(now: () => number) {
    this.now = now;
  }

  get count(): bigint {
    return this.total;
  }

  mark(events = 1): void {
    this.tick();
    this.total += BigInt(events);
    this.uncounted += events;
  }

  rate(): Rate {
    const seconds = (this.now() - this.tick()) / 1000;
    const [oneMinuteRate, fiveMinuteRate, fifteenMinuteRate] = this.rates as [number, number, number];
    const meanRate = this.total === 0n || seconds <= 0 ? 0 : Number(this.total) / seconds;
    return { count: this.total, meanRate, oneMinuteRate, fiveMinuteRate, fifteenMinuteRate };
  }

  /** Updates the rates to the current time. @returns the start time of the meter in ms */
  private tick(): number {
    const now = this.now();
    if (this.startMs === undefined) {
      this.startMs = now;
      this.lastMs = now;
    }
    let ticks = Math.floor((now - this.lastMs) / TICK_MS);
    if (ticks <= 0) return this.startMs;
    this.lastMs += ticks * TICK_MS;
    // Limits the loop to the ticks of three hours. After three hours without an update, all rates are practically 0.
    ticks = Math.min(ticks, 720 * 3);
    for (; ticks > 0; ticks--) {
      const instant = (this.uncounted * 1000) / TICK_MS;
      this.uncounted = 0;
      MINUTES.forEach((minutes, at) => {
        const alpha = 1 - Math.exp(-TICK_MS / 60_000 / minutes);
        const rate = itemAt(this.rates, at);
        this.rates[at] = this.isFirst ? instant : rate + alpha * (instant - rate);
      });
      this.isFirst = false;
    }
    return this.startMs;
  }
}

/** Values of a meter without events. */
export const NO_RATE: Rate = {
  count: 0n,
  meanRate: 0,
  oneMinuteRate: 0,
  fiveMinuteRate: 0,
  fifteenMinuteRate: 0,
};
