import type { BudgetExceededError } from '../context/call-budget.js';
import type { ApiMiddleware } from '../middleware/api-middleware.js';
import { LITE_REFUSAL, liteMethods } from '../middleware/lite-node.js';
import type { AdmittedCall } from '../middleware/rate-limit.js';
import {
  type AnswerHelpers,
  answerFound,
  DISABLED,
  findMethod,
  type GrpcServices,
  shortName,
  unknownMethod,
} from './answer-call.js';
import type { GrpcCall } from './grpc-method.js';
import { type GrpcReply, GrpcStatus, refusal } from './grpc-reply.js';
import { ReplyCache } from './known-replies.js';

interface RateLimitedCallsOptions {
  readonly services: GrpcServices;
  /** Returns the state and services for a call. */
  readonly call: () => GrpcCall;
  /** Names of the methods that `node.disabledApi` disables, in lower case. */
  readonly disabled: readonly string[];
  /** Rate limits and counters; undefined to apply none. */
  readonly gate?: ApiMiddleware | undefined;
  /** Runs a call in another thread. Called if the call has exceeded its time budget in this thread. */
  readonly handOver?:
    | ((name: string, request: Uint8Array, reason: BudgetExceededError) => Promise<GrpcReply>)
    | undefined;
}

const LITE: GrpcReply = { ...refusal(GrpcStatus.UNAVAILABLE, LITE_REFUSAL), echoes: true };
const LIMITED = refusal(GrpcStatus.RESOURCE_EXHAUSTED, '');

/**
 * Runs calls after java-tron's checks, in java-tron's order: history on a lite node, disabled methods, rate limits.
 * Reference: LiteFnQueryGrpcInterceptor, RpcApiAccessInterceptor, RateLimiterInterceptor.
 */
export class RateLimitedCalls {
  private readonly options: RateLimitedCallsOptions;
  private readonly disabled: ReadonlySet<string>;
  private readonly known = new ReplyCache();

  constructor(options: RateLimitedCallsOptions) {
    this.options = options;
    this.disabled = new Set(options.disabled);
  }

  /**
   * Returns the reply that rejects a call because of its method; undefined if the method is accepted. Does not need the
   * request message.
   */
  refusalOf(name: string): GrpcReply | undefined {
    const { services, gate } = this.options;
    if (findMethod(services, name) === undefined) return unknownMethod(name);
    if (liteMethods.has(name) && gate?.closesHistory() === true) return LITE;
    return this.disabled.has(shortName(name)) ? DISABLED : undefined;
  }

  /** Runs a call after the checks. @param address source address of the call */
  answer(name: string, request: Uint8Array, address: string): GrpcReply | Promise<GrpcReply> {
    const { services, call, gate, handOver } = this.options;
    const helpers: AnswerHelpers = {
      handOver: handOver && ((reason: BudgetExceededError) => handOver(name, request, reason)),
      known: this.known,
    };
    const found = findMethod(services, name);
    if (found === undefined) return unknownMethod(name);
    if (gate === undefined) return answerFound(found, name, request, call, helpers);
    const serve = (entry: AdmittedCall): GrpcReply | Promise<GrpcReply> => {
      if (!entry.isAdmitted) return LIMITED;
      const started = performance.now();
      const end = (reply: GrpcReply): GrpcReply => {
        entry.leave();
        gate.metrics.grpcDone(name, (performance.now() - started) / 1000);
        return reply;
      };
      const reply = answerFound(found, name, request, call, helpers);
      return reply instanceof Promise ? reply.then(end) : end(reply);
    };
    gate.metrics.grpcCalled(name);
    const entry = gate.admission.enter('rpc', name, address);
    return entry instanceof Promise ? entry.then(serve) : serve(entry);
  }
}
