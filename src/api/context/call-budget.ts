import { dropOldest } from '../../primitives/drop-oldest.js';
import { TronError } from '../../primitives/errors.js';

/** Thrown out of an operation that takes longer than its thread has for one: the request is to be given to the pool. */
export class BudgetExceededError extends TronError<'TOO_COSTLY'> {
  /** What calls like it are remembered by; none where nothing is. */
  readonly key: string | undefined;

  constructor(key?: string) {
    super('TOO_COSTLY', 'this takes longer than the thread of the APIs has');
    this.key = key;
  }
}

/**
 * Time that a call may take where others wait for their answers, ms: half of what the slowest of the cheap answers
 * takes.
 */
const BUDGET_MS = 4;
/** A call that was costly so often in a row is not tried any more: once may be a pause of the machine. */
const STRIKES_MAX = 3;
/** Calls that are remembered; the oldest goes first. */
const REMEMBERED_MAX = 1_000;

/**
 * How long the thread of the APIs runs a call before it gives it up and the pool runs it again, whole. A message to
 * another thread and back costs more than most calls, so they are tried here first. Which thread answers decides
 * nothing but the time.
 */
export class CallBudget {
  readonly ms: number;
  private readonly strikes = new Map<string, number>();

  constructor(ms = BUDGET_MS) {
    this.ms = ms;
  }

  /** @throws {BudgetExceededError} calls like it were costly the last times */
  check(key: string): void {
    if ((this.strikes.get(key) ?? 0) >= STRIKES_MAX) throw new BudgetExceededError(key);
  }

  /** What a call took, by the clock of the thread that ran it to its end. */
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
