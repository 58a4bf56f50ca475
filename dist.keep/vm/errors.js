import { TronError } from '../log/domain/errors.js';
/**
 * Something the network's rules refuse. `exception` is the reference's class name, by which callers, and the fork rule,
 * tell failures apart: after a checked exception a failed switch returns to the old branch, after another it does not.
 */
export class ChainError extends TronError {
    exception;
    checked;
    /** What a caller of the reference reads; null where its exception has no text. */
    text;
    constructor(exception, text = null, options = {}) {
        super(exception, text ?? '', options.cause === undefined ? undefined : { cause: options.cause });
        this.exception = exception;
        this.text = text;
        this.checked = options.checked ?? true;
    }
}
/** A call of a signed block ended in another way than the block says. */
export class ResultDiffersError extends ChainError {
    /** The transaction. */
    idHex;
    /** Number of `contractResult` that came out here. */
    actual;
    constructor(text, { idHex, actual }) {
        super('ReceiptCheckErrException', text);
        this.idHex = idHex;
        this.actual = actual;
    }
}
/** A contract that may not run: its transaction is refused and leaves nothing. */
export class ContractValidateError extends ChainError {
    constructor(text) {
        super('ContractValidateException', text);
    }
}
/** A contract that failed while running, after its validation had passed. */
export class ContractExeError extends ChainError {
    constructor(text) {
        super('ContractExeException', text);
    }
}
/** @throws {ContractValidateError} */
export function refuse(text) {
    throw new ContractValidateError(text);
}
/** A failure that is unchecked in Java (null pointer, index, argument, arithmetic). */
export function unchecked(exception, text = null) {
    return new ChainError(exception, text, { checked: false });
}
//# sourceMappingURL=errors.js.map