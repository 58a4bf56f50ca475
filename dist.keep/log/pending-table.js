/** An LMDB table with the writes that wait for the next commit in front of it. */
export class PendingTable {
    table;
    waiting = new Map();
    constructor(table) {
        this.table = table;
    }
    get(key) {
        if (this.waiting.size > 0) {
            const text = latin1(key);
            const value = this.waiting.get(text);
            if (value !== undefined || this.waiting.has(text))
                return value;
        }
        return this.table.getBinary(key);
    }
    put(key, value) {
        this.waiting.set(latin1(key), value);
    }
    remove(key) {
        this.waiting.set(latin1(key), undefined);
    }
    /** Writes what waits, inside a transaction of the caller; sorted, because LMDB then stays on the page it has just found. */
    write() {
        const keys = [...this.waiting.keys()].sort();
        for (const text of keys) {
            const key = Buffer.from(text, 'latin1');
            const value = this.waiting.get(text);
            if (value === undefined)
                this.table.removeSync(key);
            else
                this.table.putSync(key, value);
        }
    }
    /** After the transaction was committed. */
    clear() {
        this.waiting.clear();
    }
}
function latin1(key) {
    return (Buffer.isBuffer(key) ? key : Buffer.from(key.buffer, key.byteOffset, key.byteLength)).toString('latin1');
}
//# sourceMappingURL=pending-table.js.map