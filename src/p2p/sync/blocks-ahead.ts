/**
 * Blocks that are read before the oldest of them is executed, and transactions with which fewer blocks are enough: four
 * proofs' worth.
 */
const AHEAD_BLOCKS = 16;
const AHEAD_TRANSACTIONS = 4096;

/**
 * Whether so many blocks lie ahead of execution that their signatures are proven by then. More of them would only
 * outlive the collections of their garbage.
 */
export function isFarAhead({ blocks, transactions }: { blocks: number; transactions: number }): boolean {
  return blocks > AHEAD_BLOCKS || (blocks > 1 && transactions > AHEAD_TRANSACTIONS);
}
