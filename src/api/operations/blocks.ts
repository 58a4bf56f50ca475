import type { BlockReq, Transaction, TransactionInfo } from '../../codec/generated/messages.js';
import { bytesOfHex } from '../../java-compat/hex.js';
import { illegalArgument } from '../../java-compat/java-error.js';
import { parseLong } from '../../java-compat/number.js';
import { present } from '../../primitives/assert.js';
import { fromInt64, toHex, toInt64 } from '../../primitives/bytes.js';
import { StoredBlock } from '../../state-transition/block/stored-block.js';
import type { StoredTransaction } from '../../state-transition/block/stored-transaction.js';
import { javaError } from '../../state-transition/java-errors.js';
import { PRINTED, requireSmallAnswer } from '../context/answer-size.js';
import type { ChainView, StoredBytes } from '../context/api-context.js';
import { listedView } from './listing.js';

/** Maximum number of blocks in the range of a request. Reference: BLOCK_LIMIT_NUM of HTTP and gRPC. */
export const BLOCKS_MAX = 100n;

/** Returns the newest block. Reference: Wallet.getNowBlock. */
export function newestBlock(view: ChainView): StoredBlock {
  return new StoredBlock(newestBytes(view));
}

/** Returns the newest block in encoded form. For the same view, always returns the same object. */
export function newestBytes(view: ChainView): StoredBytes {
  return present(view.block(view.headNumber), 'a view has its newest block');
}

/**
 * Returns the block at a height, for a response that contains the block. Reference: Wallet.getBlockByNum.
 * @param cost time to create the response per byte, see `requireSmallAnswer`
 * @throws {BudgetExceededError} the block exceeds the limit of this thread; a thread of the call pool must create the
 * response
 */
export function blockByNumber(view: ChainView, number: bigint, cost = PRINTED): StoredBlock | undefined {
  const block = storedAt(view, number);
  if (block !== undefined) requireSmallAnswer(view, block.blockBytes, cost);
  return block;
}

/** Returns the block at a height; undefined for a height without a block. */
function storedAt(view: ChainView, number: bigint): StoredBlock | undefined {
  const stored = number < 0n || number > BigInt(view.headNumber) ? undefined : view.block(Number(number));
  return stored && new StoredBlock(stored);
}

/**
 * Returns the block with an id. Reference: Wallet.getBlockById.
 * @throws {BudgetExceededError} the block exceeds the size limit of this thread
 */
export function blockById(view: ChainView, id: Uint8Array, cost = PRINTED): StoredBlock | undefined {
  const number = view.numberOf(id);
  return number === undefined ? undefined : blockByNumber(view, BigInt(number), cost);
}

/** A block, with or without its transactions. */
interface NamedBlock {
  readonly block: StoredBlock;
  readonly hasTransactions: boolean;
}

/**
 * Returns a block by id or number. The response contains its transactions only if `detail` is set.
 * Reference: Wallet.getBlock.
 * @throws {JavaError} IllegalArgumentException: the id or number is malformed
 */
export function blockByIdOrNumber(
  view: ChainView,
  { idOrNum, detail }: BlockReq,
  cost = PRINTED,
): NamedBlock | undefined {
  const number = idOrNum === '' ? view.headNumber : namedNumber(view, idOrNum);
  if (number === undefined) return undefined;
  const block = (detail ? blockByNumber : storedAt)(view, BigInt(number), cost);
  return block && { block, hasTransactions: detail };
}

function namedNumber(view: ChainView, name: string): number | undefined {
  const number = longOrUndefined(name);
  if (number !== undefined) {
    if (number > BigInt(view.headNumber)) return undefined;
    if (number < 0n) throw illegalArgument('num must be non-positive number.');
    return Number(number);
  }
  const refusal = illegalArgument('id must be legal block hash.');
  if (name.length !== 64) throw refusal;
  const id = hexOrUndefined(name);
  if (id?.length !== 32) throw refusal;
  const height = toInt64(id.subarray(0, 8));
  if (height > BigInt(view.headNumber) || height < 0n) throw refusal;
  return view.numberOf(id);
}

/**
 * Returns consecutive blocks from a height on. The caller must not use a block after it has read the next block.
 * Reference: Wallet.getBlocksByLimitNext.
 * @throws {BudgetExceededError} during the iteration: the blocks exceed the size limit of this thread
 */
export function blocksFrom(view: ChainView, start: bigint, limit: bigint, cost = PRINTED): Iterable<StoredBlock> {
  return storedBetween(listedView(view), start, limit, cost);
}

/**
 * Returns the newest blocks, oldest first. The caller must not use a block after it has read the next block.
 * Reference: Wallet.getBlockByLatestNum.
 * @throws {BudgetExceededError} during the iteration: the blocks exceed the size limit of this thread
 */
export function newestBlocks(view: ChainView, count: bigint, cost = PRINTED): Iterable<StoredBlock> {
  const start = BigInt(view.headNumber) - count + 1n;
  return storedBetween(view, start < 0n ? 0n : start, count, cost);
}

function* storedBetween(view: ChainView, start: bigint, limit: bigint, cost: number): Generator<StoredBlock> {
  // In java-tron's database, the key of a negative number sorts after all others, so no block follows it.
  if (start < 0n) return;
  let bytes = 0;
  for (let number = start; number < start + limit; number++) {
    const block = storedAt(view, number);
    if (block === undefined) return;
    bytes += block.blockBytes;
    requireSmallAnswer(view, bytes, cost);
    yield block;
  }
}

/**
 * Returns the number of transactions of a block; undefined for a height without a block.
 * Reference: Wallet.getTransactionCountByBlockNum.
 */
export function transactionCount(view: ChainView, number: bigint): number | undefined {
  return storedAt(view, number)?.transactionCount;
}

/** Returns the transaction with an id. Reference: Wallet.getTransactionById. */
export function transactionById(view: ChainView, id: Uint8Array): Transaction | undefined {
  const stored = storedTransaction(view, id);
  return stored === undefined ? view.pendingTransaction(id) : stored.message;
}

/** Returns the receipt of a transaction. Reference: Wallet.getTransactionInfoById. */
export function transactionInfoById(view: ChainView, id: Uint8Array): TransactionInfo | undefined {
  return storedTransaction(view, id)?.info;
}

/** Returns the transaction with an id if it is in a block. */
export function storedTransaction(view: ChainView, id: Uint8Array): StoredTransaction | undefined {
  const position = id.length === 32 ? view.transactionAt(id) : undefined;
  const stored = position && view.block(position.number);
  return stored && new StoredBlock(stored).transactionAt(position.index);
}

/**
 * Returns the block at a height, for a response that contains the receipts of its transactions.
 * Reference: Wallet.getTransactionInfoByBlockNum.
 * @throws {BudgetExceededError} the receipts exceed the limit of this thread; a thread of the call pool must create the
 * response
 */
export function receiptsByNumber(view: ChainView, number: bigint, cost = PRINTED): StoredBlock | undefined {
  const block = storedAt(view, number);
  if (block !== undefined) requireSmallAnswer(view, block.resultBytes, cost);
  return block;
}

function longOrUndefined(text: string): bigint | undefined {
  try {
    return parseLong(text);
  } catch (error) {
    if (javaError(error) === undefined) throw error;
    return undefined;
  }
}

function hexOrUndefined(text: string): Uint8Array | undefined {
  try {
    return bytesOfHex(text);
  } catch (error) {
    if (javaError(error) === undefined) throw error;
    return undefined;
  }
}

/** Returns the key of a block number in java-tron's database: 8 bytes big-endian, as hex. */
export function numberKey(value: bigint): string {
  return toHex(fromInt64(value));
}
