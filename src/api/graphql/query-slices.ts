interface QueuedQuery {
  readonly work: number;
  resume(): void;
}

/**
 * Divides the time of a thread among long searches. All searches together have a limited cost per turn of the event
 * loop. The limit is a cost (for example a number of transactions) and not a time, so that equal searches are always
 * scheduled equally.
 */
export class QuerySlices {
  private readonly workMax: number;
  private readonly nextTurn: (run: () => void) => void;
  private readonly queue: QueuedQuery[] = [];
  private work = 0;
  private isScheduled = false;

  /**
   * @param workMax maximum cost of all searches per turn of the event loop
   * @param nextTurn runs a function in the next turn of the event loop, after the pending events
   */
  constructor(workMax: number, nextTurn: (run: () => void) => void = (run) => void setImmediate(run)) {
    this.workMax = workMax;
    this.nextTurn = nextTurn;
  }

  /**
   * Waits until the caller may do work of this cost. Resolves immediately if the current turn has not reached the
   * maximum. Otherwise resolves in a later turn, in the order of the calls.
   */
  async take(work: number): Promise<void> {
    this.schedule();
    if (this.queue.length > 0 || this.work >= this.workMax) {
      await new Promise<void>((resume) => this.queue.push({ work, resume }));
      return;
    }
    this.work += work;
  }

  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    this.nextTurn(() => this.begin());
  }

  private begin(): void {
    this.isScheduled = false;
    this.work = 0;
    while (this.work < this.workMax) {
      const next = this.queue.shift();
      if (next === undefined) return;
      this.work += next.work;
      next.resume();
    }
    this.schedule();
  }
}
