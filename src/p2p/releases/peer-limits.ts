/** Configurable limits for messages and requests of peers. */
export interface PeerLimits {
  /** Maximum number of block ids that a peer may announce per second. `node.maxBlockInvPerSecond` */
  readonly blockIdsPerSecond: number;
  /**
   * Maximum number of messages per second, by type: chain summaries, requests for synced blocks, disconnects.
   * `rate.limiter.p2p`
   */
  readonly summariesPerSecond: number;
  readonly fetchesPerSecond: number;
  readonly goodbyesPerSecond: number;
  /** Maximum number of synced blocks requested or waiting for execution. `node.maxPendingBlockSize` */
  readonly pendingBlocksMax: number;
  /**
   * Announced transactions are not requested while more than this number of transactions is queued.
   * `node.maxTrxCacheSize`
   */
  readonly transactionsMax: number;
  /**
   * PBFT votes on blocks that are more than this number of blocks below the head are ignored. `committee.pBFTExpireNum`
   */
  readonly votedBlocks: number;
  /** Idle time in seconds after which a peer may be evicted. `node.inactiveThreshold` */
  readonly idleSeconds: number;
}

/** Default limits. Reference: NodeConfig, RateLimiterConfig, CommitteeConfig of 4.8.2. */
export const DEFAULT_LIMITS: PeerLimits = {
  blockIdsPerSecond: 10,
  summariesPerSecond: 3,
  fetchesPerSecond: 3,
  goodbyesPerSecond: 1,
  pendingBlocksMax: 500,
  transactionsMax: 50_000,
  votedBlocks: 20,
  idleSeconds: 600,
};

export const UNLIMITED = Number.POSITIVE_INFINITY;

/** Limits of a release that does not have these configuration keys. */
export const NO_LIMITS: PeerLimits = {
  blockIdsPerSecond: UNLIMITED,
  summariesPerSecond: UNLIMITED,
  fetchesPerSecond: UNLIMITED,
  goodbyesPerSecond: UNLIMITED,
  pendingBlocksMax: UNLIMITED,
  // Fixed limit of this release. Reference: TransactionsMsgHandler.MAX_TRX_SIZE of 4.7.2.
  transactionsMax: 50_000,
  votedBlocks: UNLIMITED,
  idleSeconds: UNLIMITED,
};
