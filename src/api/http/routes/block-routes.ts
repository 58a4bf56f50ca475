import {
  Block,
  BlockLimit,
  BlockReq,
  BytesMessage,
  NumberMessage,
  type Transaction,
  type TransactionInfo,
} from '../../../codec/generated/messages.js';
import { int64Text } from '../../../encoding/json/int64-form.js';
import { jsonObject } from '../../../encoding/json/json-value.js';
import { messageToJson } from '../../../encoding/json/print-message.js';
import {
  printBlock,
  printBlocks,
  printStoredBlock,
  printTransaction,
} from '../../../encoding/json/print-transaction.js';
import { readMessage } from '../../../encoding/json/read-message.js';
import { bytesOfHex } from '../../../java-compat/hex.js';
import { JavaError } from '../../../java-compat/java-error.js';
import { parseLong } from '../../../java-compat/number.js';
import type { StoredBlock } from '../../../state-transition/block/stored-block.js';
import { javaError } from '../../../state-transition/java-errors.js';
import type { blockEndpoints } from '../../endpoints/block-endpoints.js';
import {
  BLOCKS_MAX,
  blockById,
  blockByIdOrNumber,
  blockByNumber,
  blocksFrom,
  newestBlocks,
  newestBytes,
  receiptsByNumber,
  transactionById,
  transactionCount,
  transactionInfoById,
} from '../../operations/blocks.js';
import { numberOrZero } from '../get-arguments.js';
import type { HttpCall } from '../http-call.js';
import { both, type HandlersOf, type Posted, plain, posted, type RouteAnswer, readPosted } from '../route.js';

const numberArguments = {
  get: (call: HttpCall) => parseLong(call.parameter('num')),
  post: (call: HttpCall, body: Posted) => readPosted(call, body, NumberMessage).num,
};

const hexArguments = {
  get: (call: HttpCall) => bytesOfHex(call.parameter('value')),
  post: (call: HttpCall, body: Posted) => readPosted(call, body, BytesMessage).value,
};

/**
 * Functions that read a block number. Unlike `numberArguments`, they use 0 for an absent number in release 4.8.2 and
 * later.
 */
const blockNumberArguments = {
  ...numberArguments,
  get: (call: HttpCall) => numberOrZero(call, 'num', parseLong, 0n),
};

/** HTTP handlers for blocks, transactions and their results. */
export const blockHandlers: HandlersOf<typeof blockEndpoints> = {
  GetNowBlock: plain((call, visible) => printStoredBlock(newestBytes(call.view), call.print(visible))),
  GetBlockByNum: both({
    ...blockNumberArguments,
    run: (call, number, visible) => blockOrEmpty(call, blockByNumber(call.view, number), visible),
  }),
  GetBlockById: both({
    ...hexArguments,
    run: (call, id, visible) => blockOrEmpty(call, blockById(call.view, id), visible),
  }),
  GetBlockByLimitNext: both({
    get: (call) => ({ startNum: parseLong(call.parameter('startNum')), endNum: parseLong(call.parameter('endNum')) }),
    post: (call, body) => readPosted(call, body, BlockLimit),
    run: (call, { startNum, endNum }, visible) => {
      const count = BigInt.asIntN(64, endNum - startNum);
      if (endNum <= 0n || endNum <= startNum || count > BLOCKS_MAX || count <= 0n) return '{}';
      return blockList(call, blocksFrom(call.view, startNum, count), visible);
    },
  }),
  GetBlockByLatestNum: both({
    ...numberArguments,
    run: (call, count, visible) =>
      count > 0n && count < BLOCKS_MAX ? blockList(call, newestBlocks(call.view, count), visible) : '{}',
  }),
  GetBlock: { get: getBlock, post: getBlock },
  GetTransactionCountByBlockNum: both({
    ...numberArguments,
    run: (call, number) => `{"count": ${int64Text(transactionCount(call.view, number) ?? 0)}}`,
  }),
  GetTransactionById: both({
    ...hexArguments,
    run: (call, id, visible) => transactionOrEmpty(call, transactionById(call.view, id), visible),
  }),
  GetTransactionInfoById: both({
    ...hexArguments,
    run: (call, id, visible) => {
      const info = transactionInfoById(call.view, id);
      if (info === undefined) return '{}';
      // On a solidity node, addresses of logs have no prefix byte. Reference: GetTransactionInfoByIdSolidityServlet.
      return call.showMessage(call.api.settings.isSolidityNode ? info : shownInfo(call, info, visible), visible);
    },
  }),
  GetTransactionReceiptById: both({
    ...hexArguments,
    run: (call, id, visible) => {
      const info = transactionInfoById(call.view, id);
      if (info === undefined) return '{}';
      return call.show(jsonObject({ Receipt: messageToJson(info, visible, call.json).member('receipt') }));
    },
  }),
  GetTransactionInfoByBlockNum: both({
    ...numberArguments,
    run: (call, number, visible) => {
      if (number <= 0n) return '{}';
      const infos = receiptsByNumber(call.view, number)?.infos ?? [];
      return call.show(infos.map((info) => messageToJson(shownInfo(call, info, visible), visible, call.json)));
    },
  }),
  TotalTransaction: plain(() => '{}'),
  GetTransactionFromPending: both({
    get: (call) => bytesOfHex(call.parameter('value')),
    post: (call, body) => readPosted(call, body, BytesMessage).value,
    run: (call, id, visible) => {
      if (id.length !== 32) throw new JavaError('java.lang.IllegalArgumentException');
      const found = call.api.pending.find(Buffer.from(id).toString('hex'));
      return transactionOrEmpty(call, found, visible);
    },
  }),
};

function transactionOrEmpty(call: HttpCall, found: Transaction | undefined, visible: boolean): string {
  return found === undefined ? '{}' : printTransaction(found, call.print(visible));
}

function blockOrEmpty(call: HttpCall, block: StoredBlock | undefined, visible: boolean): string {
  return block === undefined ? '{}' : printBlock(messageOf(block), call.print(visible));
}

function blockList(call: HttpCall, blocks: Iterable<StoredBlock>, visible: boolean): string {
  return printBlocks(Array.from(blocks, messageOf), call.print(visible));
}

function messageOf({ entry }: StoredBlock): Block {
  return Block.decode(entry.block);
}

/**
 * If `visible` is set, adds the prefix byte to the addresses of logs.
 * Reference: Util.convertLogAddressToTronAddress.
 */
function shownInfo(call: HttpCall, info: TransactionInfo, visible: boolean): TransactionInfo {
  if (!visible || info.log.length === 0) return info;
  const copy = info.clone();
  for (const log of copy.log) {
    if (log.address.length === 0 || log.address.length > 20) continue;
    const address = new Uint8Array(21);
    address[0] = call.api.settings.addressPrefix;
    address.set(log.address, 21 - log.address.length);
    log.address = address;
  }
  return copy;
}

/** Handles a request for a block. Reference: GetBlockServlet. */
function getBlock(...[call]: Parameters<RouteAnswer>): string {
  const { request, visible } = call.method === 'POST' ? postedBlock(call) : queriedBlock(call);
  try {
    const found = blockByIdOrNumber(call.view, request);
    if (found === undefined || found.hasTransactions) return blockOrEmpty(call, found?.block, visible);
    const { blockHeader } = found.block;
    return printBlock(Object.assign(new Block(), { blockHeader }), call.print(visible));
  } catch (error) {
    const found = javaError(error);
    if (found?.javaClass !== 'java.lang.IllegalArgumentException') throw error;
    return call.show(jsonObject({ Error: found.text }));
  }
}

function postedBlock(call: HttpCall): { request: BlockReq; visible: boolean } {
  const body = posted(call);
  return { request: body.text === '' ? new BlockReq() : readPosted(call, body, BlockReq), visible: body.visible };
}

function queriedBlock(call: HttpCall): { request: BlockReq; visible: boolean } {
  const name = call.parameter('id_or_num');
  const detail = call.parameter('detail')?.toLowerCase() === 'true';
  const text = call.show(jsonObject({ id_or_num: name === null || name === '' ? undefined : name, detail }));
  const visible = call.parameter('visible')?.toLowerCase() === 'true';
  return { request: readMessage(text, BlockReq, call.print(visible)), visible };
}
