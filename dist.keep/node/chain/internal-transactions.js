import { TransactionInfo, TransactionRet } from '../../log/codec/generated/messages.js';
import { withInternalData } from '../../log/internal-data.js';
import { callDataOf } from '../../vm/interpreter/internal-transaction.js';
/**
 * All internal transactions of a block as one `TransactionRet`, an info with nothing else per transaction: the log keeps them
 * whatever the receipts show, and with their call data.
 */
export function encodeInternalTransactions(perTransaction) {
    if (perTransaction.every((list) => list.length === 0))
        return new Uint8Array(0);
    const all = new TransactionRet();
    all.transactioninfo = perTransaction.map((list) => Object.assign(new TransactionInfo(), {
        internalTransactions: list.map((item) => withInternalData(item, callDataOf(item))),
    }));
    return TransactionRet.encode(all);
}
/** The inverse: a list per transaction of the block; empty where the block had none at all. */
export function decodeInternalTransactions(bytes) {
    return TransactionRet.decode(bytes).transactioninfo.map((info) => info.internalTransactions);
}
//# sourceMappingURL=internal-transactions.js.map