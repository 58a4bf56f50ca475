import { toHex } from '../primitives/bytes.js';
import { type DecodedBlock, decodeBlock } from '../state-transition/block/decoded-block.js';
import type { EncodedBlock } from '../state-transition/block/encoded-block.js';
import { ChainError } from '../state-transition/errors.js';
import type { State } from '../state-transition/state/state.js';
import { isSignedByWitness } from './production/witness-signature.js';
import type { RecentBlocks } from './recent-blocks.js';

/** Operations of the chain that a reorg needs. */
export interface ReorgChain {
  readonly state: State;
  readonly recent: RecentBlocks;
  headId(): Uint8Array;
  /** Reverts the head. Its transactions return to the mempool. */
  revertHead(): void;
  /** Executes a block of the new branch on top of the head. @throws {ChainError} the block is invalid */
  apply(block: DecodedBlock): void;
  /** Executes a reverted block of the old branch on top of the head again. @throws {ChainError} the block is invalid */
  reapply(block: DecodedBlock): void;
}

/**
 * Makes a longer branch canonical: reverts blocks down to the common ancestor, then executes the blocks of the branch.
 * Reference: Manager.switchFork.
 * @throws {ChainError} the branch is invalid; the head is then the same as in java-tron
 */
export function reorgTo(chain: ReorgChain, target: EncodedBlock): void {
  const [branch, old] = branchesTo(chain, target);
  const applying = branch.map(({ bytes }) => decodeBlock(bytes)).reverse();
  for (const _ of old) chain.revertHead();
  for (const block of applying) {
    try {
      checkSignature(chain, block);
      chain.apply(block);
    } catch (error) {
      // After an unchecked exception, java-tron stays on the partly executed branch until the next longer branch.
      if (error instanceof ChainError && error.checked) restoreBranch(chain, branch, old);
      throw error;
    }
  }
}

/**
 * Verifies the signature of a block with the state of the new branch, in which the witness may have another key.
 * @throws {ChainError} the signature is invalid
 */
function checkSignature({ state }: ReorgChain, block: DecodedBlock): void {
  if (!state.rules.release.rules.verifiesBranchSignatures || isSignedByWitness(state, block)) return;
  throw new ChainError('ValidateSignatureException', `switch fork: block ${block.number} signature invalid`);
}

/**
 * Returns two lists of blocks above the common ancestor, newest first: the new branch, then the old branch. If there is
 * no common ancestor, deletes the new branch and throws.
 */
function branchesTo({ recent, headId }: ReorgChain, target: EncodedBlock): readonly [EncodedBlock[], EncodedBlock[]] {
  try {
    return recent.branches(target.idHex, toHex(headId()));
  } catch (error) {
    for (let at: EncodedBlock | undefined = target; at !== undefined; at = recent.get(at.parentIdHex)) {
      recent.remove(at.idHex);
    }
    throw error;
  }
}

/** Drops a branch with an invalid block and executes the old blocks again. */
function restoreBranch(chain: ReorgChain, branch: readonly EncodedBlock[], old: readonly EncodedBlock[]): void {
  const { recent } = chain;
  for (const { idHex } of branch) recent.remove(idHex);
  const oldHead = old[0];
  const ancestor = old.at(-1)?.parentIdHex;
  if (oldHead !== undefined) recent.setHead(oldHead);
  while (ancestor !== undefined && toHex(chain.headId()) !== ancestor) chain.revertHead();
  for (const { bytes } of [...old].reverse()) chain.reapply(decodeBlock(bytes));
}
