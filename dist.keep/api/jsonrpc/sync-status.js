import { SLOT_MS } from '../../vm/consensus/schedule.js';
import { quantity } from './quantities.js';
/** What `eth_syncing` answers; false without peers. Reference: TronJsonRpcImpl.getSyncingStatus. */
export function syncStatus(api, headTimeMs, headNumber) {
    if (api.peers.active === 0)
        return false;
    return {
        startingBlock: quantity(headNumber),
        currentBlock: quantity(headNumber),
        highestBlock: quantity(headNumber + blocksBehind(api, headTimeMs)),
    };
}
/** Blocks that the clock has room for since the head. */
export function blocksBehind(api, headTimeMs) {
    return Math.max(0, Math.floor((api.now() - headTimeMs) / SLOT_MS));
}
//# sourceMappingURL=sync-status.js.map