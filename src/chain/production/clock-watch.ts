import { SLOT_MS } from '../../state-transition/consensus/schedule.js';
import type { Clock } from '../clock.js';

/**
 * Time until a changed clock is trusted, in ms of the monotonic clock. A clock error that ends earlier has no effect.
 */
const TRUST_AFTER_MS = 3 * SLOT_MS;

type ObservedClock = Pick<Clock, 'now' | 'monotonicMs'>;

/**
 * Compares the node's clock with a monotonic clock. After a jump by a slot or more, the node's clock is not trusted
 * until it has run from the new time for three slots. A short clock error therefore produces no block with a future
 * time.
 */
export class ClockWatch {
  private readonly clock: ObservedClock;
  /** Trusted difference between the node's time and the monotonic time, in ms. */
  private trusted: number | undefined;
  private jump: { readonly offset: number; readonly sinceMs: number } | undefined;

  constructor(clock: ObservedClock) {
    this.clock = clock;
  }

  /** Reads both clocks. Returns true if the node's clock has not jumped, or has run for three slots since the jump. */
  isTrusted(): boolean {
    const at = this.clock.monotonicMs();
    const offset = this.clock.now() - at;
    if (this.trusted === undefined || isNear(offset, this.trusted)) return this.trust(offset);
    if (this.jump === undefined || !isNear(offset, this.jump.offset)) this.jump = { offset, sinceMs: at };
    return at - this.jump.sinceMs >= TRUST_AFTER_MS && this.trust(offset);
  }

  /** Called after the clock was deliberately set. The next time that the clock shows is trusted. */
  reset(): void {
    this.trusted = undefined;
    this.jump = undefined;
  }

  /** Updates the trusted difference, because small corrections of the clock add up over days. */
  private trust(offset: number): true {
    this.trusted = offset;
    this.jump = undefined;
    return true;
  }
}

function isNear(offset: number, other: number): boolean {
  return Math.abs(offset - other) < SLOT_MS;
}
