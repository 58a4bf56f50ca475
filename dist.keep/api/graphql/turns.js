/**
 * Shares the thread between long searches: together they work as much as one turn of the event loop may hold, then everything else
 * has its turn. Work is counted, not timed, so that the same searches take the same turns.
 */
export class Turns {
    workMax;
    nextTurn;
    waiting = [];
    work = 0;
    isScheduled = false;
    /** @param workMax of one turn @param nextTurn runs something behind all that waits in the event loop */
    constructor(workMax, nextTurn = (run) => void setImmediate(run)) {
        this.workMax = workMax;
        this.nextTurn = nextTurn;
    }
    /** Before a piece of work: ends at once while this turn has room, else in the next one that has, first come first served. */
    async take(work) {
        this.schedule();
        if (this.waiting.length > 0 || this.work >= this.workMax) {
            await new Promise((resume) => this.waiting.push({ work, resume }));
            return;
        }
        this.work += work;
    }
    schedule() {
        if (this.isScheduled)
            return;
        this.isScheduled = true;
        this.nextTurn(() => this.begin());
    }
    begin() {
        this.isScheduled = false;
        this.work = 0;
        while (this.work < this.workMax) {
            const next = this.waiting.shift();
            if (next === undefined)
                return;
            this.work += next.work;
            next.resume();
        }
        this.schedule();
    }
}
//# sourceMappingURL=turns.js.map