/** Numbers of the configuration that bound what peers may send, and what is asked of them. */
export interface PeerLimits {
  /** Ids of blocks that a peer may announce, a second. `node.maxBlockInvPerSecond` */
  readonly blockIdsPerSecond: number;
  /** Messages a second: summaries while ids remain, questions for blocks of a sync, goodbyes. `rate.limiter.p2p` */
  readonly summariesPerSecond: number;
  readonly fetchesPerSecond: number;
  readonly goodbyesPerSecond: number;
  /** Blocks of a sync that are asked for or wait to be executed. `node.maxPendingBlockSize` */
  readonly pendingBlocksMax: number;
  /** Transactions that wait, above which announced ones are not asked for. `node.maxTrxCacheSize` */
  readonly transactionsMax: number;
  /** Blocks below the head to which a vote still counts. `committee.pBFTExpireNum` */
  readonly votedBlocks: number;
  /** Seconds after which a peer that did nothing useful may be parted from. `node.inactiveThreshold` */
  readonly idleSeconds: number;
}

/** Where the configuration is silent. Reference: NodeConfig, RateLimiterConfig, CommitteeConfig of 4.8.2. */
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

/** Of a release that knows none of the keys. */
export const NO_LIMITS: PeerLimits = {
  blockIdsPerSecond: UNLIMITED,
  summariesPerSecond: UNLIMITED,
  fetchesPerSecond: UNLIMITED,
  goodbyesPerSecond: UNLIMITED,
  pendingBlocksMax: UNLIMITED,
  // Reference: TransactionsMsgHandler.MAX_TRX_SIZE of 4.7.2.
  transactionsMax: 50_000,
  votedBlocks: UNLIMITED,
  idleSeconds: UNLIMITED,
};
