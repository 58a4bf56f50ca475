/**
 * Minimum number of received blocks that are not executed yet. If their transactions exceed the second number, fewer
 * blocks suffice. The second number is the work of four batches of signature verification.
 */
const AHEAD_BLOCKS = 16;
const AHEAD_TRANSACTIONS = 4096;

/**
 * Returns true if enough blocks are queued for their signatures to be verified before execution. A longer queue would
 * only increase the cost of garbage collection.
 */
export function isFarAhead({ blocks, transactions }: { blocks: number; transactions: number }): boolean {
  return blocks > AHEAD_BLOCKS || (blocks > 1 && transactions > AHEAD_TRANSACTIONS);
}
