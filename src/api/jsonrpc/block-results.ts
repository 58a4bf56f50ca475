import type { ReceiptSum } from '../../codec/block-parts.js';
import {
  TransactionContractContractType as ContractType,
  type Transaction,
  type TransactionInfo,
} from '../../codec/generated/messages.js';
import type { ReadReceipt } from '../../encoding/contract-types/contract-values.js';
import { contractAmount, contractRecipient } from '../../encoding/contract-types/read-contract.js';
import { itemAt, present } from '../../primitives/assert.js';
import type { DecodedBlock } from '../../state-transition/block/decoded-block.js';
import { energyPriceAt } from '../../state-transition/resources/energy-price.js';
import type { DecodedTransaction, TransactionContent } from '../../state-transition/transaction.js';
import { requireSmallAnswer, requireSmallScan } from '../context/answer-size.js';
import type { ChainView } from '../context/api-context.js';
import type { ApiRelease } from '../releases/api-release.js';
import { type BlockWithReceipts, energyOf, type LoggedBlock, type ShownTransaction } from './block-content.js';
import { ethereumBlock, ethereumReceipt, ethereumTransaction } from './ethereum/forms.js';
import { address20, data, quantity, ZERO_ADDRESS, ZERO_HASH } from './quantities.js';
import { internalError } from './rpc-error.js';

const ZERO_BLOOM = `0x${'00'.repeat(256)}`;

/** Context for rendering a block, transaction or receipt. */
export interface PrintContext {
  readonly view: ChainView;
  readonly addressPrefix: number;
  readonly release: ApiRelease;
  /** Set if responses have the form that Ethereum tools expect. `energyMax` is the energy limit of one call. */
  readonly ethereum?: { readonly energyMax: bigint } | undefined;
}

/**
 * Returns a block with its transactions (`isFull`), or with the ids of its transactions. Reference: BlockResult.
 * @throws {BudgetExceededError} the block is too large for this thread; a pool thread must render it
 */
export function blockResult(content: BlockWithReceipts, isFull: boolean, context: PrintContext): object {
  if (isFull) requireSmallAnswer(context.view, content.bytes);
  else requireSmallScan(context.view, content.bytes);
  const { block } = content;
  const { raw } = block;
  const price = priceAt(context.view, raw.timestamp);
  const transactions = isFull
    ? fullTransactions(content, price, context)
    : Array.from({ length: content.transactionCount }, (_, index) => data(content.transactionId(index)));
  const { energy } = content.sumBefore(content.transactionCount);
  const shown = {
    baseFeePerGas: '0x0',
    difficulty: '0x0',
    extraData: '0x',
    gasLimit: quantity(content.feeLimits),
    gasUsed: quantity(energy),
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
    transactions,
    transactionsRoot: data(raw.txTrieRoot),
    uncles: [],
  };
  const { ethereum } = context;
  if (ethereum === undefined) return shown;
  return ethereumBlock(shown, { price, energyUsed: energy, ...ethereum, infos: content.infos });
}

/** Returns all transactions of a block. Reads receipts for their energy, and for amounts that only they contain. */
function fullTransactions(content: BlockWithReceipts, price: bigint, context: PrintContext): object[] {
  const { figures } = content;
  const printed = printedBlock(content.block, price);
  return Array.from({ length: content.transactionCount }, (_, index) => {
    const transaction = present(content.transaction(index), 'the index is below the count');
    const energy = figures[index]?.energy ?? 0n;
    return transactionResult(transaction, () => content.info(index), { printed, index, energy }, context);
  });
}

/** Members of a transaction that depend only on its block, printed once per block. */
interface PrintedBlock {
  readonly isGenesis: boolean;
  readonly blockHash: string;
  readonly blockNumber: string;
  /** Energy price at the block's time, in SUN per unit of energy. */
  readonly price: bigint;
  readonly gasPrice: string;
}

interface TransactionPlace {
  readonly printed: PrintedBlock;
  readonly index: number;
  readonly energy: bigint;
}

function printedBlock({ id, number }: Pick<DecodedBlock, 'id' | 'number'>, price: bigint): PrintedBlock {
  return {
    isGenesis: number === 0,
    blockHash: data(id),
    blockNumber: quantity(number),
    price,
    gasPrice: quantity(price),
  };
}

/** Returns the transaction at an index of a block, or null. Reference: TransactionResult. */
export function transactionAt(content: BlockWithReceipts, index: number, context: PrintContext): object | null {
  const { block } = content;
  const transaction = content.transaction(index);
  if (transaction === undefined) return null;
  const info = content.info(index);
  const printed = printedBlock(block, priceAt(context.view, block.raw.timestamp));
  return transactionResult(transaction, () => info, { printed, index, energy: energyOf(info) }, context);
}

/** Renders a pending transaction. Its block fields are empty. */
export function pendingResult(transaction: DecodedTransaction, context: PrintContext): object {
  const { addressPrefix, ethereum, view } = context;
  const shown = {
    ...ownMembers(transaction, () => undefined, context),
    blockHash: '0x',
    blockNumber: '0x',
    from: fromOf(transaction, addressPrefix),
    gas: '0x0',
    gasPrice: '0x',
    transactionIndex: '0x',
  };
  return ethereum !== undefined ? ethereumTransaction(shown, view.state.properties.get('ENERGY_FEE')) : shown;
}

function transactionResult(
  transaction: ShownTransaction,
  info: ReadReceipt,
  { printed, index, energy }: TransactionPlace,
  context: PrintContext,
): object {
  const { isGenesis, blockHash, blockNumber, price, gasPrice } = printed;
  const shown = ownMembers(transaction, info, context);
  shown.blockHash = blockHash;
  shown.blockNumber = blockNumber;
  shown.from = isGenesis ? ZERO_ADDRESS : fromOf(transaction, context.addressPrefix);
  shown.gas = quantity(energy);
  shown.gasPrice = gasPrice;
  shown.transactionIndex = quantity(index);
  return context.ethereum !== undefined ? ethereumTransaction(shown, price) : shown;
}

/** Returns the members in java-tron's order. Members that depend on the block are empty; the caller fills them in. */
function ownMembers(transaction: ShownTransaction, info: ReadReceipt, { view, addressPrefix, release }: PrintContext) {
  const { parameter, contractType } = transaction;
  const isCall = contractType === ContractType.TriggerSmartContract;
  const { r, s, v } = signatureOf(transaction.message);
  return {
    blockHash: '',
    blockNumber: '',
    from: '' as string | null,
    gas: '',
    gasPrice: '',
    hash: data(transaction.id),
    input: isCall ? data((parameter as { data: Uint8Array }).data) : '0x',
    nonce: release.transactionNonce,
    r,
    s,
    to: toOf(transaction, addressPrefix),
    transactionIndex: '',
    type: '0x0',
    v,
    value: quantity(contractAmount(transaction, info, view.state)),
  };
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
 * @throws {BudgetExceededError} the block is too large for this thread; a pool thread must render it
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
    from: fromOf(transaction, context.addressPrefix),
    gasUsed: quantity(energy),
    logs: info.log.map((log, at) =>
      shownLog(block, info, log, { transaction: index, at, logIndex: firstLog + at, removed: false, hasTime }),
    ),
    logsBloom: ZERO_BLOOM,
    status: (info.receipt?.result ?? 0) <= 1 ? '0x1' : '0x0',
    to: toOf(transaction, context.addressPrefix),
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
  /** Index of the log in its transaction. */
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

function fromOf({ parameter }: TransactionContent, prefix: number): string | null {
  return address20((parameter as { ownerAddress?: Uint8Array }).ownerAddress ?? new Uint8Array(0), prefix);
}

function toOf(transaction: TransactionContent, prefix: number): string | null {
  return address20(contractRecipient(transaction), prefix);
}

/** Decodes the first signature of a transaction. Adds 27 to a recovery id below 27, as Ethereum writes it. */
function signatureOf({ signature: [bytes] }: Transaction): { r: string; s: string; v: string } {
  if (bytes === undefined) return { r: ZERO_HASH, s: ZERO_HASH, v: '0x00' };
  const recovery = ((bytes[64] ?? 0) << 24) >> 24;
  return {
    r: data(bytes.subarray(0, 32)),
    s: data(bytes.subarray(32, 64)),
    v: quantity(recovery < 27 ? ((recovery + 27) << 24) >> 24 : recovery),
  };
}

function priceAt({ state: { properties } }: ChainView, timeMs: bigint): bigint {
  const prices = { history: properties.bytes('ENERGY_PRICE_HISTORY'), newest: properties.get('ENERGY_FEE') };
  return energyPriceAt(prices, timeMs);
}
