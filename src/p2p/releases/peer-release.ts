import type { RejectReason } from '../p2p-error.js';
import type { Reason } from '../wire/messages.js';
import type { PeerLimits } from './peer-limits.js';
import type { TransportRules } from './transport-rules.js';

/**
 * Peer protocol rules that depend on the emulated java-tron release. Rules of the chain are in
 * `src/state-transition/releases`.
 */
export interface PeerRelease {
  /** Release name as in the configuration. */
  readonly name: string;
  readonly transport: TransportRules;
  readonly limits: PeerLimits;
  /** Release name sent in HELLO; undefined if the release sends no name. Reference: HelloMessage.codeVersion */
  readonly codeVersion: string | undefined;
  /**
   * True if the sizes in a HELLO are checked. Each of its three block ids must have 32 bytes. Address, signature and
   * code version must have at most 200 bytes each. Reference: HelloMessage.valid
   */
  readonly checksHelloSizes: boolean;
  /** Disconnect reason for a malformed HELLO. */
  readonly invalidHello: Reason;
  /**
   * Disconnect reason for a HELLO whose solidified block is not canonical and is below this node's lowest stored block.
   * Reference: HandshakeService
   */
  readonly solidBelowLowest: Reason;
  /**
   * Maximum number of connections whose HELLO names the same witness.
   * Reference: RelayService.MAX_PEER_COUNT_PER_ADDRESS
   */
  readonly peersOfWitness: number;
  /**
   * Disconnect reason for relay nodes when this node stops producing. If undefined, their connections are closed
   * without a reason.
   * Reference: RelayService.disconnect
   */
  readonly notWitness: Reason | undefined;
  /** Disconnect reason sent to all peers at shutdown; undefined if no reason is sent. Reference: PeerManager.close */
  readonly quitting: Reason | undefined;
  /**
   * Disconnect reason for each rejection reason. A missing rejection reason maps to UNKNOWN. Reference:
   * P2pEventHandlerImpl.processException
   */
  readonly reasons: Readonly<Partial<Record<RejectReason, Reason>>>;
  /**
   * True if inventories of unknown kind, or with duplicate ids, are rejected. Reference: InventoryMsgHandler.check,
   * FetchInvDataMsgHandler.check
   */
  readonly checksLists: boolean;
  /** True if signatures must have 65 to 68 bytes. Reference: SignUtils.isValidLength */
  readonly checksSignatureSizes: boolean;
  /**
   * True if the rate limit of announced items also counts the items of the current message. Reference:
   * P2pEventHandlerImpl.checkInvRateLimit
   */
  readonly countsThisMessage: boolean;
  /** True if announced blocks at or below the solidified height are requested. Reference: AdvService.addInv */
  readonly requestsBelowSolidified: boolean;
  /**
   * Time in ms after an announcement during which the item may be requested from the announcing peer. If undefined, the
   * lifetime of the announcement applies. Reference: AdvService.TIMEOUT
   */
  readonly announcementMs: number | undefined;
  /** True if outgoing TCP bytes and incoming UDP bytes are also counted. Reference: TronStatsManager.work */
  readonly countsAllTraffic: boolean;
  /** Metric names of the rejection reasons that releases name differently. Reference: P2pException.TypeEnum */
  readonly refusalNames: Readonly<Partial<Record<RejectReason, string>>>;
  /**
   * True if an accepted announced block becomes the common block of all peers that announced it. If false, the common
   * block does not change. Reference: BlockMsgHandler.processBlock
   */
  readonly notesAnnounced: boolean;
  /**
   * True if the node checks size and time of a block before it checks that it has requested the block. If false, size
   * and time are not checked if the peer or this node is a relay node. Reference: BlockMsgHandler.processMessage
   */
  readonly checksBlocksFirst: boolean;
  /** Maximum number of ids in a chain summary. Reference: NetConstants */
  readonly summaryIdsMax: number;
  /** Maximum number of blocks that a peer may request at once. Reference: NetConstants */
  readonly blocksFetchedMax: number;
  /** True if a request for blocks above the last id that this node sent to the peer is rejected. */
  readonly fetchesAnnouncedOnly: boolean;
  /** True if an announced item is sent to each peer only once. */
  readonly servesAnnouncedOnce: boolean;
  /**
   * True if synced blocks are requested even while requests for announced items are open. Reference:
   * PeerConnection.isSyncIdle
   */
  readonly syncsBesideItems: boolean;
  /**
   * True if queued transactions of a disconnected peer are still executed, except if the peer sent an invalid one.
   * Reference: TransactionsMsgHandler.handleTransaction
   */
  readonly acceptsOfDisconnected: boolean;
  /** True if the limit of queued transactions includes the mempool. Reference: TransactionsMsgHandler.isBusy */
  readonly countsPool: boolean;
  /**
   * True if PBFT votes and proofs are ignored until the chain enables them. Reference: PbftMsgHandler,
   * PbftDataSyncHandler
   */
  readonly ignoresUnusedVotes: boolean;
  /** True if host names of backup members are resolved again every minute. Reference: BackupManager.refreshMemberIps */
  readonly followsMembers: boolean;
  /** True if useless peers are evicted. Reference: ResilienceService */
  readonly evictsIdlePeers: boolean;
}
