import { Block, TransactionRet, } from '../../log/codec/generated/messages.js';
import { toHex } from '../../log/domain/bytes.js';
import { TronError } from '../../log/domain/errors.js';
import { decodeParameter } from '../../vm/transactions/decode-transaction.js';
import { internalOf } from '../streams/block-content.js';
export function transactionsOf(block) {
    const { entry } = block;
    const infos = TransactionRet.decode(entry.results).transactioninfo;
    const internal = internalOf(infos, () => changesOf(block));
    return Block.decode(entry.block).transactions.map((message, index) => {
        const contract = message.rawData?.contract[0];
        const parameter = contract === undefined ? undefined : decodeParameter(contract);
        return { index, message, parameter, type: contract?.type, info: infos[index], internal: internal[index] ?? [] };
    });
}
function changesOf(block) {
    try {
        return block.changes();
    }
    catch (error) {
        if (error instanceof TronError && error.code === 'HISTORY_NOT_KEPT')
            return undefined;
        throw error;
    }
}
/** Addresses that a contract names, its sender first: every field whose name says so. */
export function namedAddresses(parameter) {
    return Object.entries(parameter ?? {}).flatMap(([name, value]) => /address$/i.test(name) && value instanceof Uint8Array && value.length === ADDRESS_BYTES ? [value] : []);
}
const ADDRESS_BYTES = 21;
/** Each address once. */
export function distinct(addresses) {
    return [
        ...new Map(addresses.filter(({ length }) => length === ADDRESS_BYTES).map((one) => [toHex(one), one])).values(),
    ];
}
//# sourceMappingURL=block-parts.js.map