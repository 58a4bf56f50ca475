import { p256 } from '@noble/curves/nist.js';
import { EMPTY_BYTES } from '../../log/domain/bytes.js';
import { booleanWord, type Precompile, success } from './precompile.js';

const INPUT_BYTES = 160;
const ENERGY = 6900;

/**
 * Whether a signature (r, s) of a hash is of a public key (x, y), on the curve secp256r1: a word of 1, or nothing. s may be in either
 * half of the order. Reference: PrecompiledContracts.P256Verify (TIP-7951).
 */
export const p256Verify: Precompile = {
  energy: () => ENERGY,
  energyPerMs: 2000,
  run: (data) => success(data.length === INPUT_BYTES && isSignature(data) ? booleanWord(true) : EMPTY_BYTES),
};

function isSignature(data: Uint8Array): boolean {
  const key = new Uint8Array(65);
  key[0] = 4;
  key.set(data.subarray(96), 1);
  try {
    return p256.verify(data.subarray(32, 96), data.subarray(0, 32), key, { prehash: false, lowS: false });
  } catch {
    // The library's only way to say that the key is no point of the curve, or r or s is out of range.
    return false;
  }
}
