import { TronError } from '../log/domain/errors.js';
import type { ViewName } from './api-context.js';
import type { GrpcReply } from './grpc/answer-call.js';
import type { GrpcServerName } from './grpc/services.js';
import type { IncomingRequest } from './http/dispatch.js';
import type { HttpAnswer } from './http/error-pages.js';
import type { ServerName } from './http/route.js';
import type { RawJson } from './jsonrpc/envelope.js';
import type { LogQuery } from './jsonrpc/log-filter.js';

/** Threads that answer what would take long here. Every answer is the one that this thread would give. */
export interface CallPool {
  /** Resolves in any case: what refuses it is an answer too. */
  http(server: ServerName, request: IncomingRequest): Promise<HttpAnswer>;
  /** Resolves in any case. @param name `protocol.<Service>/<Method>` */
  grpc(server: GrpcServerName, name: string, request: Uint8Array): Promise<GrpcReply>;
  /**
   * Runs a method of JSON-RPC. Rejects with an RpcError or a JavaError.
   * @param values its parameters as its readers gave them, JSON values as `toPlain` makes them
   */
  rpc(view: ViewName, method: string, values: readonly unknown[]): Promise<RawJson>;
  /** A list of logs. Rejects with an RpcError. */
  logs(view: ViewName, query: LogQuery): Promise<RawJson>;
}

/** Thrown out of an operation that takes longer than its thread has for one: the request is to be given to the pool. */
export class TooCostly extends TronError<'TOO_COSTLY'> {
  constructor() {
    super('TOO_COSTLY', 'this takes longer than the thread of the APIs has');
  }
}

/** Time that a call may take where others wait for their answers, ms: half of what the slowest of the cheap answers takes. */
const PATIENCE_MS = 4;
/** What was costly once is not tried here again for this time, ms. */
const MEMORY_MS = 60_000;
/** Calls that are remembered as costly; the oldest goes first. */
const REMEMBERED_MAX = 1_000;

/**
 * How long the thread of the APIs runs a call before it gives it up and the pool runs it again, whole. A message to another thread
 * and back costs more than most calls, so they are tried here first. Which thread answers decides nothing but the time.
 */
export class Patience {
  readonly ms: number;
  private readonly until = new Map<string, number>();
  private readonly nowMs: () => number;

  constructor({ ms = PATIENCE_MS, nowMs = () => performance.now() } = {}) {
    this.ms = ms;
    this.nowMs = nowMs;
  }

  /** @throws {TooCostly} a call like it was costly a short while ago */
  check(key: string): void {
    const until = this.until.get(key);
    if (until === undefined) return;
    if (until > this.nowMs()) throw new TooCostly();
    this.until.delete(key);
  }

  noteCostly(key: string): void {
    this.until.delete(key);
    this.until.set(key, this.nowMs() + MEMORY_MS);
    if (this.until.size > REMEMBERED_MAX) this.until.delete(this.until.keys().next().value!);
  }
}
