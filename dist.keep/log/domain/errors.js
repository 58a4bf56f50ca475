/** Base of every error that a caller may match by `code`; `message` is what people read and search for. */
export class TronError extends Error {
    code;
    constructor(code, message, options) {
        super(message, options);
        this.name = new.target.name;
        this.code = code;
    }
}
/** A data file that does not hold what was written to it: names file, entry and the command that rebuilds it. */
export class DamageError extends TronError {
    constructor(message, options) {
        super('DAMAGED_DATA', message, options);
    }
}
/** An operator's mistake (configuration, folder, file): one clear sentence and exit code 1, no stack trace. */
export class UsageError extends TronError {
    constructor(message, options) {
        super('USAGE', message, options);
    }
}
//# sourceMappingURL=errors.js.map