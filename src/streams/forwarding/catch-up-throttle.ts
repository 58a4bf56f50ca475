import { setTimeout as sleep } from 'node:timers/promises';
import type { Ledger } from '../../projections/ledger/ledger.js';

/**
 * Faster than any network makes blocks, ours with `--block-time 200` among them: they are imported, or fetched after a
 * pause.
 */
const RUSH_BLOCKS = 20;
const RUSH_MS = 3000;
/**
 * ms that a sink rests for: its lag, beside the time of a turn. Half an hour of blocks is fetched and executed by then.
 */
export const REST_MS = 10_000;
/** ms between two looks at the head while resting. */
const LOOK_MS = 200;

/**
 * Whether the log grows faster than blocks are made, and when a sink works then: in turns. A turn passes on all that
 * was irreversible when it began; behind it the sink rests until the rest is over, or the rush is. The node has the
 * cores while it is behind, and a sink that needs more time than its rests leave never rests.
 */
export class CatchUpThrottle {
  private readonly ledger: Pick<Ledger, 'position'>;
  private readonly clock: () => number;
  private isOn = false;
  private lookedMs: number;
  private lookedAt: number;
  /** Height at which the turn ends. */
  private turnEnd: number;

  /** @param clock ms, monotonic */
  constructor(ledger: Pick<Ledger, 'position'>, clock = (): number => performance.now()) {
    this.ledger = ledger;
    this.clock = clock;
    this.lookedMs = clock();
    this.lookedAt = ledger.position.headNumber;
    this.turnEnd = ledger.position.solidifiedNumber;
  }

  /** Waits where a turn is over. @param passed height that the sink has passed on */
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
