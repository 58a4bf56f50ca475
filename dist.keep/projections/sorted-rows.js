/**
 * A map by ordered row key that can also be read in order. Sorting is put off until somebody asks for an order: a block changes
 * hundreds of rows and reads a handful of ranges.
 */
export class SortedRows {
    values = new Map();
    sorted = [];
    fresh = [];
    hasGaps = false;
    get size() {
        return this.values.size;
    }
    get(text) {
        return this.values.get(text);
    }
    has(text) {
        return this.values.has(text);
    }
    set(text, value) {
        const before = this.values.size;
        this.values.set(text, value);
        if (this.values.size !== before)
            this.fresh.push(text);
    }
    delete(text) {
        if (this.values.delete(text))
            this.hasGaps = true;
    }
    clear() {
        this.values.clear();
        this.sorted = [];
        this.fresh = [];
        this.hasGaps = false;
    }
    /** Rows within the bounds; the order is that of the keys. The map must not change while this is read. */
    *range({ low, high, reverse }) {
        const keys = this.keys();
        const start = lowerBound(keys, low);
        const end = lowerBound(keys, high);
        for (let i = 0; i < end - start; i++) {
            const text = keys[reverse ? end - 1 - i : start + i];
            yield [text, this.values.get(text)];
        }
    }
    /** All rows in order. */
    *entries() {
        for (const text of this.keys())
            yield [text, this.values.get(text)];
    }
    keys() {
        if (this.hasGaps) {
            this.sorted = [...this.values.keys()].sort();
            this.fresh = [];
            this.hasGaps = false;
        }
        else if (this.fresh.length > 0) {
            this.sorted = merge(this.sorted, this.fresh.sort());
            this.fresh = [];
        }
        return this.sorted;
    }
}
function merge(a, b) {
    if (a.length === 0)
        return [...b];
    const all = [];
    let i = 0;
    for (const text of b) {
        while (i < a.length && a[i] < text)
            all.push(a[i++]);
        all.push(text);
    }
    while (i < a.length)
        all.push(a[i++]);
    return all;
}
function lowerBound(keys, text) {
    let low = 0;
    let high = keys.length;
    while (low < high) {
        const middle = (low + high) >>> 1;
        if (keys[middle] < text)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
//# sourceMappingURL=sorted-rows.js.map