import { ProtobufError } from '../../log/codec/reader.js';
import { TooCostly } from '../call-pool.js';
import { javaError } from '../java/java-error.js';
import { typeOf } from '../json/message-fields.js';
import { GrpcStatusError } from './grpc-method.js';
/** Numbers of the status codes that are answered here. */
export const Status = {
    OK: 0,
    UNKNOWN: 2,
    INVALID_ARGUMENT: 3,
    DEADLINE_EXCEEDED: 4,
    RESOURCE_EXHAUSTED: 8,
    UNIMPLEMENTED: 12,
    INTERNAL: 13,
    UNAVAILABLE: 14,
};
const NOTHING = new Uint8Array(0);
/**
 * Answers a call by the name on the wire (`protocol.Wallet/GetAccount`).
 * @param isDisabled whether the operator switched a method off, by its short name in lower case
 */
export function answerCall(services, name, request, call, isDisabled = () => false) {
    const found = findMethod(services, name);
    if (found !== undefined && isDisabled(shortName(name)))
        return DISABLED;
    return answerFound(found, name, request, call);
}
/** Looks a method up as the server's registry does: nothing else is asked for one that is not there. */
export function findMethod(services, name) {
    const slash = name.lastIndexOf('/');
    const service = Object.hasOwn(services, name.slice(0, slash)) ? services[name.slice(0, slash)] : undefined;
    const short = name.slice(slash + 1);
    return service !== undefined && Object.hasOwn(service, short) ? service[short] : undefined;
}
export function answerFound(found, name, request, call, { handOver, known } = {}) {
    if (found === undefined)
        return refusal(Status.UNIMPLEMENTED, `Method not found: ${name}`);
    try {
        const made = call();
        const run = () => runMethod(found, request, made, handOver);
        return found.isQuestion && known !== undefined ? known.find(made.view, name, request, run) : run();
    }
    catch (error) {
        return failureReply(found, error, '');
    }
}
/** Name of a method without its service, in lower case. */
export function shortName(name) {
    return name.slice(name.lastIndexOf('/') + 1).toLowerCase();
}
export const DISABLED = refusal(Status.UNAVAILABLE, 'this API is unavailable due to config');
function runMethod(method, request, call, handOver) {
    const failed = (error) => failureReply(method, error, call.api.settings.release.grpcUnknownText);
    try {
        const reply = method.run(method.request.decode(request), call);
        return reply instanceof Promise ? reply.then(goodReply).catch(failed) : goodReply(reply);
    }
    catch (error) {
        return error instanceof TooCostly && handOver !== undefined ? handOver(error) : failed(error);
    }
}
function goodReply(message) {
    return { status: Status.OK, details: '', bytes: message === undefined ? NOTHING : typeOf(message).encode(message) };
}
/** Errors of this program look like the reference's unexpected ones, which do not say what happened. */
function failureReply({ failure }, error, unknownText) {
    if (error instanceof GrpcStatusError)
        return refusal(error.status, error.message);
    const found = error instanceof ProtobufError ? undefined : javaError(error);
    if (found !== undefined && failure === 'silent')
        return refusal(Status.UNKNOWN, '');
    if (found === undefined || failure === 'thrown')
        return refusal(Status.UNKNOWN, unknownText);
    const status = failure === 'argument' ? Status.INVALID_ARGUMENT : Status.INTERNAL;
    return refusal(status, found.text ?? '');
}
export function refusal(status, details) {
    return { status, details, bytes: NOTHING };
}
//# sourceMappingURL=answer-call.js.map