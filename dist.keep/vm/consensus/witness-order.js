import { toHex } from '../../log/domain/bytes.js';
/** The order of candidates that the chain has. Reference: DposService.updateWitness, WitnessStore.sortWitnesses. */
export function witnessOrder(properties) {
    return properties.isOn('CONSENSUS_LOGIC_OPTIMIZATION') ? byVotesAndAddress : byVotes;
}
/** Most votes first; among equals the larger hash code of the address first. */
export function byVotes(a, b) {
    if (a.voteCount !== b.voteCount)
        return a.voteCount > b.voteCount ? -1 : 1;
    return byteStringHash(b.address) - byteStringHash(a.address);
}
/** Most votes first; among equals the larger address first (88). */
export function byVotesAndAddress(a, b) {
    if (a.voteCount !== b.voteCount)
        return a.voteCount > b.voteCount ? -1 : 1;
    const [first, second] = [toHex(a.address), toHex(b.address)];
    return first === second ? 0 : first > second ? -1 : 1;
}
/** Reference: com.google.protobuf.ByteString.hashCode. */
export function byteStringHash(bytes) {
    let hash = bytes.length;
    for (const byte of bytes)
        hash = (Math.imul(hash, 31) + ((byte << 24) >> 24)) | 0;
    return hash === 0 ? 1 : hash;
}
//# sourceMappingURL=witness-order.js.map