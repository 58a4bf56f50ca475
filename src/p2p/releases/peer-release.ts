import type { RejectReason } from '../p2p-error.js';
import type { Reason } from '../wire/messages.js';
import type { PeerLimits } from './peer-limits.js';
import type { TransportRules } from './transport-rules.js';

/**
 * What the side of the peers takes from the release of the reference that this node is. Rules of the chain are in
 * `src/state-transition/releases`.
 */
export interface PeerRelease {
  /** As the configuration names it. */
  readonly name: string;
  readonly transport: TransportRules;
  readonly limits: PeerLimits;
  /** The release as HELLO tells it; undefined: HELLO tells none. Reference: HelloMessage.codeVersion */
  readonly codeVersion: string | undefined;
  /** Ids of a HELLO have 32 bytes and its texts 200 at most. Reference: HelloMessage.valid */
  readonly checksHelloSizes: boolean;
  /** What a peer hears whose HELLO is none. */
  readonly invalidHello: Reason;
  /**
   * The same where its solidified block is not of this chain and lies below the lowest block here.
   * Reference: HandshakeService
   */
  readonly solidBelowLowest: Reason;
  /** Peers at once that say they produce for one witness. Reference: RelayService.MAX_PEER_COUNT_PER_ADDRESS */
  readonly peersOfWitness: number;
  /** What relay nodes hear whose witness produces no more; undefined: nothing. Reference: RelayService.disconnect */
  readonly notWitness: Reason | undefined;
  /** What all hear when this node ends; undefined: nothing. Reference: PeerManager.close */
  readonly quitting: Reason | undefined;
  /** What a peer hears for what it sent; others are told UNKNOWN. Reference: P2pEventHandlerImpl.processException */
  readonly reasons: Readonly<Partial<Record<RejectReason, Reason>>>;
  /**
   * Lists of unknown kind, and with an id twice, are refused.
   * Reference: InventoryMsgHandler.check, FetchInvDataMsgHandler.check
   */
  readonly checksLists: boolean;
  /** Signatures are as long as one can be: 65 to 68 bytes. Reference: SignUtils.isValidLength */
  readonly checksSignatureSizes: boolean;
  /**
   * The message that is looked at counts for the limit of announcements too.
   * Reference: P2pEventHandlerImpl.checkInvRateLimit
   */
  readonly countsThisMessage: boolean;
  /** Announced blocks are asked for that are not above the solidified one. Reference: AdvService.addInv */
  readonly asksBelowSolidified: boolean;
  /**
   * ms after which who announced an item is not asked for it; undefined: as long as that is remembered.
   * Reference: AdvService.TIMEOUT
   */
  readonly announcementMs: number | undefined;
  /** What goes out by TCP is told, and what comes by UDP metered. Reference: TronStatsManager.work */
  readonly countsAllTraffic: boolean;
  /** Names of refusals in metrics that other releases call otherwise. Reference: P2pException.TypeEnum */
  readonly refusalNames: Readonly<Partial<Record<RejectReason, string>>>;
  /**
   * An announced block that was taken is what this node and all who announced it have in common.
   * Reference: BlockMsgHandler.processBlock
   */
  readonly notesAnnounced: boolean;
  /**
   * Size and time of a block are looked at before whether it was asked for, and of relays too.
   * Reference: BlockMsgHandler.processMessage
   */
  readonly checksBlocksFirst: boolean;
  /** Ids of a summary, and blocks that one message asks for, at most. Reference: NetConstants */
  readonly summaryIdsMax: number;
  readonly blocksFetchedMax: number;
  /** Blocks above the last id that the peer was told are refused. */
  readonly fetchesToldOnly: boolean;
  /** What was announced to a peer is given to it once. */
  readonly servesAnnouncedOnce: boolean;
  /** Blocks of a sync are asked for while announced items are awaited. Reference: PeerConnection.isSyncIdle */
  readonly syncsBesideItems: boolean;
  /**
   * Waiting transactions of a peer that is gone are taken, if it sent no bad one.
   * Reference: TransactionsMsgHandler.handleTransaction
   */
  readonly takesOfGone: boolean;
  /**
   * Transactions that wait for a block count for the limit of those that are asked for.
   * Reference: TransactionsMsgHandler.isBusy
   */
  readonly countsPool: boolean;
  /**
   * Votes, and proofs of votes, are looked at only once the chain uses them.
   * Reference: PbftMsgHandler, PbftDataSyncHandler
   */
  readonly ignoresUnusedVotes: boolean;
  /** Names of members of a backup group are looked up again every minute. Reference: BackupManager.refreshMemberIps */
  readonly followsMembers: boolean;
  /** Peers are parted from that hold a place and do nothing for it. Reference: ResilienceService */
  readonly partsFromIdle: boolean;
}
