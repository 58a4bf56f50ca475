import { present } from '../../primitives/assert.js';
import { BoundedCache } from '../bounded-cache.js';
import { IdCache } from '../id-cache.js';
import { inPortions, type Steps } from '../peer-slices.js';
import { type Item, itemKey, type Peer } from '../peers/peer.js';
import type { PeerSet } from '../peers/peer-set.js';
import { RateCounter } from '../peers/rate-counter.js';
import { blockIdOfHex } from '../wire/block-id.js';
import { encodeItems, type ItemKind } from '../wire/messages.js';
import { ANNOUNCED_MAX, AnnouncedItems } from './announced-items.js';

/**
 * Maximum number of announced items that are cached, so that they are not requested twice.
 * Reference: AdvService.MAX_INV_TO_FETCH_CACHE_SIZE.
 */
const SEEN_MAX = 100_000;
/** Maximum number of transactions served from memory. Reference: AdvService.MAX_TRX_CACHE_SIZE. */
const TRANSACTIONS_MAX = 50_000;
/** Time for which a transaction is served from memory, in ms. */
const TRANSACTIONS_LIFE_MS = 3_600_000;
/** Maximum size of the transactions served from memory, in bytes. java-tron has no such limit. */
const TRANSACTION_BYTES_MAX = 64 * 1024 * 1024;
/** Maximum number of blocks served from memory. Reference: AdvService.MAX_BLOCK_CACHE_SIZE. */
const BLOCKS_MAX = 10;
/** Time for which a block is served from memory, in ms. */
const BLOCKS_LIFE_MS = 60_000;
/** Maximum number of queued announcements. Further items are dropped. Reference: AdvService.MAX_SPREAD_SIZE. */
const SPREAD_MAX = 1000;
/** Maximum number of ids requested in one message. Reference: NetConstants.MAX_TRX_FETCH_PER_PEER. */
const FETCH_MAX = 1000;
/** Interval between two fetch rounds, and between two announcement rounds, in ms. Reference: AdvService.init. */
const ROUND_MS = 30;
/** Interval between two announcement rounds while no peer is connected, in ms. */
const LONELY_ROUND_MS = 1000;
/** Maximum age in ms of a queued block. An older block is not announced. */
const BLOCK_FRESH_MS = 3000;
/** Time in ms after which a peer's announcement is deleted if this node could not request the item. */
const WANTED_LIFE_MS = 5 * BLOCK_FRESH_MS;

interface AdvertiserOptions {
  readonly peers: PeerSet;
  /** Time in ms for which announced items are cached. Configured by `node.blockCacheTimeout`. */
  readonly seenLifeMs: number;
  /**
   * True if this node requests no transactions, and announces only transactions submitted to it. Set by the flag
   * `--fast-forward`.
   */
  readonly isRelay: boolean;
  /**
   * Time in ms after an announcement during which the item may be requested from the announcing peer. If undefined, the
   * item may be requested until the announcement expires.
   */
  readonly announcementMs?: number | undefined;
  /** Called after blocks were requested from a peer. */
  readonly fetching: (ids: readonly string[], peer: Peer) => void;
  readonly now: () => number;
}

/** A queued announcement: the item, and the time at which it was queued. */
type Spread = Item & { readonly sinceMs: number };

/** Announces blocks and transactions, and requests items that peers announce. Reference: AdvService. */
export class Advertiser {
  /** Counts the transactions that this node announced, for their rate. */
  readonly announcedCount: RateCounter;
  private readonly options: AdvertiserOptions;
  private readonly seen: IdCache;
  private readonly transactions: BoundedCache<Uint8Array>;
  private readonly blocks: BoundedCache<Uint8Array>;
  private readonly announcedItems = new AnnouncedItems((key) => this.seen.delete(key));
  private readonly toSpread = new Map<string, Spread>();
  private fetchTimer: NodeJS.Timeout | undefined;
  private spreadTimer: NodeJS.Timeout | undefined;
  private isClosed = false;

  constructor(options: AdvertiserOptions) {
    const { now, seenLifeMs } = options;
    this.options = options;
    this.announcedCount = new RateCounter(now);
    this.seen = new IdCache({ entriesMax: SEEN_MAX, lifeMs: seenLifeMs, now });
    this.transactions = new BoundedCache({
      entriesMax: TRANSACTIONS_MAX,
      lifeMs: TRANSACTIONS_LIFE_MS,
      bytesMax: TRANSACTION_BYTES_MAX,
      sizeOf: ({ length }) => length,
      now,
    });
    this.blocks = new BoundedCache({ entriesMax: BLOCKS_MAX, lifeMs: BLOCKS_LIFE_MS, now });
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.fetchTimer);
    clearTimeout(this.spreadTimer);
  }

  /**
   * Returns the bytes of a block that this node announced recently, or of a transaction that it announced or executed
   * in a block recently. Undefined for other items.
   */
  content({ kind, id }: Item): Uint8Array | undefined {
    return (kind === 'block' ? this.blocks : this.transactions).get(id);
  }

  /**
   * Handles an announcement of a peer. Blocks are requested immediately. Transactions are requested in the next fetch
   * round.
   */
  *announced(peer: Peer, kind: ItemKind, ids: readonly string[]): Steps {
    if (this.options.isRelay && kind === 'transaction') return;
    // Stores only the last ids of the message, because earlier ids would be evicted immediately.
    const newest = ids.slice(-ANNOUNCED_MAX);
    if (kind === 'block') {
      yield* inPortions(newest, (portion) => {
        for (const id of portion) if (this.note(peer, kind, [id]) > 0) this.fetch();
      });
      return;
    }
    let added = 0;
    yield* inPortions(newest, (portion) => {
      added += this.note(peer, kind, portion);
    });
    if (added > 0) this.fetchSoon();
  }

  /**
   * Stores announced items, so that the next fetch requests them. If an item was announced before, only adds the peer
   * to its announcers. Skips items that this node has.
   * @returns number of new items
   */
  private note(peer: Peer, kind: ItemKind, ids: readonly string[]): number {
    const added: Item[] = [];
    for (const id of ids) {
      const item = { kind, id };
      const key = itemKey(item);
      if (this.content(item) !== undefined) continue;
      if (this.seen.has(key)) {
        this.announcedItems.alsoFrom(key, peer);
        continue;
      }
      this.seen.add(key);
      added.push(item);
    }
    this.announcedItems.add(added, [peer], this.options.now());
    return added.length;
  }

  /**
   * Handles an announcement of an unknown item kind. Sends no request, because java-tron cannot encode one. As in
   * java-tron, the item counts as requested, so the peer is disconnected after the timeout. Reference:
   * AdvService.InvSender.sendFetch.
   */
  wantUnknown(peer: Peer, [id]: readonly string[]): void {
    if (id !== undefined && peer.isIdle) peer.itemRequests.set(`?${id}`, this.options.now());
  }

  /**
   * Announces a block immediately to all peers in sync. Does nothing on a relay node, or if the queue of announcements
   * is full.
   */
  announceBlock(id: string, bytes: Uint8Array): void {
    if (this.options.isRelay || this.toSpread.size > SPREAD_MAX) return;
    this.blocks.set(id, bytes);
    this.spread({ kind: 'block', id });
    this.spreadNow();
  }

  /** Stores the transactions of an executed block, because peers may request them. Does nothing on a relay node. */
  executedBlock(transactions: Iterable<readonly [id: string, bytes: Uint8Array]>): void {
    if (this.options.isRelay) return;
    for (const [id, bytes] of transactions) this.transactions.set(id, bytes);
  }

  /**
   * Announces a transaction in the next announcement round. Does nothing on a relay node, or if the queue of
   * announcements is full.
   */
  announceTransaction(id: string, bytes: Uint8Array): void {
    if (this.options.isRelay || this.toSpread.size > SPREAD_MAX) return;
    this.announcedCount.add(1);
    this.transactions.set(id, bytes);
    this.spread({ kind: 'transaction', id });
    this.spreadSoon(ROUND_MS);
  }

  /** Announces a submitted transaction immediately. @returns number of peers notified */
  submitTransaction(id: string, bytes: Uint8Array): number {
    const peers = this.options.peers.inSync();
    if (peers.length === 0) return 0;
    this.announcedCount.add(1);
    this.transactions.set(id, bytes);
    const message = encodeItems('INVENTORY', { kind: 'transaction', ids: [id] });
    let notified = 0;
    for (const peer of peers) {
      if (peer.received.has(id) || peer.spread.has(id)) continue;
      peer.spread.add(id);
      peer.send(message);
      notified++;
    }
    return notified;
  }

  /** Sends queued announcements soon, because a peer has connected. */
  peerConnected(): void {
    if (this.spreadTimer === undefined) return;
    clearTimeout(this.spreadTimer);
    this.spreadTimer = undefined;
    this.spreadSoon(ROUND_MS);
  }

  /**
   * Handles the disconnect of a peer. The items that this peer has not delivered are requested from other peers that
   * announced them.
   */
  peerDisconnected(peer: Peer): void {
    const { peers, now } = this.options;
    const others = peers.active().filter((other) => other !== peer);
    this.announcedItems.dropPeer(peer);
    for (const key of peer.itemRequests.keys()) {
      const announcers = others.filter((other) => this.isAnnouncer(other, key));
      if (announcers.length > 0) this.announcedItems.add([itemOf(key)], announcers, now());
      else this.seen.delete(key);
    }
    peer.itemRequests.clear();
    if (this.announcedItems.size > 0) this.fetch();
  }

  private isAnnouncer({ received }: Peer, key: string): boolean {
    const { announcementMs } = this.options;
    if (announcementMs === undefined) return received.has(key);
    const age = received.ageOf(key);
    return age !== undefined && age < announcementMs;
  }

  private spread(item: Item): void {
    this.toSpread.set(itemKey(item), { ...item, sinceMs: this.options.now() });
  }

  private spreadSoon(ms: number): void {
    if (this.spreadTimer !== undefined || this.isClosed) return;
    this.spreadTimer = setTimeout(() => this.spreadNow(), ms);
  }

  private fetchSoon(): void {
    if (this.fetchTimer !== undefined || this.isClosed) return;
    this.fetchTimer = setTimeout(() => {
      this.fetchTimer = undefined;
      this.fetch();
    }, ROUND_MS);
  }

  /**
   * Requests each wanted item from the announcing peer with the fewest requested ids. Visits only items of idle peers.
   * Each visited item leads to a request, so the work is proportional to the number of requests.
   */
  private fetch(): void {
    const nowMs = this.options.now();
    this.announcedItems.expire(nowMs - WANTED_LIFE_MS);
    const sends = new Map<Peer, Record<ItemKind, string[]>>();
    for (const peer of this.options.peers.active()) if (peer.isIdle) sends.set(peer, { block: [], transaction: [] });
    const loadOf = (peer: Peer): number => {
      const lists = sends.get(peer);
      return lists === undefined ? FETCH_MAX : lists.block.length + lists.transaction.length;
    };
    for (const peer of sends.keys()) {
      for (const { key, kind, id, announcers } of this.announcedItems.of(peer)) {
        if (loadOf(peer) >= FETCH_MAX) break;
        let chosen = peer;
        for (const other of announcers) if (loadOf(other) < loadOf(chosen)) chosen = other;
        this.announcedItems.delete(key);
        chosen.itemRequests.set(key, nowMs);
        present(sends.get(chosen), 'only idle peers have a load below the maximum')[kind].push(id);
      }
    }
    for (const [peer, ids] of sends) this.request(peer, ids);
    if (this.announcedItems.size > 0) this.fetchSoon();
  }

  private request(peer: Peer, ids: Record<ItemKind, string[]>): void {
    for (const kind of ['block', 'transaction'] as const) {
      if (ids[kind].length === 0) continue;
      const requested = kind === 'block' ? sortedBlocks(ids.block) : ids.transaction;
      peer.send(encodeItems('FETCH_INV_DATA', { kind, ids: requested }));
      if (kind === 'block') this.options.fetching(requested, peer);
    }
  }

  private spreadNow(): void {
    clearTimeout(this.spreadTimer);
    this.spreadTimer = undefined;
    const { peers, now } = this.options;
    const inSync = peers.inSync();
    // Without a peer in sync, all items remain queued. Later, only blocks younger than BLOCK_FRESH_MS are announced,
    // but transactions of any age.
    if (inSync.length === 0) {
      if (this.toSpread.size > 0) this.spreadSoon(peers.active().length > 0 ? ROUND_MS : LONELY_ROUND_MS);
      return;
    }
    const nowMs = now();
    for (const peer of inSync) {
      const ids: Record<ItemKind, string[]> = { block: [], transaction: [] };
      for (const [key, { kind, id, sinceMs }] of this.toSpread) {
        if (peer.received.has(key) || peer.spread.has(key)) continue;
        if (kind === 'block' && nowMs - sinceMs > BLOCK_FRESH_MS) continue;
        peer.spread.add(key);
        ids[kind].push(id);
      }
      if (ids.block.length > 0) {
        peer.send(encodeItems('INVENTORY', { kind: 'block', ids: sortedBlocks(ids.block) }));
      }
      if (ids.transaction.length > 0 && !peer.isRelay)
        peer.send(encodeItems('INVENTORY', { kind: 'transaction', ids: ids.transaction }));
    }
    this.toSpread.clear();
  }
}

function itemOf(key: string): Item {
  return key.startsWith('b') && key.length === 65
    ? { kind: 'block', id: key.slice(1) }
    : { kind: 'transaction', id: key };
}

function sortedBlocks(ids: readonly string[]): readonly string[] {
  const sorted = ids.map(blockIdOfHex).sort((a, b) => a.number - b.number);
  return sorted.map(({ hex }) => hex);
}
