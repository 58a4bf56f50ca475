import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { relayLine } from '../../api/relay-line.js';
/** A task was not answered: its thread ended, or took too long. */
export class BrokenOff extends Error {
}
/** There is none beside sources that were not compiled: tests then answer from the thread that serves. */
const FILE = new URL('./pool-worker.js', import.meta.url);
/** One thread of the pool: one task at a time. Begins with its first task, and again after it ended. */
export class PoolThread {
    options;
    worker;
    running;
    constructor(options) {
        this.options = options;
    }
    static get isCompiled() {
        return existsSync(fileURLToPath(FILE));
    }
    get isBusy() {
        return this.running !== undefined;
    }
    tell(news) {
        // One that begins later is told everything.
        if (this.worker !== undefined)
            this.post(news);
    }
    /** Only while it is not busy. Rejects with BrokenOff. */
    run(task) {
        if (this.worker === undefined) {
            this.worker = this.start();
            this.post(this.options.waiting());
        }
        this.post({ kind: 'task', task });
        const timer = setTimeout(() => {
            this.options.log.warn({ task: task.kind }, 'a task of the pool was broken off: it took too long');
            void this.worker?.terminate();
        }, this.options.taskMsMax);
        return new Promise((resolve, reject) => {
            this.running = { timer, resolve, reject };
        });
    }
    async close() {
        await this.worker?.terminate();
    }
    start() {
        const { data, log } = this.options;
        const worker = new Worker(FILE, { workerData: data });
        worker.on('message', (message) => {
            if (message.kind === 'line')
                relayLine(log, message.line);
            else
                this.end()?.resolve(message);
        });
        worker.on('error', (error) => log.error({ err: error }, 'a thread of the pool failed'));
        worker.once('exit', () => {
            this.worker = undefined;
            this.end()?.reject(new BrokenOff());
        });
        worker.unref();
        return worker;
    }
    end() {
        const { running } = this;
        this.running = undefined;
        clearTimeout(running?.timer);
        return running;
    }
    post(message) {
        this.worker?.postMessage(message);
    }
}
//# sourceMappingURL=pool-thread.js.map