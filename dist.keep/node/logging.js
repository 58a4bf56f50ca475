import { closeSync, fstatSync, openSync, renameSync, writeSync } from 'node:fs';
import pino, {} from 'pino';
const levelOf = () => (process.env['TRONICLE_LOG_LEVEL'] ?? 'info');
/** Counts what is logged as an error, by what it is about and by the kind of error. */
export class ErrorTally {
    counts = new Map();
    /** @param fields of the line, or its words */
    note(fields) {
        const key = `${topicOf(fields)}\n${typeOf(fields)}`;
        if (!this.counts.has(key) && this.counts.size >= KINDS_MAX)
            return;
        this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
    }
    /** Since the last question. */
    take() {
        const taken = [...this.counts].map(([key, count]) => {
            const [topic = '', type = ''] = key.split('\n');
            return { topic, type, count };
        });
        this.counts.clear();
        return taken;
    }
}
/** The program names its own errors; what libraries throw between two scrapes is not more. */
const KINDS_MAX = 100;
/** Fields that say which part of the node a line is about. */
const TOPICS = ['api', 'sink', 'projection'];
const ERROR_LEVEL = 50;
/** Tallies belong to the logs that these functions made. */
const tallies = new WeakMap();
/** What a log has counted; undefined for a log that was made elsewhere. */
export function errorsOf(log) {
    return tallies.get(log);
}
function topicOf(fields) {
    if (typeof fields !== 'object' || fields === null)
        return 'node';
    return TOPICS.find((topic) => topic in fields) ?? 'node';
}
/** Class of the error that came with the line, as the reference's `undefined` where none did. */
function typeOf(fields) {
    const error = fields instanceof Error ? fields : fields?.err;
    if (error instanceof Error)
        return error.constructor.name;
    // A line of another thread holds its error as it was written.
    const { type } = (error ?? {});
    return typeof type === 'string' ? type : 'undefined';
}
function createLogger(stream) {
    const tally = new ErrorTally();
    const log = pino({
        level: levelOf(),
        hooks: {
            logMethod(args, method, level) {
                if (level >= ERROR_LEVEL)
                    tally.note(args[0]);
                method.apply(this, args);
            },
        },
    }, stream);
    tallies.set(log, tally);
    return log;
}
/** The node's log: JSON lines, `TRONICLE_LOG_LEVEL` sets the level (info). A level means what an operator should do. */
export function createLog({ destination = 1 } = {}) {
    return createLogger(pino.destination({ dest: destination, sync: true }));
}
/** The log in a file, for a node whose standard output is for events; warnings and errors also go to standard error. */
export function createFileLog(path) {
    const level = levelOf();
    const streams = [
        { level, stream: new LogFile(path) },
        { level: 'warn', stream: pino.destination({ dest: 2, sync: true }) },
    ];
    return createLogger(pino.multistream(streams));
}
/** A month of a network with a block every 3 s has some 200 MB; the newest of it is what anybody looks at. */
const FILE_BYTES_MAX = 16 * 1024 * 1024;
/** Appends to a file; a full one becomes `<path>.1`, in the place of the one before. */
export class LogFile {
    path;
    bytesMax;
    descriptor;
    bytes;
    constructor(path, bytesMax = FILE_BYTES_MAX) {
        this.path = path;
        this.bytesMax = bytesMax;
        this.descriptor = openSync(path, 'a');
        this.bytes = fstatSync(this.descriptor).size;
    }
    write(line) {
        if (this.bytes >= this.bytesMax) {
            closeSync(this.descriptor);
            renameSync(this.path, `${this.path}.1`);
            this.descriptor = openSync(this.path, 'a');
            this.bytes = 0;
        }
        this.bytes += writeSync(this.descriptor, line);
    }
}
//# sourceMappingURL=logging.js.map