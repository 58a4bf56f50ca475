import type { Refusal } from '../p2p-error.js';
import type { Reason } from '../wire/messages.js';

/** What the side of the peers takes from the release of the reference that this node is. Rules of the chain are in `src/vm/releases`. */
export interface PeerRelease {
  /** As the configuration names it. */
  readonly name: string;
  /** The release as HELLO tells it; undefined: HELLO tells none. Reference: HelloMessage.codeVersion */
  readonly codeVersion: string | undefined;
  /** Ids of a HELLO have 32 bytes and its texts 200 at most. Reference: HelloMessage.valid */
  readonly checksHelloSizes: boolean;
  /** What a peer hears whose HELLO is none. */
  readonly invalidHello: Reason;
  /** What a peer hears for what it sent; others are told UNKNOWN. Reference: P2pEventHandlerImpl.processException */
  readonly reasons: Readonly<Partial<Record<Refusal, Reason>>>;
  /** Lists of unknown kind, and with an id twice, are refused. Reference: InventoryMsgHandler.check, FetchInvDataMsgHandler.check */
  readonly checksLists: boolean;
  /** The message that is looked at counts for the limit of announcements too. Reference: P2pEventHandlerImpl.checkInvRateLimit */
  readonly countsThisMessage: boolean;
  /** Size and time of a block are looked at before whether it was asked for, and of relays too. Reference: BlockMsgHandler.processMessage */
  readonly checksBlocksFirst: boolean;
  /** Ids of blocks that a peer may announce, a second. */
  readonly blockIdsPerSecond: number;
  /** Ids of a summary, and blocks that one message asks for, at most. Reference: NetConstants */
  readonly summaryIdsMax: number;
  readonly blocksFetchedMax: number;
  /** Messages a second: summaries while ids remain, questions for blocks of a sync, goodbyes. Reference: P2pRateLimiter */
  readonly summariesPerSecond: number;
  readonly fetchesPerSecond: number;
  readonly goodbyesPerSecond: number;
  /** Blocks above the last id that the peer was told are refused. */
  readonly fetchesToldOnly: boolean;
  /** What was announced to a peer is given to it once. */
  readonly servesAnnouncedOnce: boolean;
}
