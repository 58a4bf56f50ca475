import { InternalTransaction, InternalTransactionCallValueInfo } from '../../log/codec/generated/messages.js';
import { addressBytes } from '../../log/domain/address.js';
import { EMPTY_BYTES, fromInt64, utf8 } from '../../log/domain/bytes.js';
import { keccak256 } from '../../log/domain/hash.js';
export function internalCall(fields) {
    const { parentHash, sender, receiver, value, data, note, nonce, tokens, depth } = fields;
    const to = note === 'create' || receiver === undefined ? EMPTY_BYTES : addressBytes(receiver);
    const hash = keccak256(parentHash, to, data, fromInt64(value), fromInt64(nonce));
    return { hash, sender, receiver, value, tokens, note, data, depth, isRejected: false, extra: '' };
}
/** As receipts carry it. Reference: TransactionUtil.buildInternalTransaction. */
export function internalTransactionOf(call) {
    const info = [['', call.value], ...call.tokens].map(([tokenId, callValue]) => Object.assign(new InternalTransactionCallValueInfo(), { tokenId, callValue }));
    const message = Object.assign(new InternalTransaction(), {
        hash: call.hash,
        callerAddress: addressBytes(call.sender),
        transferToAddress: call.receiver === undefined ? EMPTY_BYTES : addressBytes(call.receiver),
        callValueInfo: info,
        note: utf8(call.note),
        rejected: call.isRejected,
        extra: call.extra,
    });
    if (call.data.length > 0)
        callData.set(message, call.data);
    return message;
}
/** The message has no field for it, and events show it: the log keeps it beside. */
const callData = new WeakMap();
/** Call data or creation code of a message made by {@link internalTransactionOf}; empty for others. */
export function callDataOf(message) {
    return callData.get(message) ?? EMPTY_BYTES;
}
//# sourceMappingURL=internal-transaction.js.map