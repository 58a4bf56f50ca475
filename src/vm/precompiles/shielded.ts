import { UndecidableError } from '../interpreter/vm-error.js';
import type { Precompile } from './precompile.js';

/** Checks of shielded TRC20 that this release cannot make: it says so, and the node stops, rather than answer unchecked. */
function undecidable(name: string, energy: number): Precompile {
  return {
    energy: () => energy,
    run: () => {
      throw new UndecidableError(`precompile ${name}: this node cannot verify shielded TRC20 proofs`);
    },
  };
}

export const verifyMintProof = undecidable('verifyMintProof', 150_000);
export const verifyTransferProof = undecidable('verifyTransferProof', 200_000);
export const verifyBurnProof = undecidable('verifyBurnProof', 150_000);
export const merkleHash = undecidable('merkleHash', 500);
