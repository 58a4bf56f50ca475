import type { Logger } from 'pino';

/** Interval between two log lines, in ms. */
const PERIOD_MS = 10_000;

/** Logs the speed and the remaining time of a long sync. */
export class SyncProgress {
  private sinceMs: number | undefined;
  private count = 0;
  private readonly log: Logger;
  private readonly now: () => number;

  constructor(log: Logger, now: () => number) {
    this.log = log;
    this.now = now;
  }

  /** Called after a block was applied. @param left number of known blocks that are not applied yet */
  applied(number: number, left: number): void {
    const nowMs = this.now();
    this.sinceMs ??= nowMs;
    this.count++;
    const passedMs = nowMs - this.sinceMs;
    if (passedMs < PERIOD_MS) return;
    const rate = (this.count * 1000) / passedMs;
    this.log.info(
      { num: number, left, blocksPerSecond: Math.round(rate), secondsLeft: Math.ceil(left / rate) },
      'sync progress',
    );
    this.sinceMs = nowMs;
    this.count = 0;
  }
}
