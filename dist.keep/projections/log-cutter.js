/** A line in the log says so each time that this many blocks have left. */
const TOLD_BLOCKS = 10_000;
/** Lets the oldest blocks of a log leave (`tronicle.log.retention`), a few with each commit: irreversible ones that nobody needs. */
export class LogCutter {
    options;
    constructor(options) {
        this.options = options;
    }
    /** Up to `count` blocks leave with the next commit. @returns whether any do */
    cut(count, { headNumber, solidifiedNumber }, { keptHeight, seq }) {
        const { blocks, retention } = this.options;
        if (retention === 'all')
            return false;
        const begin = blocks.beginNumber;
        let last = Math.min(headNumber - retention, solidifiedNumber - 1, keptHeight, begin + count);
        while (last > begin && blocks.heightRow(last).seq > seq)
            last--;
        if (last <= begin)
            return false;
        this.tell(begin, last);
        blocks.cutTo(last);
        return true;
    }
    tell(from, to) {
        const { blocks, log } = this.options;
        const isFirst = blocks.cut === undefined;
        if (!isFirst && Math.floor(to / TOLD_BLOCKS) === Math.floor(from / TOLD_BLOCKS))
            return;
        log.info({ begin: to }, 'the blocks up to this one have left the log (tronicle.log.retention)');
    }
}
//# sourceMappingURL=log-cutter.js.map