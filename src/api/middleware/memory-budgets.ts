import { ByteBudget } from '../../primitives/byte-budget.js';

/**
 * Limits of the memory for requests and answers of all servers. Several API threads divide the memory, but each has
 * enough for the largest message.
 */
export interface MemoryBudgets {
  /** Budget of requests that have not arrived completely, and of complete requests that are queued. */
  readonly requests: ByteBudget;
  /** Budget of answers that clients have not read. */
  readonly answers: ByteBudget;
  /** Budget of the addresses and topics of JSON-RPC subscriptions. The filters have their own budget. */
  readonly filters: ByteBudget;
}

/** Maximum size of all unfinished requests, in bytes. In release 4.8.2, the default limit of one request is 4 MiB. */
const REQUEST_BYTES_MAX = 64 * 1024 * 1024;
/** Maximum size of all unread answers, in bytes. */
const ANSWER_BYTES_MAX = 128 * 1024 * 1024;
/**
 * Minimum memory budget of one thread for requests, in bytes. Releases without a size limit allow 16 MiB per request.
 */
const REQUEST_BYTES_MIN = 20 * 1024 * 1024;
/**
 * Minimum memory budget of one thread for answers, in bytes. It exceeds the size of an answer with the largest block.
 */
const ANSWER_BYTES_MIN = 64 * 1024 * 1024;
/** Maximum memory of the addresses and topics of all JSON-RPC filters, and of those of all subscriptions, in bytes. */
const FILTER_BYTES_MAX = 64 * 1024 * 1024;
/** Time in ms without progress after which an unfinished request is dropped. */
const REQUEST_STALL_MS = 10_000;
/**
 * Maximum size of the unfinished requests of a connection, in bytes. One message of the maximum size is allowed in
 * addition.
 */
export const CONNECTION_BYTES_MAX = 4 * 1024 * 1024;

/** Creates the budgets of one thread. @param threads number of API threads, which divide the memory */
export function createMemoryBudgets(threads = 1): MemoryBudgets {
  return {
    requests: new ByteBudget({
      bytesMax: Math.max(REQUEST_BYTES_MAX / threads, REQUEST_BYTES_MIN),
      stallMs: REQUEST_STALL_MS,
    }),
    answers: new ByteBudget({ bytesMax: Math.max(ANSWER_BYTES_MAX / threads, ANSWER_BYTES_MIN) }),
    filters: createFilterBudget(threads),
  };
}

/**
 * Creates the budget of the addresses and topics of filters.
 * @param threads number of threads that divide the memory
 */
export function createFilterBudget(threads = 1): ByteBudget {
  return new ByteBudget({ bytesMax: FILTER_BYTES_MAX / threads });
}
