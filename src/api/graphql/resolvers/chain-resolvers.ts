import {
  TransactionResultContractResult as ContractResult,
  TransactionContractContractType as ContractType,
  type InternalTransaction,
  ResourceReceipt,
  type TransactionInfo,
  TransactionInfoCode,
  TransactionRaw,
} from '../../../codec/generated/messages.js';
import { contractParties, contractRecipient } from '../../../encoding/contract-types/read-contract.js';
import { printJson } from '../../../encoding/json/json-value.js';
import { messageToJson } from '../../../encoding/json/print-message.js';
import { NO_HASH } from '../../../log/log-entry.js';
import { present } from '../../../primitives/assert.js';
import { EMPTY_BYTES, equalBytes, toUtf8 } from '../../../primitives/bytes.js';
import type { ReadBlock, ReadTransaction } from '../../context/read-block.js';
import { enumName } from '../enum-name.js';
import { type FoundLog, logsOf } from '../find-logs.js';
import type { GraphqlSource } from '../graphql-source.js';
import { pageSize } from '../page.js';
import { accountAt, witnessAt } from './state-resolvers.js';

/**
 * Returns resolvers of blocks, transactions, receipts and logs. A field needs no resolver if its source object has a
 * property of the same name and type.
 */
export function chainResolvers(source: GraphqlSource) {
  const { ledger, blocks, api } = source;
  return {
    Block: {
      witness: ({ header }: ReadBlock) => witnessAt(source, header.witnessAddress),
      parentId: ({ header }: ReadBlock) => header.parentHash,
      timestamp: ({ header }: ReadBlock) => header.timestamp,
      witnessAddress: ({ header }: ReadBlock) => header.witnessAddress,
      version: ({ header }: ReadBlock) => header.version,
      transactionRoot: ({ header }: ReadBlock) => header.txTrieRoot,
      witnessSignature: ({ signature }: ReadBlock) => signature,
      size: ({ entry }: ReadBlock) => entry.block.length,
      digest: ({ entry }: ReadBlock) => (equalBytes(entry.digest, NO_HASH) ? null : entry.digest),
      isSolidified: ({ number, id }: ReadBlock) =>
        number <= ledger.position.solidifiedNumber && ledger.numberOf(id) !== undefined,
      transactions: ({ transactions }: ReadBlock, { first, skip }: { first: number; skip: number }) =>
        transactions.slice(Math.max(0, skip), Math.max(0, skip) + pageSize(first)),
    },
    Transaction: {
      block: ({ position }: ReadTransaction) => position && blocks.byNumber(position.number),
      blockNumber: ({ position }: ReadTransaction) => position?.number,
      index: ({ position }: ReadTransaction) => position?.index,
      type: (transaction: ReadTransaction) => enumName(ContractType, transaction.contract?.type ?? 0),
      owner: (transaction: ReadTransaction) => ownerOf(transaction),
      ownerAccount: (transaction: ReadTransaction) => {
        const owner = ownerOf(transaction);
        return owner && accountAt(source, owner);
      },
      to: ({ decoded }: ReadTransaction) => orNull(contractRecipient(decoded)),
      amount: (transaction: ReadTransaction) => amountOf(transaction),
      parameter: (transaction: ReadTransaction) => parameterOf(transaction),
      expiration: (transaction: ReadTransaction) => rawOf(transaction).expiration,
      timestamp: (transaction: ReadTransaction) => rawOf(transaction).timestamp,
      feeLimit: (transaction: ReadTransaction) => rawOf(transaction).feeLimit,
      data: (transaction: ReadTransaction) => rawOf(transaction).data,
      signatures: ({ message }: ReadTransaction) => message.signature,
      result: ({ message }: ReadTransaction) => enumName(ContractResult, message.ret[0]?.contractRet ?? 0),
      receipt: (transaction: ReadTransaction) => (transaction.info === undefined ? null : transaction),
    },
    Receipt: {
      ...receiptFields(),
      logs: (transaction: ReadTransaction) => logsOf(transaction, api.settings.addressPrefix),
      internalTransactions: (transaction: ReadTransaction) => infoOf(transaction).internalTransactions,
    },
    InternalTransaction: {
      caller: ({ callerAddress }: InternalTransaction) => callerAddress,
      to: ({ transferToAddress }: InternalTransaction) => orNull(transferToAddress),
      values: ({ callValueInfo }: InternalTransaction) =>
        callValueInfo.map(({ callValue, tokenId }) => ({ amount: callValue, tokenId })),
      note: ({ note }: InternalTransaction) => toUtf8(note),
    },
    Log: {
      blockNumber: ({ transaction }: FoundLog) => transaction.position?.number,
      transactionId: ({ transaction }: FoundLog) => transaction.id,
      transactionIndex: ({ transaction }: FoundLog) => transaction.position?.index,
    },
  };
}

/**
 * Returns the address of the account that created a transaction; null if the contract of the transaction cannot be
 * decoded.
 */
function ownerOf({ decoded }: ReadTransaction): Uint8Array | null {
  return orNull(Buffer.from(decoded.owner, 'hex'));
}

/**
 * Returns the receipt of a transaction. The transaction must be in a block, because a pending transaction has no
 * receipt.
 */
function infoOf({ info }: ReadTransaction): TransactionInfo {
  return present(info, 'this transaction has a receipt');
}

function receiptFields() {
  const ofInfo =
    <Name extends keyof TransactionInfo>(name: Name) =>
    (transaction: ReadTransaction) =>
      infoOf(transaction)[name];
  const ofReceipt =
    <Name extends keyof ResourceReceipt>(name: Name) =>
    (transaction: ReadTransaction) =>
      (infoOf(transaction).receipt ?? NO_COST)[name];
  return {
    fee: ofInfo('fee'),
    energyUsage: ofReceipt('energyUsage'),
    energyFee: ofReceipt('energyFee'),
    originEnergyUsage: ofReceipt('originEnergyUsage'),
    energyUsageTotal: ofReceipt('energyUsageTotal'),
    energyPenaltyTotal: ofReceipt('energyPenaltyTotal'),
    netUsage: ofReceipt('netUsage'),
    netFee: ofReceipt('netFee'),
    result: (transaction: ReadTransaction) => enumName(ContractResult, infoOf(transaction).receipt?.result ?? 0),
    isFailed: (transaction: ReadTransaction) => infoOf(transaction).result === TransactionInfoCode.FAILED,
    message: (transaction: ReadTransaction) => toUtf8(infoOf(transaction).resMessage),
    contractResult: ofInfo('contractResult'),
    contractAddress: (transaction: ReadTransaction) => orNull(infoOf(transaction).contractAddress),
    withdrawAmount: ofInfo('withdrawAmount'),
    unfreezeAmount: ofInfo('unfreezeAmount'),
    withdrawExpireAmount: ofInfo('withdrawExpireAmount'),
  };
}

const NO_COST = new ResourceReceipt();

function rawOf({ message }: ReadTransaction): TransactionRaw {
  return message.rawData ?? new TransactionRaw();
}

function amountOf({ contract, parameter }: ReadTransaction): bigint | null {
  const parties = contract && contractParties(contract.type, parameter, undefined);
  if (parties?.kind === 'transfer') return parties.amount;
  return parties?.kind === 'call' && parties.to !== undefined ? parties.callValue : null;
}

function parameterOf({ parameter }: ReadTransaction): string | null {
  return parameter === undefined ? null : printJson(messageToJson(parameter, true, 'fastjson'), 'fastjson');
}

function orNull(bytes: Uint8Array): Uint8Array | null {
  return bytes.length === EMPTY_BYTES.length ? null : bytes;
}
