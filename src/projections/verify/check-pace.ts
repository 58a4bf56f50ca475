/** ms between two reports. */
const REPORT_MS = 5000;
/** Bytes after which the clock is looked at. */
const SLICE_BYTES = 1024 * 1024;

/**
 * Bounds how fast a check reads, and tells how far it is. It sleeps with its thread, so it belongs into a process of
 * its own.
 */
export class CheckPace {
  private readonly bytesPerSecond: number | undefined;
  private readonly report: (bytes: number) => void;
  private readonly started = Date.now();
  private reported = Date.now();
  private bytes = 0;
  private unseen = 0;

  /** @param bytesPerSecond `undefined`: as fast as it goes */
  constructor(bytesPerSecond: number | undefined, report: (bytes: number) => void) {
    this.bytesPerSecond = bytesPerSecond;
    this.report = report;
  }

  /** To be called with each piece that was read. */
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
