import { ByteBudget } from '../../primitives/byte-budget.js';

/** Limits of the bytes that clients of all servers make this thread keep. */
export interface MemoryBudgets {
  /** Requests that have not arrived completely, and complete ones that are queued. */
  readonly requests: ByteBudget;
  /** Answers that the client has not accepted. */
  readonly answers: ByteBudget;
}

/** Maximum of unfinished requests, in bytes. The largest request has 4 MiB by default. */
const REQUEST_BYTES_MAX = 64 * 1024 * 1024;
/** Maximum of unread answers, in bytes. */
const ANSWER_BYTES_MAX = 128 * 1024 * 1024;
/** Time without progress after which an unfinished request is dropped, in ms. */
const REQUEST_STALL_MS = 10_000;
/** Bytes of unfinished requests that a connection may have in addition to one message of the maximum size. */
export const CONNECTION_BYTES_MAX = 4 * 1024 * 1024;

export function createMemoryBudgets(): MemoryBudgets {
  return {
    requests: new ByteBudget({ bytesMax: REQUEST_BYTES_MAX, stallMs: REQUEST_STALL_MS }),
    answers: new ByteBudget({ bytesMax: ANSWER_BYTES_MAX }),
  };
}
