import { itemAt } from '../../primitives/assert.js';
import type { LocalChain } from '../local-chain.js';
import { P2pError } from '../p2p-error.js';
import type { BlockId } from '../wire/block-id.js';

/** State of a peer that is needed for a chain summary. */
interface KnownOfPeer {
  readonly commonBlock: BlockId;
  /** Ids of the peer's chain after the common block. This node has not applied their blocks. */
  readonly toFetch: readonly BlockId[];
}

/**
 * Returns the block ids of a summary: ids of this node's chain, followed by the known ids of the peer's chain. The gaps
 * between the listed heights decrease towards the end. The peer uses the summary to find the newest common block.
 * Reference: SyncService.getBlockChainSummary.
 * @throws {P2pError} SYNC_FAILED: the common part of both chains ends below the lowest block that this node can revert
 * @throws {P2pError} HARD_FORKED or DB_ITEM_NOT_FOUND: this node no longer has the ids of the common part
 */
export function chainSummary(chain: LocalChain, { commonBlock, toFetch }: KnownOfPeer): BlockId[] {
  const { canonicalHigh, branch } = canonicalPart(chain, commonBlock);
  const low = Math.max(0, chain.lowestRevertible);
  if (low > canonicalHigh) throw new P2pError('SYNC_FAILED', `low: ${low} gt highNoFork: ${canonicalHigh}`);
  const high = canonicalHigh + branch.length;
  const idOf = (number: number): BlockId => {
    if (number <= canonicalHigh) return canonicalId(chain, number);
    return number <= high ? itemAt(branch, number - canonicalHigh - 1) : itemAt(toFetch, number - high - 1);
  };
  return summaryNumbers(low, high + toFetch.length).map(idOf);
}

/** Returns the heights of a summary in ascending order. The last one is `highest`. */
export function summaryNumbers(lowest: number, highest: number): number[] {
  const numbers: number[] = [];
  for (let low = lowest; low <= highest; low += Math.floor((highest - low + 2) / 2)) numbers.push(low);
  return numbers;
}

/**
 * Returns the highest canonical height of the summary. If the common block is on a branch, also returns the branch ids
 * above this height, oldest first.
 */
function canonicalPart(
  chain: LocalChain,
  common: BlockId,
): { readonly canonicalHigh: number; readonly branch: readonly BlockId[] } {
  if (common.number === 0) return { canonicalHigh: chain.head.number, branch: [] };
  if (chain.branchHead.hex === common.hex || chain.isCanonical(common))
    return { canonicalHigh: common.number, branch: [] };
  const branch = chain.branchOf(common);
  const ancestor = branch.at(-1);
  if (ancestor === undefined) throw new P2pError('SYNC_FAILED', `can't find blockId: ${common.hex}`);
  return { canonicalHigh: ancestor.number, branch: branch.slice(0, -1).reverse() };
}

function canonicalId(chain: LocalChain, number: number): BlockId {
  const { branchHead, head } = chain;
  if (number === branchHead.number) return branchHead;
  if (number === head.number) return head;
  const id = chain.idAt(number);
  if (id === undefined) throw new P2pError('DB_ITEM_NOT_FOUND', `num: ${number}`);
  return id;
}
