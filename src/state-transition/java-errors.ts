import { ProtobufError, WireTypeError } from '../codec/reader.js';
import { javaClassOf } from '../java-compat/class-name.js';
import { JavaError } from '../java-compat/java-error.js';
import { ArithmeticError } from '../primitives/int64.js';
import { ChainError } from './errors.js';
import { VmError } from './vm-error.js';

/**
 * Returns the text `class <name> : <text>`, as java-tron prints an exception; undefined for an error without a
 * java-tron exception.
 */
export function describeError(error: unknown): string | undefined {
  const found = javaError(error);
  return found === undefined ? undefined : `class ${found.javaClass} : ${found.text}`;
}

/** Returns the java-tron exception that corresponds to an error; undefined for an internal error. */
export function javaError(error: unknown): JavaError | undefined {
  if (error instanceof JavaError) return error;
  if (error instanceof ChainError) return new JavaError(javaClassOf(error.exception), error.text);
  if (error instanceof ArithmeticError) return new JavaError('java.lang.ArithmeticException', error.message);
  if (error instanceof VmError) return new JavaError(error.javaClass, error.text);
  if (error instanceof ProtobufError) {
    const inner = error instanceof WireTypeError ? '$InvalidWireTypeException' : '';
    return new JavaError(`com.google.protobuf.InvalidProtocolBufferException${inner}`, error.message);
  }
  return undefined;
}

/** Returns true for a failed contract validation. Some API answers format its text differently. */
export function isValidateError(error: JavaError): boolean {
  return error.javaClass === 'org.tron.core.exception.ContractValidateException';
}
