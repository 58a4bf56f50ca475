import type { NodeConfig } from '../../config/load-config.js';
import type { PeerLimits } from '../../p2p/releases/peer-limits.js';

/** Returns the limits of peers from the configuration. If the release does not have a key, its value is the default. */
export function peerLimits({ node, rateLimiter: { p2p }, committee }: NodeConfig): PeerLimits {
  return {
    blockIdsPerSecond: node.maxBlockInvPerSecond,
    summariesPerSecond: p2p.syncBlockChain,
    fetchesPerSecond: p2p.fetchInvData,
    goodbyesPerSecond: p2p.disconnect,
    pendingBlocksMax: node.maxPendingBlockSize,
    transactionsMax: node.maxTrxCacheSize,
    votedBlocks: committee.pBFTExpireNum,
    idleSeconds: node.inactiveThreshold,
  };
}
