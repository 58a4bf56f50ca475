import { BudgetExceededError } from './call-budget.js';

/**
 * Maximum size of the stored blocks from which the API thread creates one answer, in bytes. Decoding and printing take
 * about 150 ns per byte. An answer therefore delays other clients by at most 5 ms.
 */
export const ANSWER_BYTES_MAX = 32_768;

/** Cost per stored byte of an answer that prints the bytes as JSON. The next two costs are relative to this one. */
export const PRINTED = 1;
/** Relative cost of gRPC answers, which contain the stored bytes of transactions and receipts without changes. */
export const COPIED = 1 / 8;
/** Relative cost of answers that contain only ids or sums of a block, or that search blocks. */
export const SCANNED = 1 / 8;

/** A view with a limit for answers. The limit is undefined in a thread that may create answers of any size. */
interface SizedView {
  readonly answerBytesMax?: number | undefined;
}

/**
 * Checks the size of an answer. Must be called before the blocks of the answer are decoded completely.
 * @param bytes stored bytes of all blocks of the answer
 * @param cost {@link PRINTED}, {@link COPIED} or {@link SCANNED}
 * @throws {BudgetExceededError} the answer exceeds the limit of this thread; a thread of the call pool must create it
 */
export function requireSmallAnswer({ answerBytesMax }: SizedView, bytes: number, cost = PRINTED): void {
  if (answerBytesMax !== undefined && bytes * cost > answerBytesMax) throw new BudgetExceededError();
}
