import type { Deadline } from '../../primitives/deadline.js';

/**
 * Maximum time in ms by which a time limit can be extended. A shielded transfer verifies four proofs, which take about
 * 100 ms each.
 */
const GRANT_MAX_MS = 1000;

/**
 * Time limit of a run whose transaction is not in a signed block: a pending transaction, a transaction of a block under
 * construction, or a constant or simulated call. Runs in signed blocks have no limit.
 */
export class TimeLimit {
  /**
   * Number of operations that the interpreter has executed, over all calls of the transaction. The interpreter reads
   * the clock after every fixed number of operations.
   */
  operationCount = 0;
  private readonly deadline: Deadline;
  private grantedMs = 0;

  constructor(deadline: Deadline) {
    this.deadline = deadline;
  }

  leftMs(): number {
    return this.deadline.leftMs() + this.grantedMs;
  }

  isOver(): boolean {
    return this.leftMs() < 0;
  }

  /**
   * Extends the limit, for example by the duration of a slow precompile. The sum of all extensions is at most
   * `GRANT_MAX_MS`.
   */
  grant(ms: number): void {
    this.grantedMs += Math.min(ms, GRANT_MAX_MS - this.grantedMs);
  }
}
