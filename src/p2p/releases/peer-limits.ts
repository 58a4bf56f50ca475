/** Configurable limits for messages and requests of peers. */
export interface PeerLimits {
  /** Maximum number of block ids that a peer may announce per second. Configured by `node.maxBlockInvPerSecond`. */
  readonly blockIdsPerSecond: number;
  /** Maximum number of chain summaries of a peer per second. Configured by `rate.limiter.p2p`. */
  readonly summariesPerSecond: number;
  /** Maximum number of a peer's requests for synced blocks per second. Configured by `rate.limiter.p2p`. */
  readonly fetchesPerSecond: number;
  /** Maximum number of disconnect messages of a peer per second. Configured by `rate.limiter.p2p`. */
  readonly goodbyesPerSecond: number;
  /**
   * Maximum number of synced blocks that are requested or queued for execution. Configured by
   * `node.maxPendingBlockSize`.
   */
  readonly pendingBlocksMax: number;
  /**
   * Number of queued transactions above which this node requests no announced transactions. Configured by
   * `node.maxTrxCacheSize`.
   */
  readonly transactionsMax: number;
  /**
   * Number of blocks below the head up to which PBFT votes on blocks are accepted. Votes on lower blocks are ignored.
   * Configured by `committee.pBFTExpireNum`.
   */
  readonly votedBlocks: number;
  /** Idle time in seconds after which a peer may be evicted. Configured by `node.inactiveThreshold`. */
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

/** Limits of a release without these configuration keys. */
export const NO_LIMITS: PeerLimits = {
  blockIdsPerSecond: UNLIMITED,
  summariesPerSecond: UNLIMITED,
  fetchesPerSecond: UNLIMITED,
  goodbyesPerSecond: UNLIMITED,
  pendingBlocksMax: UNLIMITED,
  // Fixed limit of release 4.7.2. Reference: TransactionsMsgHandler.MAX_TRX_SIZE.
  transactionsMax: 50_000,
  votedBlocks: UNLIMITED,
  idleSeconds: UNLIMITED,
};
