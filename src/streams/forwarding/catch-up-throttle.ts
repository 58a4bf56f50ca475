import { setTimeout as sleep } from 'node:timers/promises';
import type { Ledger } from '../../projections/ledger/ledger.js';

/**
 * Number of blocks in `RUSH_MS` from which on the log counts as catching up. No network produces blocks that fast, not
 * even one with `--block-time 200`, so the blocks are imported or synced.
 */
const RUSH_BLOCKS = 20;
const RUSH_MS = 3000;
/**
 * Pause of a sink in ms, which adds to its lag. In that time the node syncs about half an hour of blocks.
 */
export const REST_MS = 10_000;
/** Interval of checks for the end of catch-up during a pause, in ms. */
const LOOK_MS = 200;

/**
 * Detects that the log grows faster than blocks are produced (catch-up). During catch-up a sink pauses between two
 * turns, to leave the CPU to the node. A turn forwards everything that was solidified at its start. A pause ends after
 * `REST_MS`, or when catch-up ends.
 */
export class CatchUpThrottle {
  private readonly ledger: Pick<Ledger, 'position'>;
  private readonly clock: () => number;
  private isOn = false;
  private lookedMs: number;
  private lookedAt: number;
  /** Height at which the current turn ends. */
  private turnEnd: number;

  /** @param clock monotonic time in ms */
  constructor(ledger: Pick<Ledger, 'position'>, clock = (): number => performance.now()) {
    this.ledger = ledger;
    this.clock = clock;
    this.lookedMs = clock();
    this.lookedAt = ledger.position.headNumber;
    this.turnEnd = ledger.position.solidifiedNumber;
  }

  /** Pauses if the turn is over. @param passed height that the sink has forwarded */
  async rest(passed: number, signal: AbortSignal): Promise<void> {
    if (!this.look() || passed < this.turnEnd) return;
    const end = this.clock() + REST_MS;
    while (!signal.aborted && this.clock() < end && this.look())
      await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
    this.turnEnd = this.ledger.position.solidifiedNumber;
  }

  private look(): boolean {
    const { headNumber } = this.ledger.position;
    const now = this.clock();
    const [blocks, ms] = [headNumber - this.lookedAt, now - this.lookedMs];
    const isFast = blocks >= RUSH_BLOCKS && blocks * RUSH_MS >= RUSH_BLOCKS * ms;
    if (!isFast && ms < RUSH_MS) return this.isOn;
    this.isOn = isFast;
    this.lookedMs = now;
    this.lookedAt = headNumber;
    return isFast;
  }
}
