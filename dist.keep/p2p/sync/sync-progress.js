/** ms between two lines of the log. */
const PERIOD_MS = 10_000;
/** Tells how fast a long sync goes, and how long it will still take. */
export class SyncProgress {
    sinceMs;
    count = 0;
    log;
    now;
    constructor(log, now) {
        this.log = log;
        this.now = now;
    }
    /** A block was applied. @param left how many are known to follow */
    applied(number, left) {
        const nowMs = this.now();
        this.sinceMs ??= nowMs;
        this.count++;
        const passedMs = nowMs - this.sinceMs;
        if (passedMs < PERIOD_MS)
            return;
        const rate = (this.count * 1000) / passedMs;
        this.log.info({ num: number, left, blocksPerSecond: Math.round(rate), secondsLeft: Math.ceil(left / rate) }, 'sync');
        this.sinceMs = nowMs;
        this.count = 0;
    }
}
//# sourceMappingURL=sync-progress.js.map