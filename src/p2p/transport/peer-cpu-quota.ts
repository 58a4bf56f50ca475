/** Share of this thread's time that one peer may use with unrequested messages. */
const SHARE = 1 / 4;
/**
 * Work that may accumulate before the peer is throttled, in ms. A peer in sync never reaches it. Time slices keep it
 * from delaying other peers.
 */
const BURST_MS = 100;
/**
 * Maximum duration of one measurement, in ms. Work runs in slices of 5 ms, so a longer one is caused by the machine:
 * load or garbage collection.
 */
const COUNTED_MAX_MS = 25;

/**
 * CPU time quota of one connection. A peer that exceeds its share is read later, so that messages of other peers wait
 * for one slice at most. An honest peer stays far below its share.
 */
export class PeerCpuQuota {
  private readonly clock: () => number;
  private owedMs = 0;
  private sinceMs: number;
  private part = 1;

  /** @param clock monotonic clock, ms */
  constructor(clock: () => number) {
    this.clock = clock;
    this.sinceMs = clock();
  }

  /** Begins a message. @param part factor of its work that counts: 0 for requested data */
  begin(part = 1): void {
    this.part = part;
  }

  /** Adds the duration of work on the message. */
  worked(ms: number): void {
    this.settle();
    this.owedMs += Math.min(ms, COUNTED_MAX_MS) * this.part;
  }

  /** Time for which the connection must not be read, in ms; 0 while the quota is not used up. */
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
