import { rangeOver } from './merge-rows.js';
import { orderedText } from './ordered-key.js';
import { SortedRows } from './sorted-rows.js';
/** A state seen through rows that lie over it. */
export class OverlaidState {
    base;
    rows = new SortedRows();
    constructor(base) {
        this.base = base;
    }
    get(store, key) {
        if (this.rows.size === 0)
            return this.base.get(store, key);
        const text = orderedText(store, key);
        return this.rows.has(text) ? this.rows.get(text) : this.base.get(store, key);
    }
    range(store, options = {}) {
        return rangeOver(this.base, this.rows, (value) => value, store, options);
    }
    put(rows) {
        for (const { store, key, value } of rows)
            this.rows.set(orderedText(store, key), value);
    }
    clear() {
        this.rows.clear();
    }
}
//# sourceMappingURL=overlaid-state.js.map