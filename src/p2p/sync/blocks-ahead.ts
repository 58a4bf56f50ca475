/**
 * Number of queued blocks above which execution starts. Fewer blocks suffice if their transactions exceed
 * AHEAD_TRANSACTIONS, which is the work of four batches of signature verification.
 */
const AHEAD_BLOCKS = 16;
const AHEAD_TRANSACTIONS = 4096;

/**
 * Returns true if enough blocks are queued: the signatures of a block are then verified before its execution starts. A
 * longer queue would only increase the cost of garbage collection.
 */
export function isFarAhead({ blocks, transactions }: { blocks: number; transactions: number }): boolean {
  return blocks > AHEAD_BLOCKS || (blocks > 1 && transactions > AHEAD_TRANSACTIONS);
}
