/** Detects the first call in a slice. A slice is code that runs without interruption; it ends at the next microtask. */
export class Slice {
  private isEntered = false;
  private readonly end = (): void => {
    this.isEntered = false;
  };

  /** Returns true for the first call in a slice. */
  enter(): boolean {
    if (this.isEntered) return false;
    this.isEntered = true;
    queueMicrotask(this.end);
    return true;
  }
}
