import { BudgetExceededError } from './call-budget.js';

/**
 * Maximum size of the stored blocks that one answer on the API thread reads, in bytes. Decoding and printing take about
 * 150 ns per byte, so an answer delays other clients by at most 5 ms.
 */
export const ANSWER_BYTES_MAX = 32_768;

/** Factor by which reading only ids or sums of a block is faster than printing the block. */
const SCAN_SHARE = 8;

/** A view with its limit for answers; undefined on a thread that may create answers of any size. */
interface SizedView {
  readonly answerBytesMax?: number | undefined;
}

/**
 * Checks the size of an answer. Must be called before its blocks are decoded as a whole.
 * @param bytes stored bytes of all blocks of the answer
 * @throws {BudgetExceededError} the answer is too large for this thread; a pool thread must create it
 */
export function requireSmallAnswer({ answerBytesMax }: SizedView, bytes: number): void {
  if (answerBytesMax !== undefined && bytes > answerBytesMax) throw new BudgetExceededError();
}

/**
 * Checks the size of blocks that are searched but not printed. Their limit is higher by the factor `SCAN_SHARE`.
 * @throws {BudgetExceededError} the blocks are too large for this thread; a pool thread must read them
 */
export function requireSmallScan(view: SizedView, bytes: number): void {
  requireSmallAnswer(view, bytes / SCAN_SHARE);
}
