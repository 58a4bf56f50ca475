/**
 * Queue of several kinds of items. Returns items of each kind in turn, so that many items of one kind do not delay the
 * others.
 */
export class FairQueue<Kind, Item> {
  private readonly max: number;
  /** Items by kind, in the order in which the kinds are served. Contains only kinds with items. */
  private readonly queues = new Map<Kind, Item[]>();

  /** @param max maximum number of queued items of each kind */
  constructor(max: number) {
    this.max = max;
  }

  /** Adds an item. Returns false, without adding it, if the queue of its kind is full. */
  add(kind: Kind, item: Item): boolean {
    const queue = this.queues.get(kind) ?? [];
    if (queue.length >= this.max) return false;
    queue.push(item);
    this.queues.set(kind, queue);
    return true;
  }

  /** Removes and returns the oldest item of the kind whose turn it is; undefined if the queue is empty. */
  take(): Item | undefined {
    for (const [kind, queue] of this.queues) {
      this.queues.delete(kind);
      const item = queue.shift();
      if (queue.length > 0) this.queues.set(kind, queue);
      return item;
    }
    return undefined;
  }

  clear(): void {
    this.queues.clear();
  }
}
