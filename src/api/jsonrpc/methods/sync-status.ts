import { SLOT_MS } from '../../../state-transition/consensus/schedule.js';
import type { ApiContext } from '../../context/api-context.js';
import { quantity } from '../quantities.js';

/** Returns the result of `eth_syncing`; false if there are no peers. Reference: TronJsonRpcImpl.getSyncingStatus. */
export function syncStatus(api: ApiContext, headTimeMs: number, headNumber: number): object | false {
  if (api.peers.active === 0) return false;
  return {
    startingBlock: quantity(headNumber),
    currentBlock: quantity(headNumber),
    highestBlock: quantity(headNumber + blocksBehind(api, headTimeMs)),
  };
}

/** Returns the number of block slots since the head block, according to the clock. */
export function blocksBehind(api: ApiContext, headTimeMs: number): number {
  return Math.max(0, Math.floor((api.now() - headTimeMs) / SLOT_MS));
}
