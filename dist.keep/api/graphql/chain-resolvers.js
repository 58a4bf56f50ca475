import { TransactionResultContractResult as ContractResult, TransactionContractContractType as ContractType, ResourceReceipt, TransactionInfoCode, TransactionRaw, } from '../../log/codec/generated/messages.js';
import { EMPTY_BYTES, toUtf8 } from '../../log/domain/bytes.js';
import { contractMessages } from '../../vm/transactions/contract-messages.js';
import { decodeParameter, decodeTransaction } from '../../vm/transactions/decode-transaction.js';
import { printJson } from '../json/json-value.js';
import { messageToJson } from '../json/print-message.js';
import { contractRecipient } from '../jsonrpc/contract-values.js';
import { enumName } from './enum-name.js';
import { logsOf } from './find-logs.js';
import { pageSize } from './page.js';
import { accountAt, witnessAt } from './state-resolvers.js';
/** Fields of blocks, transactions, receipts and logs; those with a value of the same name and form resolve by themselves. */
export function chainResolvers(source) {
    const { ledger, blocks, api } = source;
    return {
        Block: {
            witness: ({ header }) => witnessAt(source, header.witnessAddress),
            parentId: ({ header }) => header.parentHash,
            timestamp: ({ header }) => header.timestamp,
            witnessAddress: ({ header }) => header.witnessAddress,
            version: ({ header }) => header.version,
            transactionRoot: ({ header }) => header.txTrieRoot,
            witnessSignature: ({ signature }) => signature,
            size: ({ entry }) => entry.block.length,
            digest: ({ entry }) => entry.digest,
            isSolidified: ({ number, id }) => number <= ledger.position.solidifiedNumber && ledger.numberOf(id) !== undefined,
            transactions: ({ transactions }, { first, skip }) => transactions.slice(Math.max(0, skip), Math.max(0, skip) + pageSize(first)),
        },
        Transaction: {
            block: ({ place }) => place && blocks.byNumber(place.number),
            blockNumber: ({ place }) => place?.number,
            index: ({ place }) => place?.index,
            type: (transaction) => enumName(ContractType, contractOf(transaction)?.type ?? 0),
            owner: (transaction) => ownerOf(transaction),
            ownerAccount: (transaction) => {
                const owner = ownerOf(transaction);
                return owner && accountAt(source, owner);
            },
            to: ({ message }) => orNull(contractRecipient(decodeTransaction(message))),
            amount: (transaction) => amountOf(transaction),
            parameter: (transaction) => parameterOf(transaction),
            expiration: (transaction) => rawOf(transaction).expiration,
            timestamp: (transaction) => rawOf(transaction).timestamp,
            feeLimit: (transaction) => rawOf(transaction).feeLimit,
            data: (transaction) => rawOf(transaction).data,
            signatures: ({ message }) => message.signature,
            result: ({ message }) => enumName(ContractResult, message.ret[0]?.contractRet ?? 0),
            receipt: (transaction) => (transaction.info === undefined ? null : transaction),
        },
        Receipt: {
            ...receiptFields(),
            logs: (transaction) => logsOf(transaction, api.settings.addressPrefix),
            internalTransactions: ({ info }) => info.internalTransactions,
        },
        InternalTransaction: {
            caller: ({ callerAddress }) => callerAddress,
            to: ({ transferToAddress }) => orNull(transferToAddress),
            values: ({ callValueInfo }) => callValueInfo.map(({ callValue, tokenId }) => ({ amount: callValue, tokenId })),
            note: ({ note }) => toUtf8(note),
        },
        Log: {
            blockNumber: ({ transaction }) => transaction.place?.number,
            transactionId: ({ transaction }) => transaction.id,
            transactionIndex: ({ transaction }) => transaction.place?.index,
        },
    };
}
/** Owner of a transaction's contract; null when it does not parse. */
export function ownerOf({ message }) {
    return orNull(Buffer.from(decodeTransaction(message).owner, 'hex'));
}
function receiptFields() {
    const ofInfo = (name) => ({ info }) => info[name];
    const ofReceipt = (name) => ({ info }) => (info.receipt ?? NO_COST)[name];
    return {
        fee: ofInfo('fee'),
        energyUsage: ofReceipt('energyUsage'),
        energyFee: ofReceipt('energyFee'),
        originEnergyUsage: ofReceipt('originEnergyUsage'),
        energyUsageTotal: ofReceipt('energyUsageTotal'),
        energyPenaltyTotal: ofReceipt('energyPenaltyTotal'),
        netUsage: ofReceipt('netUsage'),
        netFee: ofReceipt('netFee'),
        result: ({ info }) => enumName(ContractResult, info.receipt?.result ?? 0),
        isFailed: ({ info }) => info.result === TransactionInfoCode.FAILED,
        message: ({ info }) => toUtf8(info.resMessage),
        contractResult: ofInfo('contractResult'),
        contractAddress: ({ info }) => orNull(info.contractAddress),
        withdrawAmount: ofInfo('withdrawAmount'),
        unfreezeAmount: ofInfo('unfreezeAmount'),
        withdrawExpireAmount: ofInfo('withdrawExpireAmount'),
    };
}
const NO_COST = new ResourceReceipt();
function rawOf({ message }) {
    return message.rawData ?? new TransactionRaw();
}
function contractOf({ message }) {
    return message.rawData?.contract[0];
}
function amountOf({ message }) {
    const { contractType, parameter } = decodeTransaction(message);
    if (contractType === ContractType.TriggerSmartContract)
        return parameter.callValue ?? null;
    const isTransfer = contractType === ContractType.TransferContract || contractType === ContractType.TransferAssetContract;
    return isTransfer ? (parameter.amount ?? null) : null;
}
function parameterOf(transaction) {
    const contract = contractOf(transaction);
    if (contract === undefined || !contractMessages.has(contract.type))
        return null;
    const parameter = decodeParameter(contract);
    return parameter === undefined ? null : printJson(messageToJson(parameter, true), 'fastjson');
}
function orNull(bytes) {
    return bytes.length === EMPTY_BYTES.length ? null : bytes;
}
//# sourceMappingURL=chain-resolvers.js.map