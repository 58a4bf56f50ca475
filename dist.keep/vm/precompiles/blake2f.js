import { blake2Compress } from '../interpreter/wasm/blake2.js';
import { success, WORD_BYTES } from './precompile.js';
const INPUT_BYTES = 213;
/** The compression function of BLAKE2b; one energy a round. Reference: PrecompiledContracts.Blake2F (EIP-152). */
export const blake2F = {
    energy: (data) => (isWellFormed(data) ? roundsOf(data) : 0),
    energyPerMs: 10_000,
    run: (data) => isWellFormed(data)
        ? success(blake2Compress(data.subarray(4, 212), roundsOf(data), data[212] === 1))
        : { isSuccess: false, data: new Uint8Array(WORD_BYTES) },
};
function isWellFormed(data) {
    return data.length === INPUT_BYTES && (data[212] & 0xfe) === 0;
}
function roundsOf(data) {
    return new DataView(data.buffer, data.byteOffset).getUint32(0);
}
//# sourceMappingURL=blake2f.js.map