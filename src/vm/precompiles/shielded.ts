import { UndecidableError } from '../interpreter/vm-error.js';
import { type Precompile, success, WORD_BYTES } from './precompile.js';

/** Checks of shielded TRC20 that this release cannot make: it says so, and the node stops, rather than answer unchecked. */
function undecidable(name: string, energy: number, sizes: readonly number[]): Precompile {
  return {
    energy: () => energy,
    run: (data) => {
      if (sizes.length > 0 && !sizes.includes(data.length)) return success(new Uint8Array(WORD_BYTES));
      throw new UndecidableError(`precompile ${name}: this node cannot verify shielded TRC20 proofs`);
    },
  };
}

export const verifyMintProof = undecidable('verifyMintProof', 150_000, [1504]);
export const verifyTransferProof = undecidable('verifyTransferProof', 200_000, [2080, 2368, 2464, 2752]);
export const verifyBurnProof = undecidable('verifyBurnProof', 150_000, [512]);
export const merkleHash = undecidable('merkleHash', 500, []);
