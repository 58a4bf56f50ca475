import { TronError } from '../../primitives/errors.js';

/**
 * An error whose code, text and data the JSON-RPC response contains. java-tron declares such exceptions for its
 * methods. Methods that only this node has throw this error too. By default, the data is `{}`. Reference: the JsonRpc
 * exceptions.
 */
export class RpcError extends TronError<'JSON_RPC'> {
  /** Code of the JSON-RPC error. */
  readonly number: number;
  /** Error message of the response; null if java-tron sends no message. */
  readonly text: string | null;
  readonly data: string;

  constructor(number: number, text: string | null, data = '{}') {
    super('JSON_RPC', text ?? '');
    this.number = number;
    this.text = text;
    this.data = data;
  }
}

/** JSON-RPC error code for a reverted call, used by both Ethereum clients and java-tron. */
export const REVERT_CODE = 3;
export const INTERNAL_CODE = -32000;

export const invalidRequest = (text: string | null = 'invalid json request'): RpcError => new RpcError(-32600, text);
export const invalidParams = (text: string | null): RpcError => new RpcError(-32602, text);
export const internalError = (text: string | null): RpcError => new RpcError(INTERNAL_CODE, text);
export const exceedsLimit = (text: string): RpcError => new RpcError(-32005, text);
export const tooManyResults = (text: string): RpcError => new RpcError(-32005, text);

/**
 * Returns the error for a block that a bootstrap did not import, or that is pruned. The code is the one that geth uses
 * (EIP-4444).
 */
export const blockNotStored = (number: number): RpcError =>
  new RpcError(
    4444,
    `pruned history unavailable: this node does not store block ${number}; use a higher height or another node`,
  );

/** Returns the error for a method that is not available on this server or port. */
export function unavailable(method: string, where = ''): RpcError {
  return new RpcError(-32601, `the method ${method} does not exist/is not available${where}`);
}

/** Thrown if a parameter has the wrong JSON type. The whole request then gets a parse error. */
export class ParameterKindError extends TronError<'PARAMETER_KIND'> {
  constructor(text = 'a parameter has the wrong type') {
    super('PARAMETER_KIND', text);
  }
}
