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
 * Items that a peer named, or was told, that are remembered; and for how long.
 * Reference: PeerConnection.invCacheSize.
 */
export const ITEMS_MAX = 20_000;
const ITEMS_LIFE_MS = 3_600_000;
/** Ids of a chain that are sent at once at most, without the first. Reference: NetConstants.SYNC_FETCH_BATCH_NUM. */
export const CHAIN_IDS_MAX = 2000;
/** Blocks of a sync that one connection is given at most once each. Reference: PeerConnection.syncBlockIdCache. */
const SERVED_IDS_MAX = 2 * CHAIN_IDS_MAX;
/** Answer times that the 75th percentile is taken of: as many as a histogram of the reference holds. */
const LATENCIES_MAX = 1028;

/**
 * Questions a second to a peer whose release limits them: a little less than the three that it takes, and one less at
 * the beginning, as they may come closer together than they were sent.
 */
const PATIENT_RATE = 2.8;

/** Reasons after which the address stays banned for an hour. */
const BAD_REASONS: ReadonlySet<Reason> = new Set(['BAD_PROTOCOL', 'BAD_BLOCK', 'BAD_TX']);

/** A block or a transaction: what inventories speak of. */
export interface Item {
  readonly kind: ItemKind;
  readonly id: string;
}

/** A transaction and a block never share an id, but what peers claim may. */
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

/** What this node knows of one connected node. Reference: PeerConnection. */
export class Peer {
  readonly channel: Channel;
  /** In `node.fastForward`: its blocks come unasked, it hears of no transactions. */
  readonly isRelay: boolean;
  /** Head that this node announced in its own HELLO. */
  announcedHead = 0;
  hello: HelloMessage | undefined;
  needsSyncFromPeer = true;
  needsSyncFromUs = true;
  isSyncing = false;
  /** Last id that a chain inventory sent to it. */
  lastSyncId: BlockId | undefined;
  /** Blocks that follow what is known of the peer's chain. */
  remaining = 0;
  /** Ids of its chain that are not applied here, in order. */
  toFetch: BlockId[] = [];
  /** A chain inventory came since the last question. */
  mayFetch = false;
  chainRequest: { readonly ids: ReadonlySet<string>; readonly last: BlockId; readonly atMs: number } | undefined;
  /** Blocks of a sync that were asked for: id to time, by the clock of `IdleClock`. */
  readonly syncRequests = new Map<string, number>();
  /** Blocks of a sync that came and wait to be executed. */
  readonly inProcess = new Set<string>();
  /** Announced items that were asked for: key to time. */
  readonly itemRequests = new Map<string, number>();
  readonly received: IdCache;
  readonly spread: IdCache;
  /** Blocks of a sync that it was sent, and that it was asked for: neither side takes a second question for one. */
  readonly servedIds: BoundedCache<true>;
  readonly askedIds: BoundedCache<true>;
  /** Ids of transactions that it announced, and that it asked for. */
  readonly announcedCount: RateCounter;
  /** Ids of blocks that it announced. */
  readonly announcedBlocks: RateCounter;
  /** What it may send, and what may be asked of it, by message. */
  readonly limits: { readonly summaries: RateBucket; readonly fetches: RateBucket; readonly goodbyes: RateBucket };
  private readonly asking: { readonly ids: RateBucket; readonly blocks: RateBucket };
  readonly fetchedCount: RateCounter;
  /** It sent a transaction that only a bad peer sends. */
  isBad = false;
  /** When it last sent a block that was taken, ms; 0 before the first. */
  blockCameMs = 0;
  /** When blocks, or ids of them, were last exchanged that one side needed, ms. */
  usefulMs: number;
  /** Why this side ended the connection, and why the other did. */
  disconnectReason: Reason | undefined;
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
    this.askedIds = new BoundedCache({ entriesMax: SERVED_IDS_MAX, now });
    this.announcedCount = new RateCounter(now);
    this.announcedBlocks = new RateCounter(now);
    this.limits = {
      summaries: new RateBucket(release.limits.summariesPerSecond, now),
      fetches: new RateBucket(release.limits.fetchesPerSecond, now),
      goodbyes: new RateBucket(release.limits.goodbyesPerSecond, now),
    };
    this.asking = { ids: new RateBucket(PATIENT_RATE, now), blocks: new RateBucket(PATIENT_RATE, now) };
    this.fetchedCount = new RateCounter(now);
  }

  get isClosed(): boolean {
    return this.channel.isClosed;
  }

  /** Whether it can be asked now: since release 4.7.4, from which on HELLO tells it, peers limit how often. */
  mayAsk(what: 'ids' | 'blocks'): boolean {
    const isLimited = this.hello !== undefined && this.hello.codeVersion.length > 0;
    return !isLimited || this.asking[what].tryTake();
  }

  /** Nothing that was asked of it is still to come. */
  get isIdle(): boolean {
    return this.itemRequests.size === 0 && this.isSyncIdle;
  }

  /** The same of what a sync asks for. */
  get isSyncIdle(): boolean {
    return this.syncRequests.size === 0 && this.chainRequest === undefined;
  }

  /** Neither side is behind: announcements are exchanged. */
  get isInSync(): boolean {
    return !this.needsSyncFromPeer && !this.needsSyncFromUs;
  }

  /** Newest block that both sides have, as far as is known. */
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

  /** It is asked from the beginning: that is no progress. */
  resetCommonBlock(genesis: BlockId): void {
    this.common = genesis;
  }

  send(bytes: Uint8Array): void {
    this.channel.send(bytes);
  }

  /** Says why, closes, and bans the address for as long as the reason is worth. */
  disconnect(reason: Reason): void {
    if (this.isClosed) return;
    this.disconnectReason ??= reason;
    this.observer.disconnected(reason);
    this.channel.send(encodeDisconnect(reason));
    this.channel.close(BAD_REASONS.has(reason) ? BAD_PEER_BAN_MS : undefined);
  }

  /** Time that an announced block took to come, ms. */
  noteBlockLatency(ms: number): void {
    this.latencies.push(ms);
    if (this.latencies.length > LATENCIES_MAX) this.latencies.shift();
  }

  /** 75th percentile of the answer times for blocks, ms; 0 before the first. */
  get blockLatency75(): number {
    const sorted = [...this.latencies].sort((a, b) => a - b);
    const place = 0.75 * (sorted.length + 1);
    if (place < 1) return sorted[0] ?? 0;
    if (place >= sorted.length) return sorted.at(-1) ?? 0;
    const below = itemAt(sorted, Math.floor(place) - 1);
    return below + (place - Math.floor(place)) * (itemAt(sorted, Math.floor(place)) - below);
  }
}
