import { toAddress } from '../../../primitives/address.js';
import type { ChainView } from '../../context/api-context.js';
import { internalError } from '../rpc-error.js';

/**
 * Returns the address (21 bytes) of the witness for which this node produces blocks. Reference:
 * TronJsonRpcImpl.getCoinbase.
 * @throws {RpcError} none of `producers` is a witness on the chain
 */
export function coinbase({ state }: ChainView, producers: readonly Uint8Array[]): Uint8Array {
  const own = producers.find((address) => state.witnesses.has(toAddress(address)));
  if (own === undefined) throw internalError('etherbase must be explicitly specified');
  return own;
}
