import { ripemd160 as ripemd160Of } from '@noble/hashes/legacy.js';
import { sha256 } from '../../crypto/hash.js';
import { copyPart, EMPTY_BYTES } from '../../primitives/bytes.js';
import { WORD_BYTES } from '../../primitives/units.js';
import { type Precompile, perWord, success } from './precompile.js';

/** Computes SHA-256. Reference: PrecompiledContracts.Sha256. */
export const sha256Contract: Precompile = { energy: perWord(60, 12), run: (data) => success(sha256(data)) };

/**
 * Computes SHA-256, and then SHA-256 of the first 20 bytes of the result. In Ethereum, RIPEMD-160 has this address.
 * Reference: Ripempd160.
 */
export const shaTwice: Precompile = {
  energy: perWord(600, 120),
  run: (data) => success(sha256(sha256(data).subarray(0, 20))),
};

/** Returns its input unchanged. Reference: Identity. */
export const identity: Precompile = {
  energy: perWord(15, 3),
  run: (data) => success(data.length === 0 ? EMPTY_BYTES : copyPart(data, 0, data.length)),
};

/** Computes RIPEMD-160 as in Ethereum, left-padded to a word. Reference: EthRipemd160. */
export const ripemd160: Precompile = {
  energy: perWord(600, 120),
  run: (data) => {
    const word = new Uint8Array(WORD_BYTES);
    word.set(ripemd160Of(data), 12);
    return success(word);
  },
};
