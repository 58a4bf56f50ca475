/** Default time in ms for which a long task runs before other tasks of its thread run. */
const SLICE_MS = 10;

/**
 * Divides a long task into slices, so that other tasks of the thread can run between them. The task must call
 * `yieldIfOver` often. At the end of a slice, the task continues in a later turn of the event loop.
 */
export class TimeSlice {
  private readonly ms: number;
  private end: number;

  /** @param ms time until other tasks may run */
  constructor(ms = SLICE_MS) {
    this.ms = ms;
    this.end = performance.now() + ms;
  }

  get isOver(): boolean {
    return performance.now() >= this.end;
  }

  /**
   * Resolves immediately if the slice is not over. Otherwise resolves after the pending tasks of the event loop have
   * run.
   */
  async yieldIfOver(): Promise<void> {
    if (!this.isOver) return;
    await new Promise((resolve) => setImmediate(resolve));
    this.end = performance.now() + this.ms;
  }
}
