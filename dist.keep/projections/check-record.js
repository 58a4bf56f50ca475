import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
/** A full check that found nothing counts for a day, as long as every stop since was in order. */
const FRESH_MS = 24 * 60 * 60 * 1000;
/**
 * The side file `<data>/checked`, by which a large folder is not read whole again at each start. One that is missing, or no record,
 * means that a check is due.
 */
export class CheckRecord {
    path;
    closing = new AbortController();
    checkedAt = 0;
    constructor(dataDir) {
        this.path = join(dataDir, 'checked');
    }
    /** Takes the folder into use: until {@link close} it counts as not closed. Answers whether a check is due. */
    begin(now = Date.now()) {
        const stored = this.read();
        const age = now - (stored?.checkedAt ?? 0);
        const isDue = stored === undefined || !stored.isClosed || age < 0 || age >= FRESH_MS;
        this.checkedAt = isDue ? 0 : stored.checkedAt;
        if (isDue)
            rmSync(this.path, { force: true });
        else
            this.write(false);
        return isDue;
    }
    /** A full check that began at this time found nothing. */
    passed(begun) {
        this.checkedAt = begun;
        this.write(false);
    }
    /** Aborted when the folder is closed: a check that still goes on ends. */
    get signal() {
        return this.closing.signal;
    }
    /** The folder is closed, all of it on the disk. */
    close() {
        this.closing.abort();
        if (this.checkedAt > 0)
            this.write(true);
    }
    write(isClosed) {
        writeFileSync(`${this.path}.new`, JSON.stringify({ checkedAt: this.checkedAt, isClosed }), {
            flush: true,
        });
        renameSync(`${this.path}.new`, this.path);
    }
    read() {
        try {
            const { checkedAt, isClosed } = JSON.parse(readFileSync(this.path, 'utf8'));
            return typeof checkedAt === 'number' && typeof isClosed === 'boolean' ? { checkedAt, isClosed } : undefined;
        }
        catch {
            return undefined;
        }
    }
}
//# sourceMappingURL=check-record.js.map