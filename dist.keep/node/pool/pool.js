import { refusal, Status } from '../../api/grpc/answer-call.js';
import { JSON_TYPE } from '../../api/http/error-pages.js';
import { LIMITED } from '../../api/http/http-server.js';
import { JavaError } from '../../api/java/java-error.js';
import { RawJson } from '../../api/jsonrpc/envelope.js';
import { internalError, RpcError, tooManyResults } from '../../api/jsonrpc/rpc-error.js';
import { TRACE_MS_MAX } from '../../api/jsonrpc/tracing/trace-limits.js';
import { BrokenOff, PoolThread } from './pool-thread.js';
/** Tasks that wait for each thread: at 80 ms for a call, the last one is answered after ten seconds. */
const WAITING_MAX = 128;
/** Within one operation, or in what comes before it, nothing looks at the clock. */
const TASK_MS_MAX = 4 * TRACE_MS_MAX;
/** There is no place for one more task. */
export class PoolIsFull extends Error {
}
/** The threads that run costly calls, traces and long searches, each one at a time; what has to wait is answered in order. */
export class Pool {
    threads;
    waiting = [];
    patience;
    constructor({ threads, patience, ...options }) {
        this.patience = patience;
        this.threads = Array.from({ length: threads }, () => new PoolThread({ ...options, taskMsMax: TASK_MS_MAX }));
    }
    static get isCompiled() {
        return PoolThread.isCompiled;
    }
    /** What waits in the chain has changed: all that is asked afterwards is answered with it. */
    tell(news) {
        for (const thread of this.threads)
            thread.tell(news);
    }
    async http(server, request, reason) {
        try {
            const outcome = await this.run({ kind: 'http', server, request }, reason);
            return 'http' in outcome ? outcome.http : BROKEN;
        }
        catch (error) {
            return error instanceof PoolIsFull ? LIMITED : BROKEN;
        }
    }
    async grpc(server, name, request, reason) {
        try {
            const outcome = await this.run({ kind: 'grpc', server, name, request }, reason);
            return 'grpc' in outcome ? outcome.grpc : BROKEN_CALL;
        }
        catch (error) {
            return error instanceof PoolIsFull ? LIMITED_CALL : BROKEN_CALL;
        }
    }
    rpc(view, method, values, reason) {
        return this.json({ kind: 'rpc', view, method, values }, reason);
    }
    logs(view, query) {
        return this.json({ kind: 'logs', view, query });
    }
    async close() {
        this.waiting.length = 0;
        await Promise.all(this.threads.map((thread) => thread.close()));
    }
    async json(task, reason) {
        const outcome = await this.run(task, reason).catch((error) => {
            if (error instanceof PoolIsFull)
                throw tooManyResults('lack of computing resources');
            throw error instanceof BrokenOff ? internalError('the answer was broken off') : error;
        });
        if ('text' in outcome)
            return new RawJson(outcome.text);
        if ('refusal' in outcome)
            throw new RpcError(outcome.refusal.code, outcome.refusal.text, outcome.refusal.data);
        if ('exception' in outcome)
            throw new JavaError(outcome.exception.javaClass, outcome.exception.text);
        throw internalError('the answer was broken off');
    }
    /** Rejects with PoolIsFull or BrokenOff. */
    run(task, reason) {
        const idle = this.threads.find((thread) => !thread.isBusy);
        if (idle !== undefined)
            return this.runOn(idle, task, reason);
        if (this.waiting.length >= WAITING_MAX * this.threads.length)
            return Promise.reject(new PoolIsFull());
        return new Promise((resolve) => this.waiting.push({ task, reason, resolve }));
    }
    async runOn(thread, task, reason) {
        let tookMs = Number.POSITIVE_INFINITY;
        try {
            const done = await thread.run(task);
            ({ tookMs } = done);
            return done.outcome;
        }
        finally {
            if (reason?.key !== undefined)
                this.patience?.note(reason.key, tookMs);
            const next = this.waiting.shift();
            if (next !== undefined)
                next.resolve(this.runOn(thread, next.task, next.reason));
        }
    }
}
const BROKEN = {
    status: 200,
    type: JSON_TYPE,
    body: '{"Error":"class java.lang.RuntimeException : the answer was broken off"}\n',
};
const BROKEN_CALL = refusal(Status.UNKNOWN, '');
const LIMITED_CALL = refusal(Status.RESOURCE_EXHAUSTED, '');
//# sourceMappingURL=pool.js.map