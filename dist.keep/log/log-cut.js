import { readSeq, seqKey } from './block-key.js';
import { HASH_BYTES } from './log-entry.js';
/** Name of the fact that holds it. */
export const CUT = 'cut';
const NUMBERS_BYTES = 16;
/** seq, number: 8 bytes each; id, digest, hash: 32 bytes each. */
export function encodeCut({ seq, number, id, digest, hash }) {
    return Buffer.concat([seqKey(seq), seqKey(number), id, digest, hash]);
}
export function decodeCut(bytes) {
    const part = (at) => bytes.subarray(NUMBERS_BYTES + at * HASH_BYTES, NUMBERS_BYTES + (at + 1) * HASH_BYTES);
    return { seq: readSeq(bytes), number: readSeq(bytes.subarray(8)), id: part(0), digest: part(1), hash: part(2) };
}
//# sourceMappingURL=log-cut.js.map