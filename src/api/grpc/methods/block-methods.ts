import type { NumberMessage } from '../../../codec/generated/messages.js';
import { HASH_BYTES } from '../../../crypto/hash.js';
import { illegalArgument } from '../../../java-compat/java-error.js';
import { toHex } from '../../../primitives/bytes.js';
import { COPIED } from '../../context/answer-size.js';
import type { blockEndpoints } from '../../endpoints/block-endpoints.js';
import {
  BLOCKS_MAX,
  blockById,
  blockByIdOrNumber,
  blockByNumber,
  blocksFrom,
  newestBlock,
  newestBlocks,
  receiptsByNumber,
  storedTransaction,
  transactionCount,
} from '../../operations/blocks.js';
import { cachedGrpcMethod, grpcMethod, type MethodsOf } from '../grpc-method.js';
import {
  blockListReply,
  blockListWithIdsReply,
  blockReply,
  blockWithIdsReply,
  headerWithIdReply,
  receiptReply,
  receiptsReply,
  transactionReply,
} from './encoded-blocks.js';
import { numberMessage } from './reply-messages.js';

const infosByNumber = cachedGrpcMethod(
  ({ num }: NumberMessage, view) => receiptsReply(receiptsByNumber(view, num, COPIED)),
  'internal',
);

/** gRPC methods for blocks, transactions and their results. */
export const blockMethods: MethodsOf<typeof blockEndpoints> = {
  GetNowBlock: cachedGrpcMethod((_, view) => blockReply(newestBlock(view))),
  GetNowBlock2: cachedGrpcMethod((_, view) => blockWithIdsReply(newestBlock(view))),
  GetBlockByNum: cachedGrpcMethod(({ num }, view) => blockReply(blockByNumber(view, num, COPIED))),
  GetBlockByNum2: cachedGrpcMethod(({ num }, view) => blockWithIdsReply(blockByNumber(view, num, COPIED))),
  GetBlockById: cachedGrpcMethod(({ value }, view) => blockReply(blockById(view, value, COPIED))),
  GetBlockByLimitNext: cachedGrpcMethod(({ startNum, endNum }, view) =>
    isRange(startNum, endNum) ? blockListReply(blocksFrom(view, startNum, endNum - startNum, COPIED)) : undefined,
  ),
  GetBlockByLimitNext2: cachedGrpcMethod(({ startNum, endNum }, view) =>
    isRange(startNum, endNum)
      ? blockListWithIdsReply(blocksFrom(view, startNum, endNum - startNum, COPIED))
      : undefined,
  ),
  GetBlockByLatestNum: cachedGrpcMethod(({ num }, view) =>
    num > 0n && num < BLOCKS_MAX ? blockListReply(newestBlocks(view, num, COPIED)) : undefined,
  ),
  GetBlockByLatestNum2: cachedGrpcMethod(({ num }, view) =>
    num > 0n && num < BLOCKS_MAX ? blockListWithIdsReply(newestBlocks(view, num, COPIED)) : undefined,
  ),
  GetBlock: cachedGrpcMethod((request, view) => {
    const found = blockByIdOrNumber(view, request, COPIED);
    return found && (found.hasTransactions ? blockWithIdsReply : headerWithIdReply)(found.block);
  }, 'argument'),
  GetTransactionCountByBlockNum: cachedGrpcMethod(({ num }, view) =>
    numberMessage(BigInt(transactionCount(view, num) ?? -1)),
  ),
  GetTransactionById: cachedGrpcMethod(
    ({ value }, view) => transactionReply(storedTransaction(view, value)) ?? view.pendingTransaction(value),
  ),
  GetTransactionInfoById: cachedGrpcMethod(({ value }, view) => receiptReply(storedTransaction(view, value))),
  GetTransactionInfoByBlockNum: {
    fullnode: infosByNumber,
    solidity: infosByNumber,
    pbft: 'declared',
  },
  // java-tron counts the rows of a store to which it no longer writes, so its reply is 0.
  TotalTransaction: cachedGrpcMethod(() => numberMessage(0n)),
  GetTransactionFromPending: grpcMethod(({ value }, { api }) => {
    if (value.length !== HASH_BYTES) throw illegalArgument(null);
    return api.pending.find(toHex(value));
  }),
};

function isRange(start: bigint, end: bigint): boolean {
  return end > 0n && end > start && end - start <= BLOCKS_MAX;
}
