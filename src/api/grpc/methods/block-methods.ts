import type { NumberMessage } from '../../../codec/generated/messages.js';
import { HASH_BYTES } from '../../../crypto/hash.js';
import { illegalArgument } from '../../../java-compat/java-error.js';
import { toHex } from '../../../primitives/bytes.js';
import type { blockRows } from '../../endpoints/block-endpoints.js';
import {
  BLOCKS_MAX,
  blockById,
  blockByIdOrNumber,
  blockByNumber,
  blocksFrom,
  newestBlock,
  newestBlocks,
  transactionById,
  transactionInfoById,
  transactionInfosByNumber,
} from '../../operations/blocks.js';
import { type MethodsOf, method, question } from '../grpc-method.js';
import { blockExtention, listExtention, numberMessage } from './reply-messages.js';

const infosByNumber = question(({ num }: NumberMessage, view) => transactionInfosByNumber(view, num), 'internal');

/** Blocks, transactions and their results. */
export const blockMethods: MethodsOf<typeof blockRows> = {
  GetNowBlock: question((_, view) => newestBlock(view)),
  GetNowBlock2: question((_, view) => blockExtention(newestBlock(view))),
  GetBlockByNum: question(({ num }, view) => blockByNumber(view, num)),
  GetBlockByNum2: question(({ num }, view) => blockExtention(blockByNumber(view, num))),
  GetBlockById: question(({ value }, view) => blockById(view, value)),
  GetBlockByLimitNext: question(({ startNum, endNum }, view) =>
    isRange(startNum, endNum) ? blocksFrom(view, startNum, endNum - startNum) : undefined,
  ),
  GetBlockByLimitNext2: question(({ startNum, endNum }, view) =>
    isRange(startNum, endNum) ? listExtention(blocksFrom(view, startNum, endNum - startNum)) : undefined,
  ),
  GetBlockByLatestNum: question(({ num }, view) =>
    num > 0n && num < BLOCKS_MAX ? newestBlocks(view, num) : undefined,
  ),
  GetBlockByLatestNum2: question(({ num }, view) =>
    num > 0n && num < BLOCKS_MAX ? listExtention(newestBlocks(view, num)) : undefined,
  ),
  GetBlock: question((request, view) => blockExtention(blockByIdOrNumber(view, request)), 'argument'),
  GetTransactionCountByBlockNum: question(({ num }, view) => {
    const block = blockByNumber(view, num);
    return numberMessage(block === undefined ? -1n : BigInt(block.transactions.length));
  }),
  GetTransactionById: question(({ value }, view) => transactionById(view, value)),
  GetTransactionInfoById: question(({ value }, view) => transactionInfoById(view, value)),
  GetTransactionInfoByBlockNum: {
    fullnode: infosByNumber,
    solidity: infosByNumber,
    pbft: 'declared',
  },
  // The reference counts the rows of a store that it no longer fills.
  TotalTransaction: question(() => numberMessage(0n)),
  GetTransactionFromPending: method(({ value }, { api }) => {
    if (value.length !== HASH_BYTES) throw illegalArgument(null);
    return api.waiting.find(toHex(value));
  }),
};

function isRange(start: bigint, end: bigint): boolean {
  return end > 0n && end > start && end - start <= BLOCKS_MAX;
}
