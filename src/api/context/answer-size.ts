import { BudgetExceededError } from './call-budget.js';

/**
 * Maximum size of the stored blocks from which the API thread creates one answer, in bytes. Decoding and printing take
 * about 150 ns per byte. An answer therefore delays other clients by at most 5 ms.
 */
export const ANSWER_BYTES_MAX = 32_768;

/** Reading only ids or sums of a block is faster than printing the block, by this factor. */
const SCAN_SHARE = 8;

/** A view with a limit for answers. The limit is undefined in a thread that may create answers of any size. */
interface SizedView {
  readonly answerBytesMax?: number | undefined;
}

/**
 * Checks the size of an answer. Must be called before the blocks of the answer are decoded completely.
 * @param bytes stored bytes of all blocks of the answer
 * @throws {BudgetExceededError} the answer is too large for this thread; a pool thread must create it
 */
export function requireSmallAnswer({ answerBytesMax }: SizedView, bytes: number): void {
  if (answerBytesMax !== undefined && bytes > answerBytesMax) throw new BudgetExceededError();
}

/**
 * Checks the size of blocks that are searched, but not printed. Their limit is `SCAN_SHARE` times that of an answer.
 * @throws {BudgetExceededError} the blocks are too large for this thread; a pool thread must read them
 */
export function requireSmallScan(view: SizedView, bytes: number): void {
  requireSmallAnswer(view, bytes / SCAN_SHARE);
}
