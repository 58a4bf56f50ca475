import { Block, TransactionContractContractType as ContractType, TransactionRet, } from '../../log/codec/generated/messages.js';
import { wrap64 } from '../../log/domain/int64.js';
import { decodeBlock } from '../../vm/block/decoded-block.js';
import { energyPriceAt } from '../../vm/resources/energy-price.js';
import { contractAmount, contractRecipient } from './contract-values.js';
import { address20, data, quantity, ZERO_ADDRESS, ZERO_HASH } from './quantities.js';
const ZERO_BLOOM = `0x${'00'.repeat(256)}`;
/** The decoded block of a height, with its receipts. */
export function contentOf(blocks, number) {
    const stored = blocks.block(number);
    const infos = TransactionRet.decode(stored.results).transactioninfo;
    return { block: decodeBlock(stored.block), infos };
}
/** Reference: BlockResult. */
export function blockResult({ block, infos }, isFull, context) {
    const { raw } = block;
    const price = priceAt(context.view, raw.timestamp);
    let feeLimits = 0n;
    let energy = 0n;
    const transactions = block.transactions.map((transaction, index) => {
        const used = energyOf(infos[index]);
        feeLimits = wrap64(feeLimits + transaction.raw.feeLimit);
        energy += used;
        if (!isFull)
            return data(transaction.id);
        return transactionResult(transaction, infos[index], { block, index, price, energy: used }, context);
    });
    return {
        baseFeePerGas: '0x0',
        difficulty: '0x0',
        extraData: '0x',
        gasLimit: quantity(feeLimits),
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
        size: quantity(Block.encode(block.message).length),
        stateRoot: data(raw.accountStateRoot),
        timestamp: quantity(raw.timestamp / 1000n),
        totalDifficulty: '0x0',
        transactions,
        transactionsRoot: data(raw.txTrieRoot),
        uncles: [],
    };
}
/** A transaction of a block by its index. Reference: TransactionResult. */
export function transactionAt({ block, infos }, index, context) {
    const transaction = block.transactions[index];
    if (transaction === undefined)
        return null;
    const price = priceAt(context.view, block.raw.timestamp);
    return transactionResult(transaction, infos[index], { block, index, price, energy: energyOf(infos[index]) }, context);
}
/** A transaction that waits: nothing is known of its block. */
export function waitingResult(transaction, context) {
    const { addressPrefix } = context;
    return {
        ...ownMembers(transaction, undefined, context),
        blockHash: '0x',
        blockNumber: '0x',
        from: fromOf(transaction, addressPrefix),
        gas: '0x0',
        gasPrice: '0x',
        transactionIndex: '0x',
    };
}
function transactionResult(transaction, info, { block, index, price, energy }, context) {
    return {
        ...ownMembers(transaction, info, context),
        blockHash: data(block.id),
        blockNumber: quantity(block.number),
        from: block.number === 0 ? ZERO_ADDRESS : fromOf(transaction, context.addressPrefix),
        gas: quantity(energy),
        gasPrice: quantity(price),
        transactionIndex: quantity(index),
    };
}
/** Members in their order; those that depend on the block are set behind. */
function ownMembers(transaction, info, { view, addressPrefix, release }) {
    const { parameter, contractType } = transaction;
    const isCall = contractType === ContractType.TriggerSmartContract;
    const { r, s, v } = signatureOf(transaction.message);
    return {
        blockHash: '',
        blockNumber: '',
        from: '',
        gas: '',
        gasPrice: '',
        hash: data(transaction.id),
        input: isCall ? data(parameter.data) : '0x',
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
/** Reference: TransactionReceipt. */
export function transactionReceipt({ block, infos }, index, context) {
    const transaction = block.transactions[index];
    const info = infos[index];
    const before = infos.slice(0, index);
    const energy = energyOf(info);
    const isCreation = transaction.contractType === ContractType.CreateSmartContract;
    const hasTime = context.release.timesLogs;
    const firstLog = before.reduce((count, { log }) => count + log.length, 0);
    return {
        blockHash: data(block.id),
        blockNumber: quantity(block.number),
        contractAddress: isCreation ? address20(info.contractAddress, context.addressPrefix) : null,
        cumulativeGasUsed: quantity(before.reduce((sum, earlier) => sum + energyOf(earlier), energy)),
        effectiveGasPrice: quantity(priceAt(context.view, block.raw.timestamp)),
        from: fromOf(transaction, context.addressPrefix),
        gasUsed: quantity(energy),
        logs: info.log.map((_, at) => logResult({ block, infos }, { transaction: index, at, logIndex: firstLog + at, removed: false, hasTime })),
        logsBloom: ZERO_BLOOM,
        status: (info.receipt?.result ?? 0) <= 1 ? '0x1' : '0x0',
        to: toOf(transaction, context.addressPrefix),
        transactionHash: data(info.id),
        transactionIndex: quantity(index),
        type: '0x0',
    };
}
/** A log of a receipt, and what a filter finds. Reference: TransactionLog, LogFilterElement. */
export function logResult({ block, infos }, { transaction: transactionIndex, at, logIndex, removed, hasTime }) {
    const info = infos[transactionIndex];
    const log = info.log[at];
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
function fromOf({ parameter }, prefix) {
    return address20(parameter.ownerAddress ?? new Uint8Array(0), prefix);
}
function toOf(transaction, prefix) {
    return address20(contractRecipient(transaction), prefix);
}
function energyOf(info) {
    return info?.receipt?.energyUsageTotal ?? 0n;
}
/** The first signature counts; a recovery id below 27 gets 27 added. */
function signatureOf({ signature: [bytes] }) {
    if (bytes === undefined)
        return { r: ZERO_HASH, s: ZERO_HASH, v: '0x00' };
    const recovery = (bytes[64] << 24) >> 24;
    return {
        r: data(bytes.subarray(0, 32)),
        s: data(bytes.subarray(32, 64)),
        v: quantity(recovery < 27 ? ((recovery + 27) << 24) >> 24 : recovery),
    };
}
function priceAt({ state: { properties } }, timeMs) {
    const prices = { history: properties.bytes('ENERGY_PRICE_HISTORY'), newest: properties.get('ENERGY_FEE') };
    return energyPriceAt(prices, timeMs);
}
//# sourceMappingURL=block-results.js.map