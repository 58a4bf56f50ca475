/**
 * Queue of several kinds of items. `take` takes from each kind in turn, so that many items of one kind do not delay the
 * other kinds.
 */
export class FairQueue<Kind, Item> {
  private readonly max: number;
  /** Kinds with items. The first kind is the next to be served. */
  private readonly queues = new Map<Kind, Item[]>();

  /** @param max maximum number of items of a kind */
  constructor(max: number) {
    this.max = max;
  }

  /** Returns false, without adding, if the queue of the kind is full. */
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
