/** Old values of rows, newest last. One journal serves all tables of a state, so that a mark covers every store. */
export class Journal {
    /** Rises with every mark: a row copied under an older epoch is copied again before it is written. */
    epoch = 0;
    log = [];
    mark() {
        this.epoch++;
        return this.log.length;
    }
    revertTo(mark) {
        for (let at = this.log.length - 1; at >= mark; at--) {
            const { entry, value, epoch } = this.log[at];
            entry.value = value;
            entry.epoch = epoch;
        }
        this.log.length = mark;
        this.epoch++;
    }
    /** Rows written since a mark, each once, in the order of their first writing. */
    writtenSince(mark) {
        const entries = new Set();
        for (let at = mark; at < this.log.length; at++)
            entries.add(this.log[at].entry);
        return entries;
    }
    record(entry) {
        this.log.push({ entry, value: entry.value, epoch: entry.epoch });
    }
    clear() {
        this.log.length = 0;
        this.epoch++;
    }
}
//# sourceMappingURL=journal.js.map