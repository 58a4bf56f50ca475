import { fromHex, fromInt64, toHex, toInt64 } from '../../log/domain/bytes.js';
import { P2pError } from '../p2p-error.js';
const ID_BYTES = 32;
/** An id as it stands in an inventory. @throws {P2pError} PARSE_MESSAGE_FAILED: not 32 bytes */
export function blockIdOf(id) {
    return { hex: hashHex(id), number: Number(toInt64(id.subarray(0, 8))) };
}
export function blockIdOfHex(hex) {
    return blockIdOf(fromHex(hex));
}
/** An id that comes with its number: the number is written over the first 8 bytes. Reference: BlockId. @throws {P2pError} */
export function blockIdWith(hash, number) {
    return { hex: toHex(fromInt64(number)) + hashHex(hash).slice(16), number: Number(number) };
}
/** @throws {P2pError} PARSE_MESSAGE_FAILED: not 32 bytes. Reference: Sha256Hash.wrap. */
export function hashHex(hash) {
    if (hash.length !== ID_BYTES)
        throw new P2pError('PARSE_MESSAGE_FAILED', `a hash of ${hash.length} bytes`);
    return toHex(hash);
}
//# sourceMappingURL=block-id.js.map