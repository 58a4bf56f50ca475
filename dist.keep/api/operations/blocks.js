import { Block, BlockList, TransactionInfoList, TransactionRet, } from '../../log/codec/generated/messages.js';
import { fromInt64, toHex, toInt64 } from '../../log/domain/bytes.js';
import { illegalArgument, javaError } from '../java/java-error.js';
import { bytesOfHex } from '../java/java-hex.js';
import { parseLong } from '../java/java-number.js';
/** Reference: Wallet.getNowBlock. */
export function newestBlock(view) {
    return blockByNumber(view, BigInt(view.headNumber));
}
/** Reference: Wallet.getBlockByNum. */
export function blockByNumber(view, number) {
    if (number < 0n || number > BigInt(view.headNumber))
        return undefined;
    const stored = view.block(Number(number));
    return stored && Block.decode(stored.block);
}
/** Reference: Wallet.getBlockById. */
export function blockById(view, id) {
    const number = id.length === 32 ? view.numberOf(id) : undefined;
    return number === undefined ? undefined : blockByNumber(view, BigInt(number));
}
/**
 * By id or number, without transactions unless `detail`. Reference: Wallet.getBlock. @throws {JavaError}
 * IllegalArgumentException
 */
export function blockByIdOrNumber(view, { idOrNum, detail }) {
    const block = idOrNum === '' ? newestBlock(view) : namedBlock(view, idOrNum);
    if (block !== undefined && !detail)
        block.transactions = [];
    return block;
}
function namedBlock(view, name) {
    const number = longOrUndefined(name);
    if (number !== undefined) {
        if (number > BigInt(view.headNumber))
            return undefined;
        if (number < 0n)
            throw illegalArgument('num must be non-positive number.');
        return blockByNumber(view, number);
    }
    const refusal = illegalArgument('id must be legal block hash.');
    if (name.length !== 64)
        throw refusal;
    const id = hexOrUndefined(name);
    if (id?.length !== 32)
        throw refusal;
    const height = toInt64(id.subarray(0, 8));
    if (height > BigInt(view.headNumber) || height < 0n)
        throw refusal;
    return blockById(view, id);
}
/** Blocks from a number on. Reference: Wallet.getBlocksByLimitNext. */
export function blocksFrom(view, start, limit) {
    const block = [];
    // The key of a negative number stands behind all others.
    const first = start < 0n ? undefined : start;
    for (let number = first; number !== undefined && BigInt(block.length) < limit; number++) {
        const found = blockByNumber(view, number);
        if (found === undefined)
            break;
        block.push(found);
    }
    return Object.assign(new BlockList(), { block });
}
/** The newest blocks, oldest first. Reference: Wallet.getBlockByLatestNum. */
export function newestBlocks(view, count) {
    const start = BigInt(view.headNumber) - count + 1n;
    return blocksFrom(view, start < 0n ? 0n : start, count);
}
/** Reference: Wallet.getTransactionCountByBlockNum. */
export function transactionCount(view, number) {
    return blockByNumber(view, number)?.transactions.length ?? 0;
}
/** Reference: Wallet.getTransactionById. */
export function transactionById(view, id) {
    const place = id.length === 32 ? view.transactionAt(id) : undefined;
    if (place === undefined)
        return view.waiting(id);
    return blockByNumber(view, BigInt(place.number))?.transactions[place.index];
}
/** Reference: Wallet.getTransactionInfoById. */
export function transactionInfoById(view, id) {
    const place = id.length === 32 ? view.transactionAt(id) : undefined;
    if (place === undefined)
        return undefined;
    const wanted = toHex(id);
    return infosOf(view, place.number).find((info) => toHex(info.id) === wanted);
}
/** Reference: Wallet.getTransactionInfoByBlockNum. */
export function transactionInfosByNumber(view, number) {
    const transactionInfo = number > BigInt(view.headNumber) ? [] : infosOf(view, Number(number));
    return Object.assign(new TransactionInfoList(), { transactionInfo });
}
function infosOf(view, number) {
    const stored = view.block(number);
    if (stored === undefined || stored.results.length === 0)
        return [];
    return TransactionRet.decode(stored.results).transactioninfo;
}
function longOrUndefined(text) {
    try {
        return parseLong(text);
    }
    catch (error) {
        if (javaError(error) === undefined)
            throw error;
        return undefined;
    }
}
function hexOrUndefined(text) {
    try {
        return bytesOfHex(text);
    }
    catch (error) {
        if (javaError(error) === undefined)
            throw error;
        return undefined;
    }
}
/** Key under which Java stores a number: 8 bytes big-endian. */
export function numberKey(value) {
    return toHex(fromInt64(value));
}
//# sourceMappingURL=blocks.js.map