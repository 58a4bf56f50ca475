import { Block, BlockHeader, BlockHeaderRaw, Transaction } from '../../log/codec/generated/messages.js';
import { toAddress } from '../../log/domain/address.js';
import { concatBytes, equalBytes, fromInt64, toHex } from '../../log/domain/bytes.js';
import { sha256 } from '../../log/domain/hash.js';
import { decodeTransaction } from '../transactions/decode-transaction.js';
/** @throws {ProtobufError} bytes that are no block */
export function decodeBlock(bytes) {
    return toDecodedBlock(Block.decode(bytes), bytes);
}
export function toDecodedBlock(message, bytes = Block.encode(message)) {
    message.blockHeader ??= new BlockHeader();
    message.blockHeader.rawData ??= new BlockHeaderRaw();
    const raw = message.blockHeader.rawData;
    const id = blockId(raw);
    return {
        message,
        raw,
        bytes,
        id,
        idHex: toHex(id),
        number: Number(raw.number),
        timeMs: Number(raw.timestamp),
        parentIdHex: toHex(raw.parentHash),
        witness: toAddress(raw.witnessAddress),
        transactions: message.transactions.map(decodeTransaction),
        isSigned: message.blockHeader.witnessSignature.length > 0,
    };
}
/** Reference: BlockCapsule.BlockId. */
export function blockId(raw) {
    return concatBytes(fromInt64(raw.number), headerHash(raw).subarray(8));
}
/** What a witness signs: SHA-256 of the header as written again. */
export function headerHash(raw) {
    return sha256(BlockHeaderRaw.encode(raw));
}
/** Root over the whole transactions, signatures and results included; an odd last node is carried up unchanged. */
export function merkleRoot(transactions) {
    return rootOf(transactions.map((transaction) => sha256(Transaction.encode(transaction))));
}
export function hasRightMerkleRoot({ raw, transactions }) {
    return equalBytes(raw.txTrieRoot, rootOf(transactions.map(({ hash }) => hash)));
}
function rootOf(leaves) {
    if (leaves.length === 0)
        return new Uint8Array(32);
    let level = leaves;
    while (level.length > 1) {
        const above = [];
        for (let at = 0; at < level.length; at += 2) {
            const right = level[at + 1];
            above.push(right === undefined ? level[at] : sha256(concatBytes(level[at], right)));
        }
        level = above;
    }
    return level[0];
}
//# sourceMappingURL=decoded-block.js.map