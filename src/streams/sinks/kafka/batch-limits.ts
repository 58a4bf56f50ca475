import type { Sink } from '../sink.js';

/** Limits of a batch on a fast connection. */
const FULL: Sink['batch'] = { records: 8000, bytes: 8 * 1024 * 1024 };

/**
 * Limits of the batches of a sink. The broker aborts a transaction that takes longer than its timeout. On a slow
 * connection, or with a quota of the cluster, a full batch would be aborted and sent again without end. Therefore
 * batches become smaller after such a transaction, and larger after fast ones.
 */
export class BatchLimits {
  private readonly timeoutMs: number;
  private divisor = 1;

  /** @param timeoutMs timeout of a transaction in ms */
  constructor(timeoutMs: number) {
    this.timeoutMs = timeoutMs;
  }

  get current(): Sink['batch'] {
    const part = (limit: number): number => Math.ceil(limit / this.divisor);
    return { records: part(FULL.records), bytes: part(FULL.bytes) };
  }

  /** Must be called after each transaction, also after a failed one. @param ms duration of the transaction */
  ended(ms: number): void {
    if (ms >= this.timeoutMs) this.divisor = Math.min(this.divisor * 2, FULL.records);
    else if (ms < this.timeoutMs / 4) this.divisor = Math.max(this.divisor / 2, 1);
  }
}
