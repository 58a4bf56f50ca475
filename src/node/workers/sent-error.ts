import { RpcError } from '../../api/jsonrpc/rpc-error.js';
import { ControlError } from '../../api/network-control.js';
import { JavaError } from '../../java-compat/java-error.js';
import { errorText, TronError } from '../../primitives/errors.js';
import { ChainError } from '../../state-transition/errors.js';

/** An error in a form that can be sent to another thread. A structured clone would lose the class of the error. */
export type SentError =
  | { readonly kind: 'chain'; readonly exception: string; readonly text: string | null; readonly checked: boolean }
  | { readonly kind: 'java'; readonly javaClass: string; readonly text: string | null }
  | { readonly kind: 'rpc'; readonly number: number; readonly text: string | null; readonly data: string }
  | { readonly kind: 'control'; readonly message: string }
  | { readonly kind: 'tron'; readonly code: string; readonly message: string }
  | { readonly kind: 'other'; readonly message: string };

/** Converts an error to the form that can be sent. An error of an unlisted class keeps only its message. */
export function sendError(error: unknown): SentError {
  if (error instanceof ChainError) {
    return { kind: 'chain', exception: error.exception, text: error.text, checked: error.checked };
  }
  if (error instanceof JavaError) return { kind: 'java', javaClass: error.javaClass, text: error.text };
  if (error instanceof RpcError) return { kind: 'rpc', number: error.number, text: error.text, data: error.data };
  if (error instanceof ControlError) return { kind: 'control', message: error.message };
  if (error instanceof TronError) return { kind: 'tron', code: error.code, message: error.message };
  return { kind: 'other', message: errorText(error) };
}

/** Creates an error of the same class as the sent error. The stack is that of this call. */
export function receiveError(sent: SentError): Error {
  if (sent.kind === 'chain') return new ChainError(sent.exception, sent.text, { checked: sent.checked });
  if (sent.kind === 'java') return new JavaError(sent.javaClass, sent.text);
  if (sent.kind === 'rpc') return new RpcError(sent.number, sent.text, sent.data);
  if (sent.kind === 'control') return new ControlError(sent.message);
  if (sent.kind === 'tron') return new TronError(sent.code, sent.message);
  return new Error(sent.message);
}
