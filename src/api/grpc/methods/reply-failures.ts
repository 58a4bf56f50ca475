import { ReturnResponse_code as Code, type Return } from '../../../codec/generated/messages.js';
import type { JavaError } from '../../../java-compat/java-error.js';
import { utf8 } from '../../../primitives/bytes.js';
import { javaError } from '../../../state-transition/java-errors.js';

export function recordRejection(result: Return, { text }: JavaError): void {
  result.code = Code.CONTRACT_VALIDATE_ERROR;
  result.message = utf8(`Contract validate error : ${text}`);
}

export function noteClass(result: Return, code: number, { javaClass, text }: JavaError): void {
  result.code = code;
  result.message = utf8(`class ${javaClass} : ${text}`);
}

/** Returns the Java error that the reply must report. @throws `error` itself if it has no corresponding Java error */
export function replyFailureOf(error: unknown): JavaError {
  const found = javaError(error);
  if (found === undefined) throw error;
  return found;
}
