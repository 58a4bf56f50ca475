import { TronError } from '../primitives/errors.js';

/** An error with the class name and the text of java-tron's exception. Clients receive both. */
export class JavaError extends TronError<string> {
  readonly javaClass: string;
  /** Text of the exception; null if java-tron's exception has no text. */
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

/** Throws java-tron's BadItemException. @throws {JavaError} always */
export function badItem(text: string): never {
  throw new JavaError('org.tron.core.exception.BadItemException', text);
}
