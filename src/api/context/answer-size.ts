import { BudgetExceededError } from './call-budget.js';

/**
 * Stored bytes of whole blocks that an answer on the API thread may be made from. Decoding and printing take some
 * 150 ns per byte, so that an answer delays other clients by at most 5 ms.
 */
export const ANSWER_BYTES_MAX = 32_768;

/** Reading ids or sums from a block takes an eighth of the time of printing it. */
const SCAN_SHARE = 8;

/** The limit of a view; undefined for a thread that makes answers of any size. */
interface SizedView {
  readonly answerBytesMax?: number | undefined;
}

/**
 * Call before blocks are decoded as a whole.
 * @param bytes stored bytes of all blocks of the answer
 * @throws {BudgetExceededError} the answer is to be made in the pool
 */
export function requireSmallAnswer({ answerBytesMax }: SizedView, bytes: number): void {
  if (answerBytesMax !== undefined && bytes > answerBytesMax) throw new BudgetExceededError();
}

/** Like {@link requireSmallAnswer}, for blocks that are read without being printed. @throws {BudgetExceededError} */
export function requireSmallScan(view: SizedView, bytes: number): void {
  requireSmallAnswer(view, bytes / SCAN_SHARE);
}
