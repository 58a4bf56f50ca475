/**
 * Slots that last as long as the transaction. Bounded by the energy of writing them. Reference: RepositoryImpl.transientStorage.
 */
export class TransientStorage {
    values = new Map();
    journal = [];
    load(owner, slot) {
        return this.values.get(keyOf(owner, slot)) ?? 0n;
    }
    store(owner, slot, value) {
        const key = keyOf(owner, slot);
        this.journal.push({ key, before: this.values.get(key) });
        this.values.set(key, value);
    }
    mark() {
        return this.journal.length;
    }
    /** A call failed: what it wrote is undone. */
    revertTo(mark) {
        while (this.journal.length > mark) {
            const { key, before } = this.journal.pop();
            if (before === undefined)
                this.values.delete(key);
            else
                this.values.set(key, before);
        }
    }
}
/** A text, as the engine mixes a seed of its own into the hash of a text only. */
function keyOf(owner, slot) {
    return owner + slot.toString(16);
}
//# sourceMappingURL=transient-storage.js.map