/** Base of every error that a caller may match by `code`; `message` is what people read and search for. */
export class TronError<Code extends string = string> extends Error {
  readonly code: Code;

  constructor(code: Code, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
  }
}

/** A data file that does not hold what was written to it: names file, entry and the command that rebuilds it. */
export class DamageError extends TronError<'DAMAGED_DATA'> {
  constructor(message: string, options?: ErrorOptions) {
    super('DAMAGED_DATA', message, options);
  }
}

/** An operator's mistake (configuration, folder, file): one clear sentence and exit code 1, no stack trace. */
export class UsageError extends TronError<'USAGE'> {
  constructor(message: string, options?: ErrorOptions) {
    super('USAGE', message, options);
  }
}
