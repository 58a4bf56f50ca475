/** Part of this thread's time that one peer may have for what nobody asked it for. */
const SHARE = 1 / 4;
/**
 * ms of work that may come at once: what a peer in step with the chain never reaches. Turns keep it from holding up
 * others.
 */
const BURST_MS = 100;
/**
 * ms that one measurement may count: work is done in turns of 5, what took longer was this machine's doing (load, a
 * collection).
 */
const COUNTED_MAX_MS = 25;

/**
 * How long the messages of one connection held the thread. Who sends more than its share is read from later, so that a
 * message of somebody else waits for one turn at most; the messages of an honest peer cost far less than that.
 */
export class PeerCpuQuota {
  private readonly clock: () => number;
  private owedMs = 0;
  private sinceMs: number;
  private part = 1;

  /** @param clock ms; only differences mean something */
  constructor(clock: () => number) {
    this.clock = clock;
    this.sinceMs = clock();
  }

  /** A message begins. @param part of its work that counts: 0 for what was asked for */
  begin(part = 1): void {
    this.part = part;
  }

  /** Work on the message was done for so long. */
  worked(ms: number): void {
    this.settle();
    this.owedMs += Math.min(ms, COUNTED_MAX_MS) * this.part;
  }

  /** ms for which nothing more is read; 0 while the share is not used up. */
  get restMs(): number {
    this.settle();
    return Math.max(0, this.owedMs - BURST_MS) / SHARE;
  }

  private settle(): void {
    const nowMs = this.clock();
    this.owedMs = Math.max(0, this.owedMs - (nowMs - this.sinceMs) * SHARE);
    this.sinceMs = nowMs;
  }
}
