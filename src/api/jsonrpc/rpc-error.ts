import { TronError } from '../../primitives/errors.js';

/**
 * An error that a method declares: shown with its code and the text `{}` as data.
 * Reference: the JsonRpc exceptions.
 */
export class RpcError extends TronError<'JSON_RPC'> {
  /** Code of the JSON-RPC error. */
  readonly number: number;
  /** Text for the caller; null where the reference has none. */
  readonly text: string | null;
  readonly data: string;

  constructor(number: number, text: string | null, data = '{}') {
    super('JSON_RPC', text ?? '');
    this.number = number;
    this.text = text;
    this.data = data;
  }
}

/** Code that clients of Ethereum know a revert by, and the reference's. */
export const REVERT_CODE = 3;
export const INTERNAL_CODE = -32000;

export const invalidRequest = (text: string | null = 'invalid json request'): RpcError => new RpcError(-32600, text);
export const invalidParams = (text: string | null): RpcError => new RpcError(-32602, text);
export const internalError = (text: string | null): RpcError => new RpcError(INTERNAL_CODE, text);
export const exceedsLimit = (text: string): RpcError => new RpcError(-32005, text);
export const tooManyResults = (text: string): RpcError => new RpcError(-32005, text);

export function unavailable(method: string, where = ''): RpcError {
  return new RpcError(-32601, `the method ${method} does not exist/is not available${where}`);
}

/** A parameter that is of another kind than the method's. The whole request is answered as unreadable. */
export class ParameterKindError extends TronError<'PARAMETER_KIND'> {
  constructor() {
    super('PARAMETER_KIND', 'a parameter is of another kind');
  }
}
