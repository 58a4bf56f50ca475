import {
  TransactionResultContractResult as ContractResult,
  TransactionContractContractType as ContractType,
  type InternalTransaction,
  type TransactionInfo,
} from '../../../codec/generated/messages.js';
import { addressText } from '../../../encoding/address-text.js';
import { contractParties, namesParties } from '../../../encoding/contract-types/read-contract.js';
import { JavaHashMap, javaHashOfText } from '../../../java-compat/hash-map.js';
import { internalData } from '../../../log/internal-data.js';
import { EMPTY_BYTES, toUtf8 } from '../../../primitives/bytes.js';
import type { BlockContent, StreamedTransaction } from '../../follow/block-content.js';
import type { EventMap, EventObject } from '../event-value.js';

/** Data of a transaction that depends on its position in the block. Only the `ethCompatible` format contains it. */
interface PositionInBlock {
  readonly index: number;
  readonly energyUsedBefore: bigint;
  readonly logsBefore: number;
  /** Price of one unit of energy, in SUN. */
  readonly energyUnitPrice: bigint;
}

/** A transaction event with the addresses for its record key. */
interface TransactionTrigger {
  readonly event: EventObject;
  readonly contractAddress: string | null;
  readonly fromAddress: string | null;
}

interface TransactionForm {
  /** Set for the `ethCompatible` format. */
  readonly position?: PositionInBlock;
  /** True to use block number -1 for transactions of genesis, as java-tron does. */
  readonly asReference: boolean;
  /**
   * True for a reverted block, false for other blocks. Undefined for a release without this field. Releases with this
   * field also report sender and receiver of stake contracts.
   */
  readonly removed?: boolean | undefined;
  /** True for sinks with `event.subscribe.version = 1`, whose events omit internal transactions. */
  readonly polled?: boolean;
  /** True if the execution of the block replaces the transaction results in the block, see {@link writesResults}. */
  readonly hasOwnResults?: boolean;
}

/** Creates a `transactionTrigger`. Reference: TransactionLogTriggerCapsule. */
export function transactionTrigger(
  block: BlockContent,
  transaction: StreamedTransaction,
  { position, asReference, removed, polled, hasOwnResults = false }: TransactionForm,
): TransactionTrigger {
  const { message, idHex: id, info, contract } = transaction;
  const raw = message.rawData;
  const type = contract?.type ?? 0;
  const isLater = removed !== undefined;
  // With `event.subscribe.version = 0`, java-tron reads receipts only for the `ethCompatible` format. `position` exists
  // only for this format.
  const amounts = asReference && position === undefined && polled !== true ? undefined : info;
  const parties = namedBy(transaction, amounts, isLater);
  const receipt = info?.receipt;
  const called = info === undefined || info.contractAddress.length === 0 ? null : addressText(info.contractAddress);
  const contractAddress = position !== undefined && type !== ContractType.CreateSmartContract ? null : called;
  const output = info?.contractResult[0];
  const energyTotal = receipt?.energyUsageTotal ?? 0n;
  const at = info === undefined ? undefined : position;
  const event = {
    timeStamp: block.timeMs,
    triggerName: 'transactionTrigger',
    transactionId: id,
    blockHash: block.id,
    blockNumber: asReference && block.number === 0 ? -1 : block.number,
    energyUsage: receipt?.energyUsage ?? 0n,
    energyFee: receipt?.energyFee ?? 0n,
    originEnergyUsage: receipt?.originEnergyUsage ?? 0n,
    energyUsageTotal: energyTotal,
    netUsage: receipt?.netUsage ?? 0n,
    netFee: receipt?.netFee ?? 0n,
    result: resultOf(transaction, hasOwnResults),
    contractAddress,
    contractType: typeNames.get(type) ?? 'UNRECOGNIZED',
    feeLimit: raw?.feeLimit ?? 0n,
    contractCallValue: parties.callValue,
    contractResult: output === undefined || output.length === 0 ? null : output,
    fromAddress: parties.from,
    toAddress: parties.to,
    assetName: parties.assetName,
    assetAmount: parties.amount,
    latestSolidifiedBlockNumber: block.solidifiedNumber,
    internalTransactionList: info === undefined || polled ? null : transaction.internal.map(internalEvent),
    data: raw?.data ?? EMPTY_BYTES,
    transactionIndex: at?.index ?? 0,
    cumulativeEnergyUsed: at === undefined ? 0n : at.energyUsedBefore + energyTotal,
    preCumulativeLogCount: at?.logsBefore ?? 0,
    logList: at === undefined || info === undefined ? null : logList(block, id, info, at),
    energyUnitPrice: at?.energyUnitPrice ?? 0n,
    extMap: isLater ? extMapOf(type, amounts) : undefined,
    removed,
  };
  return { event, contractAddress: called, fromAddress: parties.from };
}

/**
 * Returns true if the execution of the block replaces the transaction results in the block. This requires that the
 * block has results and that smart contracts are enabled. Reference: Manager.processTransaction.
 * @param runsPrograms returns true if proposal 9 (ALLOW_CREATION_OF_CONTRACTS) is active
 */
export function writesResults({ transactions }: BlockContent, runsPrograms: () => boolean): boolean {
  return transactions.some(({ message }) => message.ret.length > 0) && runsPrograms();
}

/**
 * Returns the result of the execution. If a transaction runs no smart contract, no node checks its result in the block,
 * so the block may contain another result or none. Reference: TransactionCapsule.setResult.
 */
function resultOf({ message, contract, info }: StreamedTransaction, hasOwnResults: boolean): string | null {
  const [result] = message.ret;
  const declared = result === undefined ? null : (resultNames.get(result.contractRet) ?? 'UNRECOGNIZED');
  if (info === undefined || PROGRAMS.has(contract?.type ?? 0)) return declared;
  return hasOwnResults ? 'SUCCESS' : declared;
}

const PROGRAMS: ReadonlySet<number> = new Set([ContractType.CreateSmartContract, ContractType.TriggerSmartContract]);

function logList(block: BlockContent, id: string, { log }: TransactionInfo, position: PositionInBlock): EventObject[] {
  return log.map(({ address, topics, data }, at) => ({
    address,
    blockHash: block.id,
    blockNumber: block.number,
    data,
    logIndex: position.logsBefore + at,
    topicList: topics,
    transactionHash: id,
    transactionIndex: position.index,
  }));
}

function internalEvent(internal: InternalTransaction): EventObject {
  const { hash, callValueInfo, transferToAddress, callerAddress, rejected, note, extra } = internal;
  const [value, ...tokens] = callValueInfo;
  const byToken = new JavaHashMap<string, bigint>(javaHashOfText);
  for (const { tokenId, callValue } of tokens) byToken.set(tokenId, callValue);
  return {
    hash,
    callValue: value?.callValue ?? 0n,
    tokenInfo: new Map(byToken.entries()),
    transferTo_address: transferToAddress,
    data: internalData(internal),
    caller_address: callerAddress,
    rejected,
    note: toUtf8(note),
    extra,
  };
}

/** Parties and amounts in an event. */
interface Named {
  readonly from: string | null;
  readonly to: string | null;
  readonly assetName: string | null;
  readonly amount: bigint;
  readonly callValue: bigint;
}

const NO_PARTIES: Named = { from: null, to: null, assetName: null, amount: 0n, callValue: 0n };

/**
 * Returns the parties and amounts of a transaction.
 * @param info receipt with the amounts of cancelled stake
 * @param isLater true if the release also reports the parties of stake contracts
 */
function namedBy(transaction: StreamedTransaction, info: TransactionInfo | undefined, isLater: boolean): Named {
  const { contract } = transaction;
  if (contract === undefined || !namesParties(contract.type)) return NO_PARTIES;
  const parties = contractParties(contract.type, transaction.parameter, info);
  if (parties === undefined || (parties.kind === 'stake' && !isLater)) return NO_PARTIES;
  const from = addressText(parties.from);
  // A stake has an empty receiver if its resource is not delegated.
  const hasNoReceiver = parties.to === undefined || (parties.kind === 'stake' && parties.to.length === 0);
  const to = hasNoReceiver ? null : addressText(parties.to);
  if (parties.kind === 'call') return { ...NO_PARTIES, from, to, callValue: parties.callValue };
  const asset = parties.kind === 'transfer' ? parties.asset : undefined;
  return { from, to, assetName: asset ?? 'trx', amount: parties.amount, callValue: 0n };
}

/** Returns the cancelled amount of each resource. Returns `null` for contracts that do not cancel stake. */
function extMapOf(type: number, info: TransactionInfo | undefined): EventMap | null {
  if (type !== ContractType.CancelAllUnfreezeV2Contract || info === undefined) return null;
  return new Map(info.cancelUnfreezeV2Amount);
}

const typeNames = namesOf(ContractType);
const resultNames = namesOf(ContractResult);

function namesOf(values: Readonly<Record<string, number>>): ReadonlyMap<number, string> {
  return new Map(Object.entries(values).map(([name, value]) => [value, name]));
}
