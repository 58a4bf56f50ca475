/** ms between two reports. */
const REPORT_MS = 5000;
/** Bytes after which the clock is looked at. */
const SLICE_BYTES = 1024 * 1024;
/** Bounds how fast a check reads, and tells how far it is. It sleeps with its thread, so it belongs into a process of its own. */
export class CheckPace {
    bytesPerSecond;
    report;
    started = Date.now();
    reported = Date.now();
    bytes = 0;
    unseen = 0;
    /** @param bytesPerSecond `undefined`: as fast as it goes */
    constructor(bytesPerSecond, report) {
        this.bytesPerSecond = bytesPerSecond;
        this.report = report;
    }
    /** To be called with each piece that was read. */
    spend = (bytes) => {
        this.bytes += bytes;
        this.unseen += bytes;
        if (this.unseen < SLICE_BYTES)
            return;
        this.unseen = 0;
        const now = Date.now();
        if (this.bytesPerSecond !== undefined) {
            const dueMs = this.started + (this.bytes / this.bytesPerSecond) * 1000 - now;
            if (dueMs > 0)
                Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, dueMs);
        }
        if (now - this.reported < REPORT_MS)
            return;
        this.reported = now;
        this.report(this.bytes);
    };
}
//# sourceMappingURL=check-pace.js.map