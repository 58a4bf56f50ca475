import { toAddress } from '../../../primitives/address.js';
import type { ChainView } from '../../context/api-context.js';
import { internalError } from '../rpc-error.js';

/**
 * The witness that this node produces blocks for, 21 bytes. Reference: TronJsonRpcImpl.getCoinbase.
 * @throws {RpcError} it produces none
 */
export function coinbase({ state }: ChainView, producers: readonly Uint8Array[]): Uint8Array {
  const own = producers.find((address) => state.witnesses.has(toAddress(address)));
  if (own === undefined) throw internalError('etherbase must be explicitly specified');
  return own;
}
