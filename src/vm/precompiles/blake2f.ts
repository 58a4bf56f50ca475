import { blake2Compress } from '../../crypto/wasm/blake2.js';
import { itemAt } from '../../primitives/assert.js';
import { WORD_BYTES } from '../../primitives/units.js';
import { type Precompile, success } from './precompile.js';

const INPUT_BYTES = 213;

/**
 * The compression function of BLAKE2b. Its price is one energy unit per round. Reference: PrecompiledContracts.Blake2F
 * (EIP-152).
 */
export const blake2F: Precompile = {
  energy: (data) => (isWellFormed(data) ? roundsOf(data) : 0),
  energyPerMs: 10_000,
  run: (data) =>
    isWellFormed(data)
      ? success(blake2Compress(data, roundsOf(data), data[212] === 1))
      : { isSuccess: false, data: new Uint8Array(WORD_BYTES) },
};

function isWellFormed(data: Uint8Array): boolean {
  return data.length === INPUT_BYTES && (itemAt(data, 212) & 0xfe) === 0;
}

function roundsOf(data: Uint8Array): number {
  return ((itemAt(data, 0) << 24) | (itemAt(data, 1) << 16) | (itemAt(data, 2) << 8) | itemAt(data, 3)) >>> 0;
}
