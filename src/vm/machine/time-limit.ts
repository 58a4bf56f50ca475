import type { Deadline } from '../../primitives/deadline.js';

/** A shielded transfer has four proofs, of some 100 ms each. */
const GRANT_MAX_MS = 1000;

/**
 * The time of a run that no witness has decided about: a transaction that is packed, or a question. Others have no
 * limit.
 */
export class TimeLimit {
  /** Operations that an interpreter counts, of all calls together, to know when to look at the clock. */
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

  /** Time that does not count, as long as there is not too much of it. */
  grant(ms: number): void {
    this.grantedMs += Math.min(ms, GRANT_MAX_MS - this.grantedMs);
  }
}
