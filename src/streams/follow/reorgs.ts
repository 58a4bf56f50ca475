import { equalBytes, fromHex } from '../../primitives/bytes.js';
import type { BlockPosition } from './block-position.js';

interface Head {
  readonly number: number;
  readonly id: Uint8Array;
}

/**
 * Tells the blocks that a switch applies from those that simply extend the head. A switch ends with a block one above
 * the old head, which made its branch the longer one, or, when it fails, with the old head applied again.
 */
export class ReorgTracker {
  private head: Head;
  private old: Head | undefined;
  private isOver = true;

  constructor(start: BlockPosition | undefined) {
    this.head = { number: start?.number ?? -1, id: start === undefined ? new Uint8Array(0) : fromHex(start.id) };
  }

  /** Whether the newest entry was part of a switch, its last block included. */
  get isReorging(): boolean {
    return this.old !== undefined;
  }

  /** Whether a switch has begun whose last block is not there yet. */
  get isUnderWay(): boolean {
    return !this.isOver;
  }

  /** Whether the newest entry was part of a switch that ended where it began. */
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
