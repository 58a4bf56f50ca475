/**
 * Execution starts when more than this number of received blocks are queued. Fewer blocks suffice if their transactions
 * exceed AHEAD_TRANSACTIONS, which is the work of four batches of signature verification.
 */
const AHEAD_BLOCKS = 16;
const AHEAD_TRANSACTIONS = 4096;

/**
 * Returns true if enough blocks are queued, so that their signatures are verified before the execution. A longer queue
 * would only increase the cost of garbage collection.
 */
export function isFarAhead({ blocks, transactions }: { blocks: number; transactions: number }): boolean {
  return blocks > AHEAD_BLOCKS || (blocks > 1 && transactions > AHEAD_TRANSACTIONS);
}
