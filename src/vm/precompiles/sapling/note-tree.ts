import { itemAt } from '../../../primitives/assert.js';
import { merkleNode } from './pedersen-hash.js';

const DEPTH = 32;
/** Maximum number of leaves. */
export const TREE_WIDTH = 1n << BigInt(DEPTH);

let empty: Uint8Array[] | undefined;

/** Returns the node of a subtree without leaves, for each level. Reference: VerifyProof.UNCOMMITTED. */
function emptyNodes(): readonly Uint8Array[] {
  if (empty === undefined) {
    const leaf = new Uint8Array(32);
    leaf[0] = 1;
    empty = [leaf];
    for (let level = 0; level < DEPTH - 1; level++)
      empty.push(merkleNode(level, itemAt(empty, level), itemAt(empty, level)));
  }
  return empty;
}

/**
 * Returns the level of the frontier at which the node of a leaf is stored: the number of trailing one bits of the
 * leaf's index. Reference: getFrontierSlot.
 */
function slotOf(index: bigint): number {
  let slot = 0;
  for (let rest = index; (rest & 1n) === 1n; rest >>= 1n) slot++;
  return slot;
}

/**
 * Appends leaves after the `count` existing leaves. Reference: VerifyProof.insertLeaves.
 * @param frontier left nodes by level. The function replaces the nodes that the new leaves change
 * @returns words of 32 bytes. For each leaf: its frontier level L (see {@link slotOf}), and the nodes that its
 * insertion computes at levels 1 to L. After all leaves: the root
 */
export function insertLeaves(frontier: Uint8Array[], count: bigint, leaves: readonly Uint8Array[]): Uint8Array[] {
  const words: Uint8Array[] = [];
  let index = 0n;
  let node = new Uint8Array(32);
  let slot = 0;
  const climb = (level: number) => {
    const isRight = (index & 1n) === 0n;
    const [left, right] = isRight ? [itemAt(frontier, level - 1), node] : [node, itemAt(emptyNodes(), level - 1)];
    index = isRight ? (index - 1n) / 2n : index / 2n;
    node = Uint8Array.from(merkleNode(level - 1, left, right));
  };
  for (const [i, leaf] of leaves.entries()) {
    slot = slotOf(count + BigInt(i));
    const word = new Uint8Array(32);
    word[31] = slot;
    words.push(word);
    index = BigInt(i) + count + TREE_WIDTH - 1n;
    node = Uint8Array.from(leaf);
    for (let level = 1; level <= slot; level++) {
      climb(level);
      words.push(node);
    }
    frontier[slot] = node;
  }
  for (let level = slot + 1; level <= DEPTH; level++) climb(level);
  words.push(node);
  return words;
}
