/** Time in ms that a long task runs before other tasks of its thread get a turn. */
const SLICE_MS = 10;

/** Lets a long task share its thread: the task calls `yieldIfOver` often, and waits a turn when its slice is over. */
export class TimeSlice {
  private end = performance.now() + SLICE_MS;

  /** Resolves at once within the slice, else after the pending tasks of the event loop. */
  async yieldIfOver(): Promise<void> {
    if (performance.now() < this.end) return;
    await new Promise((resolve) => setImmediate(resolve));
    this.end = performance.now() + SLICE_MS;
  }
}
