import { Worker } from 'node:worker_threads';
import { ChangeSet } from '../../projections/change-set.js';
/** Executes in a thread of its own: whoever asks goes on with other work. */
export class PastChangesThread {
    worker;
    ended;
    constructor({ file, data }, name) {
        this.worker = new Worker(new URL(file), { workerData: { ...data, name } });
        this.worker.once('error', (error) => {
            this.ended = error;
        });
        this.worker.once('exit', () => {
            this.ended ??= new Error('the thread that executes blocks again ended');
        });
        this.worker.unref();
    }
    recordOf(number) {
        const { worker } = this;
        return new Promise((resolve, reject) => {
            if (this.ended !== undefined)
                return reject(this.ended);
            const settle = () => {
                worker.off('message', onMessage);
                worker.off('exit', onExit);
            };
            const onMessage = (answer) => {
                settle();
                if ('record' in answer)
                    resolve(answer.record);
                else
                    reject(new Error(answer.error));
            };
            const onExit = () => {
                settle();
                reject(this.ended ?? new Error('the thread that executes blocks again ended'));
            };
            worker.on('message', onMessage);
            worker.once('exit', onExit);
            worker.postMessage(number);
        });
    }
    async close() {
        if (this.ended !== undefined)
            return;
        const exit = new Promise((resolve) => this.worker.once('exit', resolve));
        // The process must not end before the thread has removed its state.
        this.worker.ref();
        this.worker.postMessage('close');
        await exit;
    }
}
/** As many records as two batches of a sink: what was read for them may be asked for again after an error of the sink. */
const KEPT_BLOCKS_MAX = 4000;
const KEPT_BYTES_MAX = 64 * 1024 * 1024;
/**
 * What a sink reads of a ledger: its `changes`, of blocks below the kept height those of executing again. {@link prepare} each block
 * before its changes are asked for.
 */
export class ChangesReader {
    ledger;
    open;
    past;
    newest = 0;
    underWay = Promise.resolve();
    records = new Map();
    bytes = 0;
    /** What the log was asked for last. */
    stored;
    /** @param open starts executing again, from genesis; without it what is not kept is not known */
    constructor(ledger, open) {
        this.ledger = ledger;
        this.open = open;
    }
    /** Of an `applied` entry; `undefined` when it is neither kept nor prepared. */
    changes(seq) {
        const record = this.records.get(seq);
        if (record === undefined)
            return this.storedChanges(seq);
        const set = new ChangeSet(record);
        return { rows: [...set.rows()], internalTransactions: set.internalTransactions };
    }
    /** Executes up to a block of the irreversible chain, where its changes are not kept; ends early by its signal. */
    async prepare(block, signal) {
        const { open } = this;
        if (open === undefined || this.has(block))
            return;
        // An error of the sink does not end what is under way: it will be asked for again.
        const before = this.underWay.catch(() => undefined);
        const done = before.then(() => (this.has(block) ? undefined : this.execute(block, open)));
        this.underWay = done;
        await settledOrAborted(done, signal);
    }
    async close() {
        const { past } = this;
        this.past = undefined;
        this.newest = 0;
        await past?.close();
    }
    has({ seq }) {
        return this.records.has(seq) || this.storedChanges(seq) !== undefined;
    }
    storedChanges(seq) {
        if (this.stored?.seq === seq)
            return this.stored.changes;
        const changes = this.ledger.changes(seq);
        this.stored = changes && { seq, changes };
        return changes;
    }
    async execute({ seq, number }, open) {
        // Only an error of the sink leads back so far: what it needs once more is executed once more.
        if (number <= this.newest)
            await this.close();
        this.past ??= open();
        this.keep(seq, await this.past.recordOf(number));
        this.newest = number;
    }
    keep(seq, record) {
        this.records.set(seq, record);
        this.bytes += record.length;
        for (const [oldest, { length }] of this.records) {
            if (oldest === seq || (this.records.size <= KEPT_BLOCKS_MAX && this.bytes <= KEPT_BYTES_MAX))
                break;
            this.records.delete(oldest);
            this.bytes -= length;
        }
    }
}
async function settledOrAborted(work, signal) {
    if (signal.aborted)
        throw signal.reason;
    const settled = new AbortController();
    const aborted = new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true, signal: settled.signal });
    });
    try {
        await Promise.race([work, aborted]);
    }
    finally {
        settled.abort();
    }
}
//# sourceMappingURL=past-changes.js.map