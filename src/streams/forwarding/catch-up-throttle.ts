import { setTimeout as sleep } from 'node:timers/promises';
import type { Ledger } from '../../projections/ledger/ledger.js';

/**
 * Number of blocks in `CATCH_UP_MS` at which a catch-up is detected. No network produces blocks so fast, even with
 * `--block-time 200`, so the blocks are imported or synced.
 */
const CATCH_UP_BLOCKS = 20;
const CATCH_UP_MS = 3000;
/**
 * Maximum duration of a pause of a sink, in ms. The pause adds to the lag of the sink. In this time, the node syncs
 * about half an hour of the chain.
 */
export const CATCH_UP_PAUSE_MS = 10_000;
/** Interval in ms at which a pausing sink checks if the catch-up has ended. */
const CHECK_MS = 200;

/**
 * Pauses a sink during a catch-up, so that the node can use the CPU. In a catch-up, the log grows faster than blocks
 * are produced.
 *
 * A turn of the sink forwards the blocks that were solidified at its start. After each turn, the sink pauses until
 * `CATCH_UP_PAUSE_MS` have passed or the catch-up has ended.
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

  /**
   * Pauses if a catch-up is running and the sink has ended its turn.
   * @param passed height up to which the sink has forwarded
   */
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
