/**
 * Minimum lead of received blocks over execution. With many transactions fewer blocks suffice: the second number is the
 * work of four batches of signature verification.
 */
const AHEAD_BLOCKS = 16;
const AHEAD_TRANSACTIONS = 4096;

/**
 * Returns whether enough blocks are queued that their signatures are verified before execution. A longer queue would
 * only increase the garbage-collection cost.
 */
export function isFarAhead({ blocks, transactions }: { blocks: number; transactions: number }): boolean {
  return blocks > AHEAD_BLOCKS || (blocks > 1 && transactions > AHEAD_TRANSACTIONS);
}
