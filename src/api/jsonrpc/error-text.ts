import { JavaError } from '../../java-compat/java-error.js';
import { javaError } from '../../state-transition/java-errors.js';
import { internalError, invalidParams, ParameterKindError, RpcError } from './rpc-error.js';

/**
 * Renders an error response.
 * @param id id of the call, as JSON text
 */
export function errorResponse(code: number, message: string, id = 'null'): string {
  return `{"jsonrpc":"2.0","error":{"code":${code},"message":${JSON.stringify(message)}},"id":${id}}`;
}

/** Formats an error as releases before 4.8.2 do. @throws {ParameterKindError} the given error is of this class */
export function longErrorText(error: unknown): string {
  if (error instanceof RpcError) {
    return `"error":{"code":${error.number},"message":${JSON.stringify(error.text)},"data":${JSON.stringify(error.data)}}`;
  }
  const { javaClass, text } = javaError(error) ?? unexpected(error);
  const message = JSON.stringify(text);
  const shown = JSON.stringify(javaClass);
  return `"error":{"code":-32001,"message":${message},"data":{"exceptionTypeName":${shown},"message":${message}}}`;
}

/**
 * Formats an error as release 4.8.2 and later do. If java-tron's method does not declare the exception, the member
 * `data` is only the class name of the exception.
 * @throws {ParameterKindError} the given error is of this class
 */
export function shortErrorText(error: unknown): string {
  if (error instanceof RpcError) return longErrorText(error);
  const { javaClass, text } = javaError(error) ?? unexpected(error);
  return `"error":{"code":-32001,"message":${JSON.stringify(text)},"data":${JSON.stringify(javaClass)}}`;
}

/** Formats an error without names of Java classes. The message is always a text, as JSON-RPC requires. */
export function clearErrorText(error: unknown): string {
  if (error instanceof RpcError) return longErrorText(error.text === null ? internalError('internal error') : error);
  if (error instanceof ParameterKindError) return longErrorText(invalidParams(error.message));
  const { javaClass, text } = javaError(error) ?? unexpected(error);
  const isNull = javaClass === 'java.lang.NullPointerException';
  return longErrorText(
    isNull ? invalidParams('a required parameter is null') : internalError(text ?? 'internal error'),
  );
}

/**
 * Converts an internal error to a generic one. An internal error must not stop the server or expose internal details.
 * @throws {ParameterKindError} the given error is of this class; the whole request then gets a parse error
 */
function unexpected(error: unknown): JavaError {
  if (error instanceof ParameterKindError) throw error;
  return new JavaError('java.lang.RuntimeException', 'internal error');
}
