import type { ReceiptSum } from '../../codec/block-parts.js';
import {
  TransactionContractContractType as ContractType,
  type TransactionInfo,
} from '../../codec/generated/messages.js';
import { contractRecipient } from '../../encoding/contract-types/read-contract.js';
import { itemAt, present } from '../../primitives/assert.js';
import { energyPriceAt } from '../../state-transition/resources/energy-price.js';
import type { DecodedTransaction } from '../../state-transition/transaction.js';
import { shownTransaction } from '../../state-transition/transactions/decode-transaction.js';
import { requireSmallAnswer, SCANNED } from '../context/answer-size.js';
import type { ChainView } from '../context/api-context.js';
import { type BlockWithReceipts, energyOf, type LoggedBlock } from './block-content.js';
import { RawJson } from './envelope.js';
import { ethereumBlock, ethereumReceipt } from './ethereum/forms.js';
import { address20, data, quantity, ZERO_ADDRESS, ZERO_HASH } from './quantities.js';
import { internalError } from './rpc-error.js';
import {
  blockMembersIn,
  idsText,
  type PrintContext,
  pendingBlockMembers,
  senderOf,
  transactionsText,
  transactionText,
} from './transaction-text.js';

const ZERO_BLOOM = `0x${'00'.repeat(256)}`;

/** JSON members of a simulated block that differ from the JSON of a stored block. */
interface OtherMembers {
  readonly changed?: object;
  readonly added?: object;
}

/**
 * Renders a block with its transactions (`isFull`), or with the ids of its transactions. Reference: BlockResult.
 * @throws {BudgetExceededError} the block exceeds the size limit of the API thread; the call pool must render it
 */
export function blockText(
  content: BlockWithReceipts,
  isFull: boolean,
  context: PrintContext,
  { changed = {}, added = {} }: OtherMembers = {},
): RawJson {
  if (isFull) requireSmallAnswer(context.view, content.bytes);
  else requireSmallAnswer(context.view, content.bytes, SCANNED);
  const { transactionsRoot, uncles, ...before } = blockMembers(content, context);
  const start = JSON.stringify({ ...before, ...changed });
  const end = JSON.stringify({ transactionsRoot, uncles, ...added });
  const transactions = isFull
    ? transactionsText(content, priceAt(context.view, content.block.raw.timestamp), context)
    : idsText(content);
  return new RawJson(`${start.slice(0, -1)},"transactions":${transactions},${end.slice(1)}`);
}

/** Returns the JSON members of a block without its transactions. */
export function blockMembers(content: BlockWithReceipts, context: PrintContext) {
  const { block, transactionCount } = content;
  const { raw } = block;
  const { energy: energyUsed } = content.sumBefore(transactionCount);
  const shown = {
    baseFeePerGas: '0x0',
    difficulty: '0x0',
    extraData: '0x',
    gasLimit: quantity(content.feeLimits),
    gasUsed: quantity(energyUsed),
    hash: data(block.id),
    logsBloom: ZERO_BLOOM,
    miner: block.number === 0 ? ZERO_ADDRESS : address20(raw.witnessAddress, context.addressPrefix),
    mixHash: ZERO_HASH,
    nonce: '0x0000000000000000',
    number: quantity(block.number),
    parentHash: data(raw.parentHash),
    receiptsRoot: ZERO_HASH,
    sha3Uncles: ZERO_HASH,
    size: quantity(content.size),
    stateRoot: data(raw.accountStateRoot),
    timestamp: quantity(raw.timestamp / 1000n),
    totalDifficulty: '0x0',
    transactionsRoot: data(raw.txTrieRoot),
    uncles: [],
  };
  const { ethereum } = context;
  if (ethereum === undefined) return shown;
  const price = priceAt(context.view, raw.timestamp);
  return ethereumBlock(shown, { price, energyUsed, ...ethereum, infos: content.infos, transactionCount });
}

/**
 * Renders the transaction at an index of a block. Returns null if the block has no such transaction. Reference:
 * TransactionResult.
 */
export function transactionAt(content: BlockWithReceipts, index: number, context: PrintContext): RawJson | null {
  const { block } = content;
  const transaction = content.transaction(index);
  if (transaction === undefined) return null;
  const info = content.info(index);
  const blockMembers = blockMembersIn(block, priceAt(context.view, block.raw.timestamp))(
    index,
    energyOf(info),
    () => info,
  );
  return new RawJson(transactionText(transaction, blockMembers, context));
}

/** Renders a pending transaction. The members that depend on a block are empty. */
export function pendingText(transaction: DecodedTransaction, context: PrintContext): RawJson {
  return new RawJson(transactionText(shownTransaction(transaction), pendingBlockMembers(context), context));
}

/** Returns a receipt, or null if the block was stored without receipts. Reference: TransactionReceipt. */
export function transactionReceipt(content: BlockWithReceipts, index: number, context: PrintContext): object | null {
  const { block } = content;
  if (content.info(index) === undefined) return null;
  return receiptAt(content, index, content.sumBefore(index), priceAt(context.view, block.raw.timestamp), context);
}

/**
 * Returns the receipts of all transactions. Reference: TronJsonRpcImpl.getBlockReceipts.
 * @throws {RpcError} the block was stored without receipts
 * @throws {BudgetExceededError} the block exceeds the size limit of the API thread; the call pool must render it
 */
export function blockReceipts(content: BlockWithReceipts, context: PrintContext): object[] {
  requireSmallAnswer(context.view, content.bytes);
  const { block, figures } = content;
  const [expected, found] = [content.transactionCount, content.receiptCount];
  if (expected !== found) {
    const counts = `block has ${expected} transactions, but transactionInfoList has ${found}`;
    throw internalError(`TransactionList size mismatch: ${counts}`);
  }
  const price = priceAt(context.view, block.raw.timestamp);
  let before: ReceiptSum = { energy: 0n, logs: 0 };
  return figures.map((own, index) => {
    const receipt = receiptAt(content, index, before, price, context);
    before = { energy: before.energy + own.energy, logs: before.logs + own.logs };
    return receipt;
  });
}

function receiptAt(
  content: BlockWithReceipts,
  index: number,
  before: ReceiptSum,
  price: bigint,
  context: PrintContext,
): object {
  const { block } = content;
  const transaction = present(content.transaction(index), 'a receipt has its transaction');
  const info = present(content.info(index), 'the caller checked that the receipt exists');
  const energy = energyOf(info);
  const isCreation = transaction.contractType === ContractType.CreateSmartContract;
  const hasTime = context.release.timesLogs;
  const firstLog = before.logs;
  const shown = {
    blockHash: data(block.id),
    blockNumber: quantity(block.number),
    contractAddress: isCreation ? address20(info.contractAddress, context.addressPrefix) : null,
    cumulativeGasUsed: quantity(before.energy + energy),
    effectiveGasPrice: quantity(price),
    from: address20(senderOf(transaction), context.addressPrefix),
    gasUsed: quantity(energy),
    logs: info.log.map((log, at) =>
      shownLog(block, info, log, { transaction: index, at, logIndex: firstLog + at, removed: false, hasTime }),
    ),
    logsBloom: ZERO_BLOOM,
    status: (info.receipt?.result ?? 0) <= 1 ? '0x1' : '0x0',
    to: address20(contractRecipient(transaction), context.addressPrefix),
    transactionHash: data(info.id),
    transactionIndex: quantity(index),
    type: '0x0',
  };
  return context.ethereum !== undefined ? ethereumReceipt(shown, info) : shown;
}

/** Position of a log in its block, and options for rendering the log. */
export interface LogPosition {
  /** Index of the transaction in the block. */
  readonly transaction: number;
  /** Index of the log among the logs of its transaction. */
  readonly at: number;
  readonly logIndex: number;
  readonly removed: boolean;
  /** True if the result includes `blockTimestamp`. */
  readonly hasTime: boolean;
}

/** Renders a log for a receipt or a filter result. Reference: TransactionLog, LogFilterElement. */
export function logResult({ block, infos }: LoggedBlock, position: LogPosition): object {
  const info = itemAt(infos, position.transaction);
  return shownLog(block, info, itemAt(info.log, position.at), position);
}

function shownLog(
  block: LoggedBlock['block'],
  info: TransactionInfo,
  log: TransactionInfo['log'][number],
  { transaction: transactionIndex, logIndex, removed, hasTime }: LogPosition,
): object {
  return {
    address: data(log.address.subarray(-20)),
    blockHash: data(block.id),
    blockNumber: quantity(block.number),
    ...(hasTime && { blockTimestamp: quantity(info.blockTimeStamp / 1000n) }),
    data: data(log.data),
    logIndex: quantity(logIndex),
    removed,
    topics: log.topics.map(data),
    transactionHash: data(info.id),
    transactionIndex: quantity(transactionIndex),
  };
}

function priceAt({ state: { properties } }: ChainView, timeMs: bigint): bigint {
  const prices = { history: properties.bytes('ENERGY_PRICE_HISTORY'), newest: properties.get('ENERGY_FEE') };
  return energyPriceAt(prices, timeMs);
}
