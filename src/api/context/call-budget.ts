import { dropOldest } from '../../primitives/drop-oldest.js';
import { TronError } from '../../primitives/errors.js';

/** Thrown by an operation that exceeds the main thread's time budget. The caller then sends the request to the pool. */
export class BudgetExceededError extends TronError<'TOO_COSTLY'> {
  /** Key under which the duration of similar calls is recorded; undefined if not recorded. */
  readonly key: string | undefined;

  constructor(key?: string) {
    super('TOO_COSTLY', 'call exceeds the time budget of the API thread');
    this.key = key;
  }
}

/**
 * Time budget of a call on the main thread, in ms. Half the duration of the slowest ordinary response.
 */
const BUDGET_MS = 4;
/** After this many expensive calls in a row, similar calls go to the pool at once. A pause can make one call slow. */
const STRIKES_MAX = 3;
/** Maximum number of recorded keys. The oldest is evicted. */
const REMEMBERED_MAX = 1_000;

/**
 * Limits the time of a call on the API thread. A call that exceeds it runs again from the start in the pool. Calls
 * start on the API thread, because a message to another thread costs more than most calls. The result does not depend
 * on the thread.
 */
export class CallBudget {
  readonly ms: number;
  private readonly strikes = new Map<string, number>();

  constructor(ms = BUDGET_MS) {
    this.ms = ms;
  }

  /** Checks the record of similar calls. @throws {BudgetExceededError} similar calls exceeded the budget recently */
  check(key: string): void {
    if ((this.strikes.get(key) ?? 0) >= STRIKES_MAX) throw new BudgetExceededError(key);
  }

  /** Records the duration of a completed call, measured on its own thread. */
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
