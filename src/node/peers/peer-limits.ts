import type { NodeConfig } from '../../config/load-config.js';
import type { PeerLimits } from '../../p2p/releases/peer-limits.js';

/** Returns the configured limits. A release that does not know these keys ignores them. */
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
