import { equalBytes, fromHex } from '../../primitives/bytes.js';
import type { BlockPosition } from './block-position.js';

interface Head {
  readonly number: number;
  readonly id: Uint8Array;
}

/**
 * Detects which applied blocks belong to a reorg, and which extend the head. A reorg needs a longer branch, so its last
 * block is one above the old head. A failed reorg ends when the old head is applied again.
 */
export class ReorgTracker {
  private head: Head;
  private old: Head | undefined;
  private isOver = true;

  constructor(start: BlockPosition | undefined) {
    this.head = { number: start?.number ?? -1, id: start === undefined ? new Uint8Array(0) : fromHex(start.id) };
  }

  /** True if the last entry that was read belongs to a reorg. This includes the last block of the reorg. */
  get isReorging(): boolean {
    return this.old !== undefined;
  }

  /** True if a reorg has started but its last block is not applied yet. */
  get isUnderWay(): boolean {
    return !this.isOver;
  }

  /** True if the last entry that was read ended a failed reorg. */
  get hasFailed(): boolean {
    return this.isOver && this.old !== undefined && equalBytes(this.head.id, this.old.id);
  }

  applied(number: number, id: Uint8Array): void {
    if (this.isOver) this.old = undefined;
    this.head = { number, id: Uint8Array.from(id) };
    const { old } = this;
    if (old === undefined) return;
    this.isOver = number > old.number || (number === old.number && equalBytes(id, old.id));
  }

  reverted(): void {
    if (this.isOver) this.old = this.head;
    this.isOver = false;
  }
}
