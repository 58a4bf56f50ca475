import { cpuMs } from '../../support/cpu-clock.js';

/**
 * Measures the longest turn of the event loop of this thread. It schedules turns continuously, so that each turn is
 * measured.
 */
export class TurnWatch {
  private longest = 0;
  private lastCpuMs = 0;
  private lastMs = 0;
  private isClosed = false;

  constructor() {
    this.reset();
    this.measure();
  }

  /**
   * Returns the duration in ms of the longest turn of the event loop since the last call. The duration of a turn is
   * its CPU time or its elapsed time, whichever is shorter. CPU time excludes other processes.
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

  private measure(): void {
    const [cpu, now] = [cpuMs(), performance.now()];
    this.longest = Math.max(this.longest, Math.min(cpu - this.lastCpuMs, now - this.lastMs));
    [this.lastCpuMs, this.lastMs] = [cpu, now];
    if (!this.isClosed) setImmediate(() => this.measure());
  }
}
