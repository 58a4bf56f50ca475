/** Share of this thread's time that one peer may use with messages that this node did not request. */
const SHARE = 1 / 4;
/**
 * Work in ms beyond its share that a peer may cause before it is throttled. A peer in sync never reaches this limit.
 * Work below the limit does not delay other peers, because it runs in short slices.
 */
const BURST_MS = 100;
/**
 * Maximum time that counts for one measurement, in ms. Work runs in slices of 5 ms. If a slice takes much longer, the
 * cause is load or garbage collection of this machine, not the peer.
 */
const COUNTED_MAX_MS = 25;

/**
 * CPU time quota of one connection. If a peer exceeds its share, the node stops reading its connection for a while.
 * Messages of other peers then wait for at most one slice. An honest peer stays far below its share.
 */
export class PeerCpuQuota {
  private readonly clock: () => number;
  private owedMs = 0;
  private sinceMs: number;
  private part = 1;

  /** Creates an unused quota. @param clock monotonic clock, ms */
  constructor(clock: () => number) {
    this.clock = clock;
    this.sinceMs = clock();
  }

  /**
   * Starts to measure a message.
   * @param part share of the processing time that is charged, from 0 (requested data) to 1
   */
  begin(part = 1): void {
    this.part = part;
  }

  /** Adds the duration of work on the current message. */
  worked(ms: number): void {
    this.settle();
    this.owedMs += Math.min(ms, COUNTED_MAX_MS) * this.part;
  }

  /** Time in ms for which the connection must not be read; 0 while the quota is not used up. */
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
