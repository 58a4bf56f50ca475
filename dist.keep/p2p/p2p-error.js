import { TronError } from '../log/domain/errors.js';
/** A message that a peer should not have sent, or that cannot be served. */
export class P2pError extends TronError {
}
//# sourceMappingURL=p2p-error.js.map