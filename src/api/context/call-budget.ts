import { dropOldest } from '../../primitives/drop-oldest.js';
import { TronError } from '../../primitives/errors.js';

/**
 * Thrown by an operation that exceeds the time budget of the API thread. The caller then sends the request to the
 * call pool (worker threads).
 */
export class BudgetExceededError extends TronError<'TOO_COSTLY'> {
  /** Key under which the durations of similar calls are recorded; undefined if they are not recorded. */
  readonly key: string | undefined;

  constructor(key?: string) {
    super('TOO_COSTLY', 'call exceeds the time budget of the API thread');
    this.key = key;
  }
}

/**
 * Time budget of a call in the API thread, in ms. The slowest response without an expensive call takes about twice as
 * long.
 */
const BUDGET_MS = 4;
/**
 * Number of consecutive expensive calls after which similar calls start in the call pool. A single expensive call
 * does not suffice, because a pause of the process can slow down any call.
 */
const STRIKES_MAX = 3;
/** Maximum number of recorded keys. At this number, a new key evicts the oldest one. */
const REMEMBERED_MAX = 1_000;

/**
 * Limits the time of a call in the API thread. A call that exceeds the budget runs again from its start in the call
 * pool. A call starts in the call pool only if the most recent similar calls were expensive, because a message to
 * another thread takes longer than most calls. The result does not depend on the thread.
 */
export class CallBudget {
  readonly ms: number;
  private readonly strikes = new Map<string, number>();

  constructor(ms = BUDGET_MS) {
    this.ms = ms;
  }

  /**
   * Checks the recorded durations of similar calls.
   * @throws {BudgetExceededError} the most recent similar calls exceeded the budget
   */
  check(key: string): void {
    if ((this.strikes.get(key) ?? 0) >= STRIKES_MAX) throw new BudgetExceededError(key);
  }

  /** Records the duration of a completed call, as measured in the thread that ran the call. */
  note(key: string, tookMs: number): void {
    const { strikes } = this;
    if (tookMs <= this.ms) {
      if (strikes.size > 0) strikes.delete(key);
      return;
    }
    const before = strikes.get(key) ?? 0;
    strikes.delete(key);
    strikes.set(key, before + 1);
    if (strikes.size > REMEMBERED_MAX) dropOldest(strikes);
  }
}
