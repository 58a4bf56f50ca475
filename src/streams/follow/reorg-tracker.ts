import { equalBytes, fromHex } from '../../primitives/bytes.js';
import type { BlockPosition } from './block-position.js';

interface Head {
  readonly number: number;
  readonly id: Uint8Array;
}

/**
 * Separates blocks applied by a reorg from those that extend the head. The last block of a reorg is one above the old
 * head, because only a longer branch replaces the current one. A failed reorg ends with the old head applied again.
 */
export class ReorgTracker {
  private head: Head;
  private old: Head | undefined;
  private isOver = true;

  constructor(start: BlockPosition | undefined) {
    this.head = { number: start?.number ?? -1, id: start === undefined ? new Uint8Array(0) : fromHex(start.id) };
  }

  /** True if the newest entry was part of a reorg. The last block of a reorg is part of it. */
  get isReorging(): boolean {
    return this.old !== undefined;
  }

  /** True if a reorg has started and its last block was not applied yet. */
  get isUnderWay(): boolean {
    return !this.isOver;
  }

  /** True if the newest entry ended a failed reorg. */
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
