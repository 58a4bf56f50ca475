import type { ApiContext, ChainView } from '../../context/api-context.js';
import { beginSyncNumber } from '../../operations/node-info.js';
import { quantity } from '../quantities.js';

/** Returns the result of `eth_syncing`; false if there are no peers. Reference: TronJsonRpcImpl.getSyncingStatus. */
export function syncStatus(api: ApiContext, view: ChainView): object | false {
  if (api.peers.active === 0) return false;
  const { headNumber } = view;
  return {
    startingBlock: quantity(beginSyncNumber(api, view)),
    currentBlock: quantity(headNumber),
    highestBlock: quantity(headNumber + blocksBehind(api, view)),
  };
}

/** Returns the number of slots between the head block and the clock. */
export function blocksBehind(api: ApiContext, { state }: ChainView): number {
  const headTimeMs = state.properties.number('latest_block_header_timestamp');
  return Math.max(0, Math.floor((api.now() - headTimeMs) / state.rules.slotMs));
}
