import type { NodeConfig } from '../../config/load-config.js';
import type { PeerLimits } from '../../p2p/releases/peer-limits.js';

/** Returns the configured limits. Uses the defaults in a release that does not have these keys. */
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
