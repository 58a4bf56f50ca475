import { closeSync, fdatasyncSync, fstatSync, ftruncateSync, mkdirSync, openSync, readSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { PlaceFile } from './place-file.js';
import { recordLines } from './record-line.js';
import { SinkRefusal } from './sink.js';
const CHUNK_BYTES = 1 << 20;
/** Blocks without a record after which the place is remembered all the same, so that a start need not read them again. */
const EMPTY_BLOCKS_MAX = 1000;
/**
 * ms between two flushes to the disk. Each makes the log's and the state's own ones wait: flushing with every batch, an import took
 * half as long again. Until it is flushed a line survives a kill; what a power loss takes is written again, as the place says.
 */
const FLUSH_MS = 1000;
/**
 * Appends records to a file of JSON lines. Whole blocks only: what a killed process left of a block at the end is cut off at the
 * next start, and the block is written again.
 */
export class NdjsonSink {
    name;
    batch = { records: 5000, bytes: 8 * 1024 * 1024 };
    path;
    place;
    file;
    bytes = 0;
    remembered = -1;
    last;
    /** Written, and not known to be on the disk. */
    unflushed;
    flushedAt = 0;
    timer;
    failure;
    constructor({ name, path, placeFile }) {
        this.name = name;
        this.path = path;
        this.place = new PlaceFile(placeFile);
    }
    async open() {
        await this.close();
        const stored = this.place.read();
        mkdirSync(dirname(this.path), { recursive: true });
        this.file = openSync(this.path, 'a+');
        const size = fstatSync(this.file).size;
        if (stored?.bytes !== undefined && size < stored.bytes) {
            throw new SinkRefusal(`${this.path} is shorter than sink ${this.name} left it (${size} of ${stored.bytes} bytes): put it back, or delete ` +
                `what is left of it and ${this.place.path} to write everything again from the first block`);
        }
        const tail = readTail(this.file, this.path, stored?.bytes ?? 0, size);
        if (tail.end < size)
            ftruncateSync(this.file, tail.end);
        this.bytes = tail.end;
        this.last = tail.record ?? lastRecordBefore(this.file, tail.end);
        const place = tail.place ?? stored;
        this.remembered = place?.number ?? -1;
        return place;
    }
    async write(blocks) {
        const newest = blocks.at(-1);
        if (this.file === undefined || newest === undefined)
            return;
        const { failure } = this;
        this.failure = undefined;
        if (failure !== undefined)
            throw failure;
        let text = '';
        for (const block of blocks) {
            text += recordLines(block, this.last);
            const last = block.records.length - 1;
            if (last >= 0)
                this.last = { seq: block.seq, index: block.records[last].index ?? last };
        }
        if (text === '' && newest.number - this.remembered < EMPTY_BLOCKS_MAX)
            return;
        const bytes = Buffer.from(text);
        for (let at = 0; at < bytes.length;)
            at += writeSync(this.file, bytes, at);
        this.bytes += bytes.length;
        this.remembered = newest.number;
        this.unflushed = { ...placeOf(newest), bytes: this.bytes };
        const wait = this.flushedAt + FLUSH_MS - performance.now();
        if (wait <= 0)
            this.flush();
        else
            this.timer ??= setTimeout(() => this.flushLate(), wait);
    }
    /** @throws what the disk refuses; everything since the place that is remembered is then written again */
    async close() {
        const { file } = this;
        try {
            this.flush();
        }
        finally {
            if (file !== undefined)
                closeSync(file);
            this.file = undefined;
        }
    }
    flush() {
        clearTimeout(this.timer);
        this.timer = undefined;
        const { unflushed, file } = this;
        this.unflushed = undefined;
        if (file === undefined || unflushed === undefined)
            return;
        fdatasyncSync(file);
        this.place.write(unflushed);
        this.flushedAt = performance.now();
    }
    /** Between two batches: the next one meets an error of it. */
    flushLate() {
        try {
            this.flush();
        }
        catch (error) {
            this.failure = error;
        }
    }
}
export function placeOf({ seq, number, id }) {
    return { seq, number, id };
}
/** Reads the lines from a place on at which a block ended. @throws {SinkRefusal} a line in the middle that no sink wrote */
function readTail(file, path, from, size) {
    const tail = { end: from, place: undefined, record: undefined };
    const chunk = Buffer.alloc(CHUNK_BYTES);
    let rest = Buffer.alloc(0);
    let at = from;
    for (let position = from; position < size;) {
        const read = readSync(file, chunk, 0, CHUNK_BYTES, position);
        if (read === 0)
            break;
        position += read;
        let text = Buffer.concat([rest, chunk.subarray(0, read)]);
        for (let newline = text.indexOf(10); newline >= 0; newline = text.indexOf(10)) {
            const line = parseLine(text.subarray(0, newline), path, at);
            at += newline + 1;
            text = text.subarray(newline + 1);
            if (line.index !== line.count - 1 && line.end !== true)
                continue;
            tail.end = at;
            const { seq, entryNum: number = line.blockNum, entryId: id = line.blockId } = line;
            tail.place = { seq, number, id };
            tail.record = { seq: line.seq, index: line.index };
        }
        rest = text;
    }
    return tail;
}
function parseLine(bytes, path, at) {
    try {
        const line = JSON.parse(bytes.toString());
        if (Number.isSafeInteger(line.seq) && Number.isSafeInteger(line.index) && Number.isSafeInteger(line.count)) {
            return line;
        }
    }
    catch (cause) {
        throw foreign(path, at, cause);
    }
    throw foreign(path, at, undefined);
}
function foreign(path, at, cause) {
    return new SinkRefusal(`${path} holds a line at byte ${at} that no sink wrote: move the file away to write everything again`, { cause });
}
/** Place of the line that ends at `end`. */
function lastRecordBefore(file, end) {
    if (end === 0)
        return undefined;
    for (let bytes = CHUNK_BYTES;; bytes *= 4) {
        const length = Math.min(bytes, end);
        const text = Buffer.alloc(length);
        readSync(file, text, 0, length, end - length);
        const start = text.lastIndexOf(10, length - 2) + 1;
        if (start === 0 && length < end)
            continue;
        const { seq, index } = JSON.parse(text.subarray(start, length - 1).toString());
        return { seq, index };
    }
}
//# sourceMappingURL=ndjson-sink.js.map