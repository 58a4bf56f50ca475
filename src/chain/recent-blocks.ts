import type { EncodedBlock } from '../state-transition/block/encoded-block.js';
import { ChainError, unchecked } from '../state-transition/errors.js';

/**
 * Maximum number of stored blocks of one witness at one height. An honest witness signs one block per height. Two nodes
 * with the same key may sign two blocks per height.
 */
const SIBLINGS_MAX = 3;
/** Maximum total size of the stored side blocks of one witness, in bytes. Twelve blocks of the maximum size fit. */
const WITNESS_BYTES_MAX = 24 * 1024 * 1024;
/** Key under which the blocks of all inactive witnesses are counted. */
const INACTIVE = 'inactive';

/**
 * Blocks of all branches near the head. Adding a block with a new height deletes the blocks below (head − capacity).
 * After a reorg, the head of this store can be below the head of the chain. Reference: KhaosDatabase.
 *
 * java-tron stores all side blocks. Tronicle limits the side blocks of each witness, because a witness can sign any
 * number of blocks of one height. All inactive witnesses together have the limits of one witness, because any account
 * can sign a side block. If a deleted block becomes part of the longest branch, its child has an unknown parent, and
 * the node syncs with the peer to request the block again. Such a sync always completes, because the branch of the
 * newest block is never deleted.
 */
export class RecentBlocks {
  private readonly byId = new Map<string, EncodedBlock>();
  private readonly byNumber = new Map<number, EncodedBlock[]>();
  /**
   * Number of heights whose blocks are stored. It grows with the number of unsolidified blocks.
   * Reference: KhaosStore.maxCapacity.
   */
  private capacity = 1024;
  private top: EncodedBlock;
  /** Stored blocks of each witness, oldest first, including canonical blocks. */
  private readonly byWitness = new Map<string, Set<EncodedBlock>>();
  /** Stored blocks whose witness was not active when they arrived. They are counted under the key INACTIVE. */
  private readonly inactive = new WeakSet<EncodedBlock>();

  constructor(start: EncodedBlock) {
    this.top = start;
    this.insert(start);
  }

  get head(): EncodedBlock {
    return this.top;
  }

  /** Lowest height whose blocks are stored. A branch can start at this height or above. */
  get lowest(): number {
    return extremeHeight(this.byNumber, Math.min);
  }

  get(idHex: string): EncodedBlock | undefined {
    return this.byId.get(idHex);
  }

  setCapacity(capacity: number): void {
    this.capacity = capacity;
  }

  setHead(block: EncodedBlock): void {
    this.top = block;
  }

  /**
   * Adds a block and returns the head of this store. If the witness of the block exceeds a limit, deletes other side
   * blocks of this witness.
   * @param canonicalHead id of the canonical head, whose branch is never deleted
   * @param isActive true if the witness of the block is active in the state of the canonical head
   * @throws {ChainError} UnLinkedBlockException: the parent is not stored; BadNumberBlockException: the number is not
   * the parent's plus one
   */
  push(block: EncodedBlock, canonicalHead = this.top.idHex, isActive = true): EncodedBlock {
    const parent = this.byId.get(block.parentIdHex);
    if (parent === undefined) throw new ChainError('UnLinkedBlockException');
    if (block.number !== parent.number + 1) {
      throw new ChainError(
        'BadNumberBlockException',
        `parent number: ${parent.number} , block number: ${block.raw.number}`,
      );
    }
    if (!isActive && !this.byId.has(block.idHex)) this.inactive.add(block);
    this.insert(block);
    if (block.number > this.top.number) this.top = block;
    this.limitWitness(block, canonicalHead);
    return this.top;
  }

  /** Adds an older block of the head's branch, without any check. Used at start-up. */
  addOlder(block: EncodedBlock): void {
    this.byId.set(block.idHex, block);
    this.byNumber.set(block.number, [block]);
    this.noteWitness(block);
  }

  /** Replaces the head by its parent, if the parent is stored. */
  pop(): void {
    const parent = this.byId.get(this.top.parentIdHex);
    if (parent !== undefined) this.top = parent;
  }

  remove(idHex: string): void {
    const block = this.byId.get(idHex);
    if (block !== undefined) this.delete(block);
    const first = this.byNumber.get(extremeHeight(this.byNumber, Math.max))?.[0];
    if (first === undefined) throw unchecked('RuntimeException', 'khaosDB head should not be null.');
    this.top = first;
  }

  /**
   * Returns the blocks of two branches above their common ancestor, newest first.
   * @throws {ChainError} NonCommonBlockException: the ancestor is not stored
   */
  branches(a: string, b: string): readonly [EncodedBlock[], EncodedBlock[]] {
    const ofA: EncodedBlock[] = [];
    const ofB: EncodedBlock[] = [];
    let left = this.known(a);
    let right = this.known(b);
    while (left.idHex !== right.idHex) {
      const { number } = right;
      if (left.number >= number) {
        ofA.push(left);
        if (left.number === number) {
          ofB.push(right);
          right = this.known(right.parentIdHex);
        }
        left = this.known(left.parentIdHex);
      } else {
        ofB.push(right);
        right = this.known(right.parentIdHex);
      }
    }
    return [ofA, ofB];
  }

  private known(idHex: string): EncodedBlock {
    const block = this.byId.get(idHex);
    if (block === undefined) throw new ChainError('NonCommonBlockException');
    return block;
  }

  private delete(block: EncodedBlock): void {
    this.deleteSibling(block);
    const rest = (this.byNumber.get(block.number) ?? []).filter(({ idHex }) => idHex !== block.idHex);
    if (rest.length === 0) this.byNumber.delete(block.number);
    else this.byNumber.set(block.number, rest);
  }

  private deleteSibling(block: EncodedBlock): void {
    this.byId.delete(block.idHex);
    const witness = this.witnessOf(block);
    const own = this.byWitness.get(witness);
    own?.delete(block);
    if (own?.size === 0) this.byWitness.delete(witness);
  }

  private noteWitness(block: EncodedBlock): void {
    const witness = this.witnessOf(block);
    const own = this.byWitness.get(witness);
    if (own === undefined) this.byWitness.set(witness, new Set([block]));
    else own.add(block);
  }

  private witnessOf(block: EncodedBlock): string {
    return this.inactive.has(block) ? INACTIVE : block.witness;
  }

  /** If a new block exceeds a limit of its witness, deletes side blocks of this witness, with their descendants. */
  private limitWitness(newest: EncodedBlock, canonicalHead: string): void {
    const { idHex, number } = newest;
    const own = [...(this.byWitness.get(this.witnessOf(newest)) ?? [])];
    const siblings = own.filter((block) => block.number === number);
    if (siblings.length <= SIBLINGS_MAX && bytesOf(own) <= WITNESS_BYTES_MAX) return;
    const retained = this.branchesOf([idHex, this.top.idHex, canonicalHead]);
    const deletable = (blocks: readonly EncodedBlock[]): readonly EncodedBlock[] =>
      blocks.filter((block) => !retained.has(block.idHex) && this.byId.has(block.idHex));
    const tooMany = (): boolean => siblings.filter((block) => this.byId.has(block.idHex)).length > SIBLINGS_MAX;
    for (let left = deletable(siblings); left.length > 0 && tooMany(); left = deletable(siblings))
      this.deleteShortest(left);
    for (let left = deletable(own); bytesOf(left) > WITNESS_BYTES_MAX; left = deletable(own)) this.deleteShortest(left);
  }

  /** Returns the ids of some blocks and of their stored ancestors. */
  private branchesOf(heads: readonly string[]): ReadonlySet<string> {
    const ids = new Set<string>();
    for (const head of heads) {
      for (let at = this.byId.get(head); at !== undefined && !ids.has(at.idHex); at = this.byId.get(at.parentIdHex))
        ids.add(at.idHex);
    }
    return ids;
  }

  /**
   * Deletes the block whose branch ends at the lowest height, with its descendants. If several branches end there,
   * deletes the oldest block.
   */
  private deleteShortest(blocks: readonly EncodedBlock[]): void {
    let shortest: readonly EncodedBlock[] = [];
    for (const block of blocks) {
      const tree = this.descendantsOf(block);
      if (shortest.length === 0 || highest(tree) < highest(shortest)) shortest = tree;
    }
    for (const block of shortest) this.delete(block);
  }

  /** Returns the block and its stored descendants, in ascending height. */
  private descendantsOf(block: EncodedBlock): readonly EncodedBlock[] {
    const tree = [block];
    const ids = new Set([block.idHex]);
    for (let number = block.number + 1; ; number++) {
      const next = (this.byNumber.get(number) ?? []).filter(({ parentIdHex }) => ids.has(parentIdHex));
      if (next.length === 0) return tree;
      for (const child of next) {
        tree.push(child);
        ids.add(child.idHex);
      }
    }
  }

  private insert(block: EncodedBlock): void {
    if (this.byId.has(block.idHex)) return;
    this.byId.set(block.idHex, block);
    this.noteWitness(block);
    const siblings = this.byNumber.get(block.number);
    if (siblings !== undefined) {
      siblings.push(block);
      return;
    }
    this.byNumber.set(block.number, [block]);
    this.dropBelow(Math.max(0, this.top.number - this.capacity));
  }

  private dropBelow(lowest: number): void {
    for (const [number, blocks] of this.byNumber) {
      if (number >= lowest) continue;
      this.byNumber.delete(number);
      for (const block of blocks) this.deleteSibling(block);
    }
  }
}

function bytesOf(blocks: readonly EncodedBlock[]): number {
  return blocks.reduce((sum, { bytes }) => sum + bytes.length, 0);
}

function highest(tree: readonly EncodedBlock[]): number {
  return tree.at(-1)?.number ?? 0;
}

/** Returns the lowest or highest height. Compares pairs, because 100,000 arguments would overflow the stack. */
function extremeHeight(blocks: ReadonlyMap<number, unknown>, choose: (a: number, b: number) => number): number {
  let [found = Number.NaN] = blocks.keys();
  for (const number of blocks.keys()) found = choose(found, number);
  return found;
}
