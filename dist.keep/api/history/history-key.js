import { seqKey } from '../../log/block-log.js';
/** Bytes of an address with its prefix. */
const ADDRESS_BYTES = 21;
const PLACE_BYTES = 4;
/** Key of a row: the account, then its place, so that an account's rows stand together in the order of the chain. */
export function historyKey(address, [number, ...places]) {
    const rest = Buffer.alloc(places.length * PLACE_BYTES);
    for (const [at, place] of places.entries())
        rest.writeUInt32BE(place, at * PLACE_BYTES);
    return Buffer.concat([address, seqKey(number), rest]);
}
export function placeOfKey(key) {
    const bytes = Buffer.from(key.buffer, key.byteOffset, key.byteLength);
    const places = [];
    for (let at = ADDRESS_BYTES + 8; at < bytes.length; at += PLACE_BYTES)
        places.push(bytes.readUInt32BE(at));
    return [Number(bytes.readBigUInt64BE(ADDRESS_BYTES)), ...places];
}
//# sourceMappingURL=history-key.js.map