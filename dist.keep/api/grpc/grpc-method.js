import { TronError } from '../../log/domain/errors.js';
export function method(request, run, failure = 'silent') {
    return { request, failure, isQuestion: false, run };
}
/** A method that sees nothing but its request and the view. */
export function question(request, run, failure = 'silent') {
    return { request, failure, isQuestion: true, run: (asked, { view }) => run(asked, view) };
}
/** A status with its text, where the reference answers one by itself. */
export class GrpcStatusError extends TronError {
    /** Number of the status code. */
    status;
    constructor(status, details) {
        super('GRPC_STATUS', details);
        this.status = status;
    }
}
//# sourceMappingURL=grpc-method.js.map