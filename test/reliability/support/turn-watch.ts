import { cpuMs } from '../../support/cpu-clock.js';

/** The longest turn of the event loop of this thread; it keeps the loop turning to see each of them. */
export class TurnWatch {
  private longest = 0;
  private lastCpuMs = 0;
  private lastMs = 0;
  private isClosed = false;

  constructor() {
    this.reset();
    this.look();
  }

  /**
   * ms of processor time since the last call: what this process took, but no more than what went by. The machine's
   * other work is no fault of the node.
   */
  take(): number {
    const { longest } = this;
    this.reset();
    return longest;
  }

  close(): void {
    this.isClosed = true;
  }

  private reset(): void {
    this.longest = 0;
    this.lastCpuMs = cpuMs();
    this.lastMs = performance.now();
  }

  private look(): void {
    const [cpu, now] = [cpuMs(), performance.now()];
    this.longest = Math.max(this.longest, Math.min(cpu - this.lastCpuMs, now - this.lastMs));
    [this.lastCpuMs, this.lastMs] = [cpu, now];
    if (!this.isClosed) setImmediate(() => this.look());
  }
}
