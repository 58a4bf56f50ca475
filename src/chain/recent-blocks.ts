import type { EncodedBlock } from '../state-transition/block/encoded-block.js';
import { ChainError, unchecked } from '../state-transition/errors.js';

/**
 * Blocks of all branches near the head. Adding a block with a new height deletes the blocks below (head − capacity).
 * After a reorg, the head of this store can be below the head of the chain. Reference: KhaosDatabase.
 */
export class RecentBlocks {
  private readonly byId = new Map<string, EncodedBlock>();
  private readonly byNumber = new Map<number, EncodedBlock[]>();
  /**
   * Number of heights that are kept; grows with the number of unsolidified blocks. Reference: KhaosStore.maxCapacity.
   */
  private capacity = 1024;
  private top: EncodedBlock;

  constructor(start: EncodedBlock) {
    this.top = start;
    this.insert(start);
  }

  get head(): EncodedBlock {
    return this.top;
  }

  /** Lowest number stored: a branch can start at this block or above. */
  get lowest(): number {
    return Math.min(...this.byNumber.keys());
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
   * Adds a block and returns the head of this store.
   * @throws {ChainError} UnLinkedBlockException, BadNumberBlockException
   */
  push(block: EncodedBlock): EncodedBlock {
    const parent = this.byId.get(block.parentIdHex);
    if (parent === undefined) throw new ChainError('UnLinkedBlockException');
    if (block.number !== parent.number + 1) {
      throw new ChainError(
        'BadNumberBlockException',
        `parent number: ${parent.number} , block number: ${block.raw.number}`,
      );
    }
    this.insert(block);
    if (block.number > this.top.number) this.top = block;
    return this.top;
  }

  /** Adds an older block of the head's branch. Used at start-up. */
  addOlder(block: EncodedBlock): void {
    this.byId.set(block.idHex, block);
    this.byNumber.set(block.number, [block]);
  }

  /** Replaces the head by its parent, if the parent is stored. */
  pop(): void {
    const parent = this.byId.get(this.top.parentIdHex);
    if (parent !== undefined) this.top = parent;
  }

  remove(idHex: string): void {
    const block = this.byId.get(idHex);
    if (block !== undefined) {
      this.byId.delete(idHex);
      const rest = (this.byNumber.get(block.number) ?? []).filter((other) => other.idHex !== idHex);
      if (rest.length === 0) this.byNumber.delete(block.number);
      else this.byNumber.set(block.number, rest);
    }
    const first = this.byNumber.get(Math.max(...this.byNumber.keys()))?.[0];
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

  private insert(block: EncodedBlock): void {
    this.byId.set(block.idHex, block);
    const siblings = this.byNumber.get(block.number);
    if (siblings !== undefined) {
      if (!siblings.some(({ idHex }) => idHex === block.idHex)) siblings.push(block);
      return;
    }
    this.byNumber.set(block.number, [block]);
    this.dropBelow(Math.max(0, this.top.number - this.capacity));
  }

  private dropBelow(lowest: number): void {
    for (const [number, blocks] of this.byNumber) {
      if (number >= lowest) continue;
      this.byNumber.delete(number);
      for (const { idHex } of blocks) this.byId.delete(idHex);
    }
  }
}
