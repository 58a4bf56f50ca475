interface Waiting {
  readonly work: number;
  resume(): void;
}

/**
 * Shares the thread between long searches: together they work as much as one turn of the event loop may hold, then
 * everything else has its turn. Work is counted, not timed, so that the same searches take the same turns.
 */
export class QuerySlices {
  private readonly workMax: number;
  private readonly nextTurn: (run: () => void) => void;
  private readonly waiting: Waiting[] = [];
  private work = 0;
  private isScheduled = false;

  /** @param workMax of one turn @param nextTurn runs something behind all that waits in the event loop */
  constructor(workMax: number, nextTurn: (run: () => void) => void = (run) => void setImmediate(run)) {
    this.workMax = workMax;
    this.nextTurn = nextTurn;
  }

  /**
   * Before a piece of work: ends at once while this turn has room, else in the next one that has, first come first
   * served.
   */
  async take(work: number): Promise<void> {
    this.schedule();
    if (this.waiting.length > 0 || this.work >= this.workMax) {
      await new Promise<void>((resume) => this.waiting.push({ work, resume }));
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
      const next = this.waiting.shift();
      if (next === undefined) return;
      this.work += next.work;
      next.resume();
    }
    this.schedule();
  }
}
