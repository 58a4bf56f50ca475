import type { HelloMessage } from '../../codec/generated/messages.js';
import { itemAt } from '../../primitives/assert.js';
import { BoundedCache } from '../bounded-cache.js';
import { IdCache } from '../id-cache.js';
import type { PeerObserver } from '../peer-observer.js';
import type { PeerRelease } from '../releases/peer-release.js';
import { BAD_PEER_BAN_MS } from '../transport/ban-list.js';
import type { Channel } from '../transport/channel.js';
import type { BlockId } from '../wire/block-id.js';
import { encodeDisconnect, type ItemKind, type Reason } from '../wire/messages.js';
import { RateBucket } from './rate-bucket.js';
import { RateCounter } from './rate-counter.js';

/**
 * Maximum number of announced items that are stored per peer, for each direction.
 * Reference: PeerConnection.invCacheSize.
 */
export const ITEMS_MAX = 20_000;
/** Time for which an announced item is stored per peer, in ms. */
const ITEMS_LIFE_MS = 3_600_000;
/** Maximum number of ids in a chain inventory after the first id. Reference: NetConstants.SYNC_FETCH_BATCH_NUM. */
export const CHAIN_IDS_MAX = 2000;
/**
 * Maximum number of block ids stored per connection, so that each synced block is sent only once. Reference:
 * PeerConnection.syncBlockIdCache.
 */
const SERVED_IDS_MAX = 2 * CHAIN_IDS_MAX;
/**
 * Maximum number of stored latencies, from which the 75th percentile is computed. java-tron's histogram has the same
 * size.
 */
const LATENCIES_MAX = 1028;

/**
 * Requests per second to a peer that allows three per second. The rate is below three, because network delays can
 * shorten the interval between the arrival of two requests.
 */
const TOLERATED_RATE = 2.8;

/** Disconnect reasons after which the address is banned for an hour. */
const BAD_REASONS: ReadonlySet<Reason> = new Set(['BAD_PROTOCOL', 'BAD_BLOCK', 'BAD_TX']);

/** A block or a transaction, as listed in an inventory. */
export interface Item {
  readonly kind: ItemKind;
  readonly id: string;
}

/**
 * Returns the cache key of an item. Block ids get a prefix, so that a block and a transaction with equal ids have
 * different keys.
 */
export function itemKey({ kind, id }: Item): string {
  return kind === 'block' ? `b${id}` : id;
}

interface PeerOptions {
  readonly genesis: BlockId;
  readonly release: PeerRelease;
  readonly isRelay: boolean;
  readonly observer: PeerObserver;
  readonly now: () => number;
}

/** State of one connected peer. Reference: PeerConnection. */
export class Peer {
  readonly channel: Channel;
  /**
   * True if the peer is listed in `node.fastForward`. It may send blocks without a request, and receives no transaction
   * announcements.
   */
  readonly isRelay: boolean;
  /** Height of the head that this node announced in its own HELLO. */
  announcedHead = 0;
  hello: HelloMessage | undefined;
  needsSyncFromPeer = true;
  needsSyncFromUs = true;
  isSyncing = false;
  /** Last id of the newest chain inventory that was sent to this peer. */
  lastSyncId: BlockId | undefined;
  /**
   * Number of blocks after the last exchanged id. They are blocks of the peer's chain if this node syncs from the peer,
   * and blocks of this node's chain if the peer syncs from this node.
   */
  remaining = 0;
  /** Ids of the peer's chain whose blocks this node has not applied yet, in ascending height. */
  toFetch: BlockId[] = [];
  /**
   * True if blocks may be requested from the peer. Set by a chain inventory with unknown blocks, cleared by a chain
   * inventory without unknown blocks.
   */
  mayFetch = false;
  chainRequest: { readonly ids: ReadonlySet<string>; readonly last: BlockId; readonly atMs: number } | undefined;
  /** Requested blocks of a sync. Maps the block id to the request time by `IdleClock`, in ms. */
  readonly syncRequests = new Map<string, number>();
  /** Ids of the received blocks of a sync that are queued for execution. */
  readonly inProcess = new Set<string>();
  /**
   * Announced items that were requested from the peer, by {@link itemKey}, with the request time in ms. An item of an
   * unknown kind counts as requested, although no request was sent.
   */
  readonly itemRequests = new Map<string, number>();
  readonly received: IdCache;
  readonly spread: IdCache;
  /** Ids of the synced blocks that were sent to the peer. A second request for a block violates the protocol. */
  readonly servedIds: BoundedCache<true>;
  /** Ids of the synced blocks that were requested from the peer. They must not be requested again. */
  readonly requestedIds: BoundedCache<true>;
  /** Counts the transactions that the peer announced, per second of the last minute. */
  readonly announcedCount: RateCounter;
  /** Counts the blocks that the peer announced, per second of the last minute. */
  readonly announcedBlocks: RateCounter;
  /** Rate limits for messages that this peer sends. */
  readonly limits: { readonly summaries: RateBucket; readonly fetches: RateBucket; readonly goodbyes: RateBucket };
  private readonly requestLimits: { readonly ids: RateBucket; readonly blocks: RateBucket };
  /** Counts the transactions that the peer requested, per second of the last minute. */
  readonly fetchedCount: RateCounter;
  /** True if the peer sent an invalid transaction. */
  isBad = false;
  /** Number of announced blocks that were rejected since the last block of the peer was applied. */
  rejectedBlocks = 0;
  /** Time in ms at which this node last accepted an announced block of the peer; 0 if it accepted none. */
  blockReceivedMs = 0;
  /**
   * Time in ms of the last useful message. A message is useful if it contains blocks or block ids that the peer or this
   * node needed.
   */
  usefulMs: number;
  /** Disconnect reason that this node sent; undefined if it sent none. */
  disconnectReason: Reason | undefined;
  /** Disconnect reason that the peer sent; undefined if it sent none. */
  remoteReason: Reason | undefined;
  private readonly latencies: number[] = [];
  private common: BlockId;
  private commonMs: number;
  private readonly observer: PeerObserver;
  private readonly now: () => number;

  constructor(channel: Channel, { genesis, release, isRelay, observer, now }: PeerOptions) {
    this.channel = channel;
    this.observer = observer;
    this.isRelay = isRelay;
    this.now = now;
    this.common = genesis;
    this.commonMs = now();
    this.usefulMs = now();
    this.received = new IdCache({ entriesMax: ITEMS_MAX, lifeMs: ITEMS_LIFE_MS, now });
    this.spread = new IdCache({ entriesMax: ITEMS_MAX, lifeMs: ITEMS_LIFE_MS, now });
    this.servedIds = new BoundedCache({ entriesMax: SERVED_IDS_MAX, now });
    this.requestedIds = new BoundedCache({ entriesMax: SERVED_IDS_MAX, now });
    this.announcedCount = new RateCounter(now);
    this.announcedBlocks = new RateCounter(now);
    this.limits = {
      summaries: new RateBucket(release.limits.summariesPerSecond, now),
      fetches: new RateBucket(release.limits.fetchesPerSecond, now),
      goodbyes: new RateBucket(release.limits.goodbyesPerSecond, now),
    };
    this.requestLimits = { ids: new RateBucket(TOLERATED_RATE, now), blocks: new RateBucket(TOLERATED_RATE, now) };
    this.fetchedCount = new RateCounter(now);
  }

  get isClosed(): boolean {
    return this.channel.isClosed;
  }

  /**
   * Returns true if a request may be sent now. Only peers of release 4.7.4 or newer limit requests; a peer's HELLO
   * contains its release.
   */
  mayRequest(what: 'ids' | 'blocks'): boolean {
    const isLimited = this.hello !== undefined && this.hello.codeVersion.length > 0;
    return !isLimited || this.requestLimits[what].tryTake();
  }

  /** True if no request to the peer is open. */
  get isIdle(): boolean {
    return this.itemRequests.size === 0 && this.isSyncIdle;
  }

  /** True if no sync request to the peer is open. */
  get isSyncIdle(): boolean {
    return this.syncRequests.size === 0 && this.chainRequest === undefined;
  }

  /** True if neither this node nor the peer has to sync. Only then do they exchange announcements. */
  get isInSync(): boolean {
    return !this.needsSyncFromPeer && !this.needsSyncFromUs;
  }

  /** Newest block that is known to be in the chains of both this node and the peer. */
  get commonBlock(): BlockId {
    return this.common;
  }

  get commonBlockMs(): number {
    return this.commonMs;
  }

  setCommonBlock(id: BlockId): void {
    this.common = id;
    this.commonMs = this.now();
  }

  /**
   * Resets the common block for a new sync. The peer gets no additional time, because the time of the last progress is
   * not reset.
   */
  resetCommonBlock(genesis: BlockId): void {
    this.common = genesis;
  }

  send(bytes: Uint8Array): void {
    this.channel.send(bytes);
  }

  /** Sends the reason, closes the connection, and bans the address. The duration of the ban depends on the reason. */
  disconnect(reason: Reason): void {
    if (this.isClosed) return;
    this.disconnectReason ??= reason;
    this.observer.disconnected(reason);
    this.channel.send(encodeDisconnect(reason));
    this.channel.close(BAD_REASONS.has(reason) ? BAD_PEER_BAN_MS : undefined);
  }

  /** Records the time between the request and the arrival of an announced block, in ms. */
  noteBlockLatency(ms: number): void {
    this.latencies.push(ms);
    if (this.latencies.length > LATENCIES_MAX) this.latencies.shift();
  }

  /** 75th percentile of the response times for announced blocks, in ms; 0 before the first block. */
  get blockLatency75(): number {
    const sorted = [...this.latencies].sort((a, b) => a - b);
    const rank = 0.75 * (sorted.length + 1);
    if (rank < 1) return sorted[0] ?? 0;
    if (rank >= sorted.length) return sorted.at(-1) ?? 0;
    const below = itemAt(sorted, Math.floor(rank) - 1);
    return below + (rank - Math.floor(rank)) * (itemAt(sorted, Math.floor(rank)) - below);
  }
}
