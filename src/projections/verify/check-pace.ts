/** Interval of progress reports, in ms. */
const REPORT_MS = 5000;
/** Number of bytes that are read between two checks of the clock. */
const SLICE_BYTES = 1024 * 1024;

/**
 * Limits the read rate of a check and reports its progress. Waiting blocks the thread, so the check must run in its own
 * process.
 */
export class CheckPace {
  private readonly bytesPerSecond: number | undefined;
  private readonly report: (bytes: number) => void;
  private readonly started = Date.now();
  private reported = Date.now();
  private bytes = 0;
  private unseen = 0;

  /** Starts the measurement. @param bytesPerSecond maximum rate; `undefined` for no limit */
  constructor(bytesPerSecond: number | undefined, report: (bytes: number) => void) {
    this.bytesPerSecond = bytesPerSecond;
    this.report = report;
  }

  /** Adds the size of one read, and waits if the rate is too high. Must be called for each read. */
  readonly spend = (bytes: number): void => {
    this.bytes += bytes;
    this.unseen += bytes;
    if (this.unseen < SLICE_BYTES) return;
    this.unseen = 0;
    const now = Date.now();
    if (this.bytesPerSecond !== undefined) {
      const dueMs = this.started + (this.bytes / this.bytesPerSecond) * 1000 - now;
      if (dueMs > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, dueMs);
    }
    if (now - this.reported < REPORT_MS) return;
    this.reported = now;
    this.report(this.bytes);
  };
}
