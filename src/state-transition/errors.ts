import { TronError } from '../primitives/errors.js';

/**
 * Something the network's rules refuse. `exception` is the reference's class name, by which callers, and the fork rule,
 * tell failures apart: after a checked exception a failed switch returns to the old branch, after another it does not.
 */
export class ChainError extends TronError<string> {
  readonly exception: string;
  readonly checked: boolean;
  /** What a caller of the reference reads; null where its exception has no text. */
  readonly text: string | null;

  constructor(exception: string, text: string | null = null, options: { checked?: boolean; cause?: unknown } = {}) {
    super(exception, text ?? '', options.cause === undefined ? undefined : { cause: options.cause });
    this.exception = exception;
    this.text = text;
    this.checked = options.checked ?? true;
  }
}

/** A call of a signed block ended in another way than the block says. */
export class ResultDiffersError extends ChainError {
  /** The transaction. */
  readonly idHex: string;
  /** Number of `contractResult` that came out here. */
  readonly actual: number;

  constructor(text: string, { idHex, actual }: { idHex: string; actual: number }) {
    super('ReceiptCheckErrException', text);
    this.idHex = idHex;
    this.actual = actual;
  }
}

/** A contract that may not run: its transaction is refused and leaves nothing. */
export class ContractValidateError extends ChainError {
  constructor(text: string | null) {
    super('ContractValidateException', text);
  }
}

/** A contract that failed while running, after its validation had passed. */
export class ContractExeError extends ChainError {
  constructor(text: string | null) {
    super('ContractExeException', text);
  }
}

/** @throws {ContractValidateError} */
export function refuse(text: string): never {
  throw new ContractValidateError(text);
}

/** A failure that is unchecked in Java (null pointer, index, argument, arithmetic). */
export function unchecked(exception: string, text: string | null = null): ChainError {
  return new ChainError(exception, text, { checked: false });
}
