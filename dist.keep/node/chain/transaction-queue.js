/** Waiting transactions: in the order of arrival, or, with sorting, as Java's PriorityQueue keeps them (a binary heap). */
export class TransactionQueue {
    items = [];
    isSorted;
    constructor(isSorted) {
        this.isSorted = isSorted;
    }
    get size() {
        return this.items.length;
    }
    /** In queue order, with sorting in the order of the heap's array. */
    values() {
        return this.items;
    }
    peek() {
        return this.items[0];
    }
    add(item) {
        this.items.push(item);
        if (this.isSorted)
            this.siftUp(this.items.length - 1, item);
    }
    poll() {
        if (!this.isSorted)
            return this.items.shift();
        const first = this.items[0];
        const last = this.items.pop();
        if (first !== undefined && last !== undefined && this.items.length > 0)
            this.siftDown(0, last);
        return first;
    }
    /** Reference: PriorityQueue.removeAt. */
    remove(item) {
        const at = this.items.indexOf(item);
        if (at < 0)
            return;
        if (!this.isSorted || at === this.items.length - 1) {
            this.items.splice(at, 1);
            return;
        }
        const moved = this.items.pop();
        this.siftDown(at, moved);
        if (this.items[at] === moved)
            this.siftUp(at, moved);
    }
    clear() {
        this.items.length = 0;
    }
    siftUp(from, item) {
        let at = from;
        while (at > 0) {
            const parent = (at - 1) >>> 1;
            if (item.order <= this.items[parent].order)
                break;
            this.items[at] = this.items[parent];
            at = parent;
        }
        this.items[at] = item;
    }
    siftDown(from, item) {
        const half = this.items.length >>> 1;
        let at = from;
        while (at < half) {
            let child = 2 * at + 1;
            if (child + 1 < this.items.length && this.items[child].order < this.items[child + 1].order)
                child++;
            if (item.order >= this.items[child].order)
                break;
            this.items[at] = this.items[child];
            at = child;
        }
        this.items[at] = item;
    }
}
//# sourceMappingURL=transaction-queue.js.map