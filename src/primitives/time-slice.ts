/** Default time in ms that a long task runs before other tasks of its thread get a turn. */
const SLICE_MS = 10;

/**
 * Divides a long task into slices, so that other tasks of the thread run in between. The task calls `yieldIfOver`
 * often. At the end of a slice, it continues in a later turn of the event loop.
 */
export class TimeSlice {
  private readonly ms: number;
  private end: number;

  /** @param ms length of a slice */
  constructor(ms = SLICE_MS) {
    this.ms = ms;
    this.end = performance.now() + ms;
  }

  get isOver(): boolean {
    return performance.now() >= this.end;
  }

  /** Resolves at once within the slice, else after the pending tasks of the event loop. */
  async yieldIfOver(): Promise<void> {
    if (!this.isOver) return;
    await new Promise((resolve) => setImmediate(resolve));
    this.end = performance.now() + this.ms;
  }
}
