import { TronError } from '../primitives/errors.js';
import { ArithmeticError } from '../primitives/int64.js';

/**
 * Thrown for a violation of a network rule. `exception` is the name of java-tron's exception class; API answers contain
 * it. `checked` is true if this class is a checked exception in Java. A reorg that fails with a checked exception
 * returns to the old branch. After an unchecked one, the node stays on the partly executed branch.
 */
export class ChainError extends TronError<string> {
  readonly exception: string;
  readonly checked: boolean;
  /** Error text for clients, the same as in java-tron; null if java-tron's exception has no text. */
  readonly text: string | null;

  constructor(exception: string, text: string | null = null, options: { checked?: boolean; cause?: unknown } = {}) {
    super(exception, text ?? '', options.cause === undefined ? undefined : { cause: options.cause });
    this.exception = exception;
    this.text = text;
    this.checked = options.checked ?? true;
  }
}

/** Thrown if the result of a smart contract transaction differs from the result that its signed block records. */
export class ResultDiffersError extends ChainError {
  /** Id of the transaction with the different result, in hex. */
  readonly idHex: string;
  /** Value of the enum `contractResult` that this node computed. */
  readonly actual: number;

  constructor(text: string, { idHex, actual }: { idHex: string; actual: number }) {
    super('ReceiptCheckErrException', text);
    this.idHex = idHex;
    this.actual = actual;
  }
}

/** Thrown if the validation of a contract fails. The transaction is rejected and has no effects. */
export class ContractValidateError extends ChainError {
  constructor(text: string | null) {
    super('ContractValidateException', text);
  }
}

/** Thrown if a contract fails during execution, after a successful validation. */
export class ContractExeError extends ChainError {
  constructor(text: string | null) {
    super('ContractExeException', text);
  }
}

/** Rejects a contract. @throws {ContractValidateError} always */
export function refuse(text: string): never {
  throw new ContractValidateError(text);
}

/** Returns an error for an exception of java-tron that is unchecked in Java, such as NullPointerException. */
export function unchecked(exception: string, text: string | null = null): ChainError {
  return new ChainError(exception, text, { checked: false });
}

/**
 * Returns the result of `run`. Converts an uncaught overflow (`ArithmeticError`) to an unchecked `ChainError`, as in
 * Java.
 * @throws {ChainError} ArithmeticException: an overflow occurred
 */
export function withUncheckedArithmetic<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof ArithmeticError) throw unchecked('ArithmeticException', error.message);
    throw error;
  }
}
