/** A caller waits this long for a permit. Reference: GlobalPreemptibleStrategy.DEFAULT_ACQUIRE_TIMEOUT. */
const PATIENCE_MS = 2000;
/**
 * Calls that may run at the same time. The others wait in order, and give up after two seconds.
 * Reference: GlobalPreemptibleStrategy.
 */
export class Permits {
    free;
    patienceMs;
    waiting = new Set();
    /** @param count none is handed out with 0 or less */
    constructor(count, patienceMs = PATIENCE_MS) {
        this.free = count;
        this.patienceMs = patienceMs;
    }
    /** Whether the caller got a permit, which it must give back. */
    acquire() {
        if (this.free > 0) {
            this.free--;
            return true;
        }
        return new Promise((resolve) => {
            const take = () => {
                clearTimeout(timer);
                resolve(true);
            };
            const timer = setTimeout(() => {
                this.waiting.delete(take);
                resolve(false);
            }, this.patienceMs);
            timer.unref();
            this.waiting.add(take);
        });
    }
    release() {
        const [next] = this.waiting;
        if (next === undefined || this.free < 0)
            this.free++;
        else {
            this.waiting.delete(next);
            next();
        }
    }
}
//# sourceMappingURL=permits.js.map