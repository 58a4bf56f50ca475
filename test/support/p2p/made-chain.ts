import type { LocalChain } from '../../../src/p2p/local-chain.js';
import { type BlockId, blockIdOf } from '../../../src/p2p/wire/block-id.js';
import { fromHex } from '../../../src/primitives/bytes.js';

/** Returns a block id: the height, followed by a tail. Blocks of different branches have different tails. */
export function idAt(number: number, tail = '0a'): BlockId {
  return blockIdOf(fromHex(number.toString(16).padStart(16, '0') + tail.repeat(24)));
}

/**
 * Returns a chain of empty blocks up to a head. `branch` contains the ids of a side branch, newest first, down to the
 * common ancestor.
 */
export function madeChain(head: number, fields: Partial<LocalChain> = {}, branch: readonly BlockId[] = []): LocalChain {
  const isCanonical = ({ hex, number }: BlockId): boolean => number <= head && idAt(number).hex === hex;
  const facts: Partial<LocalChain> = {
    genesis: idAt(0),
    head: idAt(head),
    branchHead: idAt(head),
    solidified: idAt(Math.max(0, head - 10)),
    solidifiedTimeMs: 0,
    slotMs: 3000,
    lowestRevertible: Math.max(0, head - 10),
    idAt: (number) => (number <= head ? idAt(number) : undefined),
    isCanonical,
    isKnown: (id) => isCanonical(id) || branch.some(({ hex }) => hex === id.hex),
    branchOf: (id) => branch.slice(branch.findIndex(({ hex }) => hex === id.hex)),
    ...fields,
  };
  // Cast: contains only the parts of a chain that the tested code uses.
  return facts as LocalChain;
}
