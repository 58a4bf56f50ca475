import { writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { placeOf } from './ndjson-sink.js';
import { PlaceFile } from './place-file.js';
import { recordLines } from './record-line.js';
/** ms between two notes: each is flushed to the disk, which the log's and the state's own flushes wait for. */
const NOTE_MS = 200;
/** ms until a full pipe is tried again. */
const FULL_PIPE_MS = 5;
/**
 * Writes records to standard output. Nobody can ask a pipe what has arrived: a process that is killed between the write and the
 * note of it writes those blocks again, those of the last {@link NOTE_MS}, and the reader tells them by `seq` and `index`.
 */
export class StdoutSink {
    name;
    batch = { records: 500, bytes: 1024 * 1024 };
    place;
    descriptor;
    unnoted;
    notedAt = 0;
    timer;
    constructor({ name, placeFile, descriptor = 1 }) {
        this.name = name;
        this.place = new PlaceFile(placeFile);
        this.descriptor = descriptor;
    }
    async open() {
        this.note();
        return this.place.read();
    }
    async write(blocks) {
        for (const block of blocks) {
            if (block.records.length === 0)
                continue;
            await this.put(Buffer.from(recordLines(block)));
            this.unnoted = placeOf(block);
        }
        const wait = this.notedAt + NOTE_MS - performance.now();
        if (wait <= 0)
            this.note();
        else
            this.timer ??= setTimeout(() => this.noteLate(), wait);
    }
    async close() {
        this.note();
    }
    note() {
        clearTimeout(this.timer);
        this.timer = undefined;
        if (this.unnoted === undefined)
            return;
        this.place.write(this.unnoted);
        this.unnoted = undefined;
        this.notedAt = performance.now();
    }
    /** What cannot be noted now is noted with the next block, which meets the error. */
    noteLate() {
        this.timer = undefined;
        try {
            this.note();
        }
        catch {
            this.notedAt = 0;
        }
    }
    /** Directly and not through `process.stdout`, whose data waits in memory and is lost with the process. */
    async put(bytes) {
        for (let at = 0; at < bytes.length;) {
            try {
                at += writeSync(this.descriptor, bytes, at);
            }
            catch (error) {
                if (error.code !== 'EAGAIN')
                    throw error;
                await sleep(FULL_PIPE_MS);
            }
        }
    }
}
//# sourceMappingURL=stdout-sink.js.map