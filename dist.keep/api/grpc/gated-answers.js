import { LITE_REFUSAL, liteMethods } from '../admission/lite-node.js';
import { answerFound, DISABLED, findMethod, refusal, Status, shortName, } from './answer-call.js';
import { KnownReplies } from './known-replies.js';
const LITE = refusal(Status.UNAVAILABLE, LITE_REFUSAL);
const LIMITED = refusal(Status.RESOURCE_EXHAUSTED, '');
/**
 * Answers calls behind the reference's interceptors, in their order: history on a lite node, switched-off methods, rates.
 * Reference: LiteFnQueryGrpcInterceptor, RpcApiAccessInterceptor, RateLimiterInterceptor.
 */
export class GatedAnswers {
    options;
    disabled;
    known = new KnownReplies();
    constructor(options) {
        this.options = options;
        this.disabled = new Set(options.disabled);
    }
    /** @param address where the call came from */
    answer(name, request, address) {
        const { services, call, gate, handOver } = this.options;
        const helpers = {
            handOver: handOver && ((reason) => handOver(name, request, reason)),
            known: this.known,
        };
        const found = findMethod(services, name);
        if (found === undefined)
            return answerFound(found, name, request, call);
        if (liteMethods.has(name) && gate?.closesHistory() === true)
            return LITE;
        if (this.disabled.has(shortName(name)))
            return DISABLED;
        if (gate === undefined)
            return answerFound(found, name, request, call, helpers);
        const serve = (entry) => {
            if (!entry.isAdmitted)
                return LIMITED;
            const started = performance.now();
            const end = (reply) => {
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
//# sourceMappingURL=gated-answers.js.map