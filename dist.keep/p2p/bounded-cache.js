/**
 * A map that forgets: the entries that were written longest ago when there are too many, and those whose time is over. The
 * reference keeps what peers say in such caches.
 */
export class BoundedCache {
    entries = new Map();
    bounds;
    /** Goes on behind what was forgotten: a new one would pass over all deleted entries in front again. */
    oldest;
    constructor(bounds) {
        this.bounds = bounds;
    }
    get size() {
        return this.entries.size;
    }
    get(key) {
        const entry = this.entries.get(key);
        if (entry === undefined)
            return undefined;
        if (entry.untilMs > this.bounds.now())
            return entry.value;
        this.entries.delete(key);
        return undefined;
    }
    has(key) {
        return this.get(key) !== undefined;
    }
    set(key, value) {
        const { entriesMax, lifeMs = Number.POSITIVE_INFINITY, now } = this.bounds;
        this.entries.delete(key);
        this.entries.set(key, { value, untilMs: now() + lifeMs });
        if (this.entries.size > entriesMax)
            this.forgetOldest();
    }
    delete(key) {
        this.entries.delete(key);
    }
    clear() {
        this.entries.clear();
        this.oldest = undefined;
    }
    forgetOldest() {
        this.oldest ??= this.entries.keys();
        const { value } = this.oldest.next();
        if (value !== undefined)
            this.entries.delete(value);
    }
}
//# sourceMappingURL=bounded-cache.js.map