import { setTimeout as sleep } from 'node:timers/promises';
import type { Ledger } from '../../projections/ledger/ledger.js';

/**
 * Minimum number of blocks in `CATCH_UP_MS` for a catch-up. No network produces blocks at this rate, even with
 * `--block-time 200`. So the blocks are imported or synced.
 */
const CATCH_UP_BLOCKS = 20;
const CATCH_UP_MS = 3000;
/**
 * Duration of a sink's pause in ms, which adds to its lag. In this time the node syncs blocks of about half an hour.
 */
export const CATCH_UP_PAUSE_MS = 10_000;
/** Interval in ms at which a pausing sink checks if the catch-up has ended. */
const CHECK_MS = 200;

/**
 * Detects that the log grows faster than blocks are produced (catch-up). During catch-up a sink pauses between two
 * turns, to leave the CPU to the node. A turn forwards everything that was solidified at its start. A pause ends after
 * `CATCH_UP_PAUSE_MS`, or when catch-up ends.
 */
export class CatchUpThrottle {
  private readonly ledger: Pick<Ledger, 'position'>;
  private readonly clock: () => number;
  private isOn = false;
  private checkedMs: number;
  private checkedAt: number;
  /** Height at which the current turn ends. */
  private turnEnd: number;

  /** Starts the first turn. @param clock monotonic time in ms */
  constructor(ledger: Pick<Ledger, 'position'>, clock = (): number => performance.now()) {
    this.ledger = ledger;
    this.clock = clock;
    this.checkedMs = clock();
    this.checkedAt = ledger.position.headNumber;
    this.turnEnd = ledger.position.solidifiedNumber;
  }

  /** Pauses if the turn has ended. @param passed height up to which the sink has forwarded */
  async pause(passed: number, signal: AbortSignal): Promise<void> {
    if (!this.check() || passed < this.turnEnd) return;
    const end = this.clock() + CATCH_UP_PAUSE_MS;
    while (!signal.aborted && this.clock() < end && this.check())
      await sleep(CHECK_MS, undefined, { signal }).catch(() => undefined);
    this.turnEnd = this.ledger.position.solidifiedNumber;
  }

  private check(): boolean {
    const { headNumber } = this.ledger.position;
    const now = this.clock();
    const [blocks, ms] = [headNumber - this.checkedAt, now - this.checkedMs];
    const isFast = blocks >= CATCH_UP_BLOCKS && blocks * CATCH_UP_MS >= CATCH_UP_BLOCKS * ms;
    if (!isFast && ms < CATCH_UP_MS) return this.isOn;
    this.isOn = isFast;
    this.checkedMs = now;
    this.checkedAt = headNumber;
    return isFast;
  }
}
