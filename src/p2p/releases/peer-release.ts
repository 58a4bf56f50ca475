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
  /** Release name sent in HELLO; undefined: none is sent. Reference: HelloMessage.codeVersion */
  readonly codeVersion: string | undefined;
  /** Rejects a HELLO whose ids do not have 32 bytes or whose texts exceed 200 bytes. Reference: HelloMessage.valid */
  readonly checksHelloSizes: boolean;
  /** Disconnect reason for a malformed HELLO. */
  readonly invalidHello: Reason;
  /**
   * Disconnect reason for a HELLO whose solidified block is not canonical, if that block is also below our lowest
   * stored block. Reference: HandshakeService
   */
  readonly solidBelowLowest: Reason;
  /** Maximum number of connections that claim one witness. Reference: RelayService.MAX_PEER_COUNT_PER_ADDRESS */
  readonly peersOfWitness: number;
  /**
   * Disconnect reason for relay nodes when this node stops producing; undefined: none.
   * Reference: RelayService.disconnect
   */
  readonly notWitness: Reason | undefined;
  /** Disconnect reason sent at shutdown; undefined: none. Reference: PeerManager.close */
  readonly quitting: Reason | undefined;
  /** Disconnect reason by rejection; UNKNOWN for others. Reference: P2pEventHandlerImpl.processException */
  readonly reasons: Readonly<Partial<Record<RejectReason, Reason>>>;
  /**
   * Rejects inventories of unknown kind, or with duplicate ids.
   * Reference: InventoryMsgHandler.check, FetchInvDataMsgHandler.check
   */
  readonly checksLists: boolean;
  /** Checks that signatures have 65 to 68 bytes. Reference: SignUtils.isValidLength */
  readonly checksSignatureSizes: boolean;
  /**
   * The check of the announcement limit also counts the ids of the current message.
   * Reference: P2pEventHandlerImpl.checkInvRateLimit
   */
  readonly countsThisMessage: boolean;
  /** Requests announced blocks at or below the solidified height. Reference: AdvService.addInv */
  readonly asksBelowSolidified: boolean;
  /**
   * Time in ms after an announcement for which the item may be requested from the announcing peer. If undefined, the
   * lifetime of the announcement applies. Reference: AdvService.TIMEOUT
   */
  readonly announcementMs: number | undefined;
  /** Reports outgoing TCP bytes, and meters incoming UDP bytes. Reference: TronStatsManager.work */
  readonly countsAllTraffic: boolean;
  /** Metric names of rejections that differ from other releases. Reference: P2pException.TypeEnum */
  readonly refusalNames: Readonly<Partial<Record<RejectReason, string>>>;
  /**
   * After an announced block is accepted, it becomes the common block of all peers that announced it.
   * Reference: BlockMsgHandler.processBlock
   */
  readonly notesAnnounced: boolean;
  /**
   * Checks size and time of a block before it checks that the block was requested. Also checks blocks of relay nodes.
   * Reference: BlockMsgHandler.processMessage
   */
  readonly checksBlocksFirst: boolean;
  /** Maximum number of ids in a chain summary, and of blocks in one request. Reference: NetConstants */
  readonly summaryIdsMax: number;
  readonly blocksFetchedMax: number;
  /** Rejects requests for blocks above the last id that this node sent to the peer. */
  readonly fetchesToldOnly: boolean;
  /** Sends an announced item to each peer only once. */
  readonly servesAnnouncedOnce: boolean;
  /** Requests synced blocks even while announced items are outstanding. Reference: PeerConnection.isSyncIdle */
  readonly syncsBesideItems: boolean;
  /**
   * Processes the queued transactions of a disconnected peer, unless the peer sent an invalid one.
   * Reference: TransactionsMsgHandler.handleTransaction
   */
  readonly takesOfGone: boolean;
  /**
   * The limit of queued transactions also counts the mempool.
   * Reference: TransactionsMsgHandler.isBusy
   */
  readonly countsPool: boolean;
  /**
   * Ignores PBFT votes and proofs until the chain uses them.
   * Reference: PbftMsgHandler, PbftDataSyncHandler
   */
  readonly ignoresUnusedVotes: boolean;
  /** Resolves host names of backup members again every minute. Reference: BackupManager.refreshMemberIps */
  readonly followsMembers: boolean;
  /** Evicts useless peers. Reference: ResilienceService */
  readonly partsFromIdle: boolean;
}
