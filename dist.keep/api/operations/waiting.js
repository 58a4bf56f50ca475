import { TransactionRaw } from '../../log/codec/generated/messages.js';
import { toHex } from '../../log/domain/bytes.js';
import { sha256 } from '../../log/domain/hash.js';
/** Id of a transaction: SHA-256 of its raw data as written again. */
export function transactionId({ rawData }) {
    return sha256(TransactionRaw.encode(rawData ?? new TransactionRaw()));
}
export function transactionIdHex(transaction) {
    return toHex(transactionId(transaction));
}
//# sourceMappingURL=waiting.js.map