import { maskKeys } from './mask-keys.js';

/** Base class of errors that callers identify by `code`. The `message` is for people. */
export class TronError<Code extends string = string> extends Error {
  readonly code: Code;

  constructor(code: Code, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
  }
}

/** A data file has corrupt content. The message names the file, the entry, and the command that rebuilds the file. */
export class DamageError extends TronError<'DAMAGED_DATA'> {
  constructor(message: string, options?: ErrorOptions) {
    super('DAMAGED_DATA', message, options);
  }
}

/**
 * An operator error (configuration, folder, file). It is shown as one sentence without stack trace. `maskKeys` removes
 * private keys from the message.
 */
export class UsageError extends TronError<'USAGE'> {
  readonly exitCode: number = 1;

  constructor(message: string, options?: ErrorOptions) {
    super('USAGE', maskKeys(message), options);
  }
}

/** Wrong arguments of a command line. The command did nothing. */
export class ArgumentError extends UsageError {
  override readonly exitCode = 2;
}

/** The keystore of a witness cannot be read. Reference: Args.setParam, exit(-1); WITNESS_KEYSTORE_LOAD of 4.8.2. */
export class KeystoreLoadError extends UsageError {
  override readonly exitCode = 255;
}

/** Returns true if data could not be stored or read for a reason other than the data itself, such as a full disk. */
export function isStorageError(error: unknown): error is TronError {
  return error instanceof TronError && (error.code === 'STORAGE_FULL' || error.code === 'STORAGE_FAILED');
}

/** Returns the message of a thrown value. The value may have any type. */
export function errorText(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
