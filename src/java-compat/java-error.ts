import { TronError } from '../primitives/errors.js';

/** An error with the class name and the text of the reference, as clients receive them. */
export class JavaError extends TronError<string> {
  readonly javaClass: string;
  /** Null if the exception of the reference has no text. */
  readonly text: string | null;

  constructor(javaClass: string, text: string | null = null) {
    super(javaClass, text ?? '');
    this.javaClass = javaClass;
    this.text = text;
  }
}

export function nullPointer(text: string | null = null): JavaError {
  return new JavaError('java.lang.NullPointerException', text);
}

export function illegalArgument(text: string | null): JavaError {
  return new JavaError('java.lang.IllegalArgumentException', text);
}

/** @throws {JavaError} */
export function badItem(text: string): never {
  throw new JavaError('org.tron.core.exception.BadItemException', text);
}
