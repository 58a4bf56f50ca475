import { toHex } from '../primitives/bytes.js';
import { type DecodedBlock, decodeBlock } from '../state-transition/block/decoded-block.js';
import type { EncodedBlock } from '../state-transition/block/encoded-block.js';
import { ChainError } from '../state-transition/errors.js';
import type { State } from '../state-transition/state/state.js';
import { isSignedByWitness } from './production/witness-signature.js';
import type { RecentBlocks } from './recent-blocks.js';

/** What a switch does to the chain. */
export interface ReorgChain {
  readonly state: State;
  readonly recent: RecentBlocks;
  headId(): Uint8Array;
  /** Takes the head back; its transactions are offered again. */
  undo(): void;
  /** Executes a block of the branch on the head. @throws {ChainError} */
  join(block: DecodedBlock): void;
  /** Executes a block again that was taken back. @throws {ChainError} */
  rejoin(block: DecodedBlock): void;
}

/**
 * Makes a longer branch canonical: takes blocks back to where it begins, and executes it.
 * Reference: Manager.switchFork.
 * @returns its blocks, oldest first
 * @throws {ChainError} it cannot be followed; the chain then stands where the reference stands
 */
export function reorgTo(chain: ReorgChain, target: EncodedBlock): readonly DecodedBlock[] {
  const [branch, old] = branchesTo(chain, target);
  const joining = branch.map(({ bytes }) => decodeBlock(bytes)).reverse();
  for (const _ of old) chain.undo();
  for (const block of joining) {
    try {
      checkSignature(chain, block);
      chain.join(block);
    } catch (error) {
      // Unchecked exceptions of the reference leave it where it stands; the next longer branch repairs that.
      if (error instanceof ChainError && error.checked) switchBack(chain, branch, old);
      throw error;
    }
  }
  return joining;
}

/** A witness's key may be another on this branch. @throws {ChainError} ValidateSignatureException */
function checkSignature({ state }: ReorgChain, block: DecodedBlock): void {
  if (!state.rules.release.rules.verifiesBranchSignatures || isSignedByWitness(state, block)) return;
  throw new ChainError('ValidateSignatureException', `switch fork: block ${block.number} signature invalid`);
}

/**
 * The blocks of the branch and those of the head above where they part, newest first; a branch that cannot be followed
 * is forgotten.
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

/** A block of the branch failed: the whole branch is forgotten, the old blocks are executed again. */
function switchBack(chain: ReorgChain, branch: readonly EncodedBlock[], old: readonly EncodedBlock[]): void {
  const { recent } = chain;
  for (const { idHex } of branch) recent.remove(idHex);
  const oldHead = old[0];
  const ancestor = old.at(-1)?.parentIdHex;
  if (oldHead !== undefined) recent.setHead(oldHead);
  while (ancestor !== undefined && toHex(chain.headId()) !== ancestor) chain.undo();
  for (const { bytes } of [...old].reverse()) chain.rejoin(decodeBlock(bytes));
}
