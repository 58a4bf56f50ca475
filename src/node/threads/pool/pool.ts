import type { Logger } from 'pino';
import type { BudgetExceededError, CallBudget } from '../../../api/context/call-budget.js';
import type { GraphqlAnswer, GraphqlPool, GraphqlRequest, SentProgress } from '../../../api/graphql/graphql-pool.js';
import type { GrpcPool } from '../../../api/grpc/grpc-pool.js';
import { type GrpcReply, GrpcStatus, refusal } from '../../../api/grpc/grpc-reply.js';
import { type HttpAnswer, JSON_TYPE } from '../../../api/http/http-answer.js';
import type { HttpPool } from '../../../api/http/http-pool.js';
import type { IncomingRequest } from '../../../api/http/incoming-request.js';
import { LIMITED } from '../../../api/http/server/rate-limited-handler.js';
import type { IndexPage, IndexPool, IndexRequest } from '../../../api/indexes/index-pages.js';
import { RawJson } from '../../../api/jsonrpc/envelope.js';
import type { LogQuery } from '../../../api/jsonrpc/logs/log-filter.js';
import { internalError, tooManyResults } from '../../../api/jsonrpc/rpc-error.js';
import type { RpcPool } from '../../../api/jsonrpc/rpc-pool.js';
import { TRACE_MS_MAX } from '../../../api/jsonrpc/tracing/trace-limits.js';
import type { PortView, ServerName } from '../../../api/servers.js';
import { TronError } from '../../../primitives/errors.js';
import { receiveError } from '../../workers/sent-error.js';
import { ChannelClosedError } from '../../workers/thread-channel.js';
import type { PendingUpdate } from '../api-threads/messages.js';
import { FairQueue } from './fair-queue.js';
import type { PoolOutcome, PoolTask } from './messages.js';
import { PoolThread, type PoolThreadOptions } from './pool-thread.js';

interface PoolOptions extends Omit<PoolThreadOptions, 'taskMsMax'> {
  /** Number of threads (`tronicle.threads.pool`). */
  readonly threads: number;
  /** Records the execution times of expensive calls; undefined to record none. */
  readonly callBudget?: CallBudget;
}

/**
 * Maximum number of queued tasks per interface and thread. If each task takes 80 ms, the last task waits ten seconds.
 */
const QUEUED_MAX = 128;
/**
 * Time limit of a task, in ms. It is longer than the time limit of traces, because traces check the time only between
 * operations.
 */
const TASK_MS_MAX = 4 * TRACE_MS_MAX;

class PoolFullError extends Error {}

/** Answer types of the tasks that never reject, by kind of task. Such a task returns a failure as an answer. */
interface Answers {
  readonly http: HttpAnswer;
  readonly grpc: GrpcReply;
  readonly graphql: GraphqlAnswer;
}

interface QueuedCall {
  readonly task: PoolTask;
  readonly reason: BudgetExceededError | undefined;
  resolve(outcome: Promise<PoolOutcome>): void;
}

/**
 * The call pool: threads that run expensive calls, large answers, traces and long log searches. Each thread runs one
 * task at a time. The interfaces (HTTP, gRPC, JSON-RPC, GraphQL) take turns. Queued tasks of an interface run in
 * order.
 */
export class Pool implements HttpPool, GrpcPool, RpcPool, GraphqlPool, IndexPool {
  private readonly threads: readonly PoolThread[];
  private readonly queue: FairQueue<PoolTask['kind'], QueuedCall>;
  private readonly callBudget: CallBudget | undefined;
  private readonly log: Logger;

  constructor({ threads, callBudget, ...options }: PoolOptions) {
    this.callBudget = callBudget;
    this.log = options.log;
    this.queue = new FairQueue(QUEUED_MAX * threads);
    this.threads = Array.from({ length: threads }, () => new PoolThread({ ...options, taskMsMax: TASK_MS_MAX }));
  }

  static get isCompiled(): boolean {
    return PoolThread.isCompiled;
  }

  /**
   * Sends an update of the pending transactions to all threads. Tasks that start later use the updated pending
   * transactions.
   */
  update(pending: PendingUpdate): void {
    for (const thread of this.threads) thread.update(pending);
  }

  http(server: ServerName, request: IncomingRequest, reason?: BudgetExceededError): Promise<HttpAnswer> {
    return this.answered('http', { kind: 'http', server, request }, reason);
  }

  grpc(server: ServerName, name: string, request: Uint8Array, reason?: BudgetExceededError): Promise<GrpcReply> {
    return this.answered('grpc', { kind: 'grpc', server, name, request }, reason);
  }

  rpc(view: PortView, method: string, values: readonly unknown[], reason?: BudgetExceededError): Promise<RawJson> {
    return this.json({ kind: 'rpc', view, method, values }, reason);
  }

  logs(view: PortView, query: LogQuery): Promise<RawJson> {
    return this.json({ kind: 'logs', view, query });
  }

  graphql(request: GraphqlRequest, progress: SentProgress): Promise<GraphqlAnswer> {
    return this.answered('graphql', { kind: 'graphql', request, progress });
  }

  async index(name: string, address: Uint8Array, request: IndexRequest): Promise<IndexPage> {
    const outcome = await this.run({ kind: 'index', name, address, request }, undefined).catch((error: unknown) => {
      throw error instanceof PoolFullError
        ? new TronError('TOO_COSTLY', 'too many expensive requests at the same time; try again')
        : error;
    });
    if ('refusal' in outcome) throw receiveError(outcome.refusal);
    return (outcome as { readonly index: IndexPage }).index;
  }

  async close(): Promise<void> {
    this.queue.clear();
    await Promise.all(this.threads.map((thread) => thread.close()));
  }

  /** Runs a task and never rejects. Returns the answer `limited` or `broken` for a failure. */
  private async answered<Kind extends keyof Answers>(
    kind: Kind,
    task: PoolTask,
    reason?: BudgetExceededError,
  ): Promise<Answers[Kind]> {
    const { limited, broken } = FAILURES[kind];
    try {
      const outcome = (await this.run(task, reason)) as Partial<Answers>;
      return outcome[kind] ?? broken;
    } catch (error) {
      return error instanceof PoolFullError ? limited : broken;
    }
  }

  private async json(task: PoolTask, reason?: BudgetExceededError): Promise<RawJson> {
    const outcome = await this.run(task, reason).catch((error: unknown) => {
      if (error instanceof PoolFullError) throw tooManyResults('lack of computing resources');
      throw error instanceof ChannelClosedError
        ? internalError('the node aborted the call before its end, for example after its time limit')
        : error;
    });
    if ('text' in outcome) return new RawJson(outcome.text);
    if ('refusal' in outcome) throw receiveError(outcome.refusal);
    throw internalError('the node aborted the call before its end, for example after its time limit');
  }

  /**
   * Runs a task in a free thread, or queues it. Rejects with PoolFullError, ChannelClosedError, or the error of the
   * task.
   */
  private run(task: PoolTask, reason: BudgetExceededError | undefined): Promise<PoolOutcome> {
    const idle = this.threads.find((thread) => !thread.isBusy);
    if (idle !== undefined) return this.runOn(idle, task, reason);
    return new Promise((resolve, reject) => {
      if (!this.queue.add(task.kind, { task, reason, resolve })) reject(new PoolFullError());
    });
  }

  private async runOn(
    thread: PoolThread,
    task: PoolTask,
    reason: BudgetExceededError | undefined,
  ): Promise<PoolOutcome> {
    let tookMs = Number.POSITIVE_INFINITY;
    try {
      const done = await thread.run(task);
      ({ tookMs } = done);
      return done.outcome;
    } catch (error) {
      // Logs the error, because the client gets an answer without details. If the thread ended, the log already
      // contains this event.
      if (!(error instanceof ChannelClosedError))
        this.log.error({ err: error, task: task.kind }, 'task of the call pool failed');
      throw error;
    } finally {
      if (reason?.key !== undefined) this.callBudget?.note(reason.key, tookMs);
      const next = this.queue.take();
      if (next !== undefined) next.resolve(this.runOn(thread, next.task, next.reason));
    }
  }
}

function refusedQuery(code: string, message: string): GraphqlAnswer {
  return { status: 200, text: JSON.stringify({ data: null, errors: [{ message, extensions: { code } }] }) };
}

/**
 * Answers for failures, by kind of task. `limited`: the queue is full, so the task did not run. `broken`: the task did
 * not complete.
 */
const FAILURES: { readonly [Kind in keyof Answers]: Record<'limited' | 'broken', Answers[Kind]> } = {
  http: {
    limited: LIMITED,
    broken: {
      status: 200,
      type: JSON_TYPE,
      body: '{"Error":"class java.lang.RuntimeException : the node aborted the call before its end, for example after its time limit"}\n',
    },
  },
  grpc: { limited: refusal(GrpcStatus.RESOURCE_EXHAUSTED, ''), broken: refusal(GrpcStatus.UNKNOWN, '') },
  graphql: {
    limited: refusedQuery('TOO_MANY_QUERIES', 'too many expensive queries at the same time; try again'),
    broken: refusedQuery('INTERNAL', 'the node aborted the query before its end; retry'),
  },
};
