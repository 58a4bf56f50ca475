import { itemAt, present } from '../primitives/assert.js';
import type { DecodedTransaction } from '../state-transition/transaction.js';

/** A transaction that is not yet in a block. */
export interface PendingTransaction {
  readonly transaction: DecodedTransaction;
  /** Fee of the last execution, in SUN; 0 before the first execution. A sorted queue has the highest fee first. */
  order: bigint;
  /** Arrival time in ms. The transaction is dropped after a timeout. */
  timeMs: number;
  /** True if the signatures of the transaction were already verified. */
  isVerified: boolean;
}

/**
 * Queue of pending transactions in order of arrival. If `isSorted` is true, the order is by fee, as in
 * java.util.PriorityQueue (a binary heap).
 */
export class TransactionQueue {
  private readonly items: PendingTransaction[] = [];
  readonly isSorted: boolean;

  constructor(isSorted: boolean) {
    this.isSorted = isSorted;
  }

  get size(): number {
    return this.items.length;
  }

  /** Returns the items in queue order. For a sorted queue, that is the order of the heap's array. */
  values(): readonly PendingTransaction[] {
    return this.items;
  }

  peek(): PendingTransaction | undefined {
    return this.items[0];
  }

  add(item: PendingTransaction): void {
    this.items.push(item);
    if (this.isSorted) this.siftUp(this.items.length - 1, item);
  }

  poll(): PendingTransaction | undefined {
    if (!this.isSorted) return this.items.shift();
    const first = this.items[0];
    const last = this.items.pop();
    if (first !== undefined && last !== undefined && this.items.length > 0) this.siftDown(0, last);
    return first;
  }

  /**
   * Removes an item exactly as Java does, because the removal can change the order of the other items. Reference:
   * PriorityQueue.removeAt.
   */
  remove(item: PendingTransaction): void {
    const at = this.items.indexOf(item);
    if (at < 0) return;
    if (!this.isSorted || at === this.items.length - 1) {
      this.items.splice(at, 1);
      return;
    }
    const moved = present(this.items.pop(), 'a non-empty queue has a last item');
    this.siftDown(at, moved);
    if (this.items[at] === moved) this.siftUp(at, moved);
  }

  clear(): void {
    this.items.length = 0;
  }

  private siftUp(from: number, item: PendingTransaction): void {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >>> 1;
      if (item.order <= itemAt(this.items, parent).order) break;
      this.items[at] = itemAt(this.items, parent);
      at = parent;
    }
    this.items[at] = item;
  }

  private siftDown(from: number, item: PendingTransaction): void {
    const half = this.items.length >>> 1;
    let at = from;
    while (at < half) {
      let child = 2 * at + 1;
      if (child + 1 < this.items.length && itemAt(this.items, child).order < itemAt(this.items, child + 1).order)
        child++;
      if (item.order >= itemAt(this.items, child).order) break;
      this.items[at] = itemAt(this.items, child);
      at = child;
    }
    this.items[at] = item;
  }
}
