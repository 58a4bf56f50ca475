import { BoundedCache } from '../bounded-cache.js';
import { type Item, itemKey, type Peer } from '../peers/peer.js';
import type { PeerSet } from '../peers/peer-set.js';
import { RateCounter } from '../peers/rate-counter.js';
import { blockIdOfHex } from '../wire/block-id.js';
import { encodeItems, type ItemKind } from '../wire/messages.js';

/** Items that were seen announced. Reference: AdvService.MAX_INV_TO_FETCH_CACHE_SIZE. */
const SEEN_MAX = 100_000;
/** Transactions and blocks that are served from memory, and how long. Reference: AdvService.MAX_TRX_CACHE_SIZE, MAX_BLOCK_CACHE_SIZE. */
const TRANSACTIONS_MAX = 50_000;
const TRANSACTIONS_LIFE_MS = 3_600_000;
const BLOCKS_MAX = 10;
const BLOCKS_LIFE_MS = 60_000;
/** Items that wait to be announced: further ones are dropped. Reference: AdvService.MAX_SPREAD_SIZE. */
const SPREAD_MAX = 1000;
/**
 * Items that wait to be asked for; of more the oldest are forgotten, as if nobody had announced them. A round looks at all of them, and
 * ten full requests are more than peers answer until the next one.
 */
const WANTED_MAX = 10_000;
/** Ids that one message asks a peer for. Reference: NetConstants.MAX_TRX_FETCH_PER_PEER. */
const FETCH_MAX = 1000;
/** ms between two rounds of asking, and of announcing. Reference: AdvService.init. */
const ROUND_MS = 30;
/** The same while nobody is connected. */
const LONELY_ROUND_MS = 1000;
/** ms that a block is new enough to be announced, and that an item nobody could be asked for is remembered. */
const BLOCK_FRESH_MS = 3000;
const WANTED_LIFE_MS = 5 * BLOCK_FRESH_MS;

export interface AdvertiserOptions {
  readonly peers: PeerSet;
  /** `node.blockCacheTimeout`, ms. */
  readonly seenLifeMs: number;
  /** Fetches no transactions and announces nothing but what is submitted here. `--fast-forward` */
  readonly isRelay: boolean;
  /** Blocks were asked of a peer. */
  readonly fetching: (ids: readonly string[], peer: Peer) => void;
  readonly now: () => number;
}

/** An item, and when somebody spoke of it. */
type Wanted = Item & { readonly sinceMs: number };

/** Announces blocks and transactions, and asks for those that others announce. Reference: AdvService. */
export class Advertiser {
  /** Transactions that were announced. */
  readonly announcedCount: RateCounter;
  private readonly options: AdvertiserOptions;
  private readonly seen: BoundedCache<true>;
  private readonly transactions: BoundedCache<Uint8Array>;
  private readonly blocks: BoundedCache<Uint8Array>;
  private readonly wanted = new Map<string, Wanted>();
  private readonly toSpread = new Map<string, Wanted>();
  private fetchTimer: NodeJS.Timeout | undefined;
  private spreadTimer: NodeJS.Timeout | undefined;
  private isClosed = false;

  constructor(options: AdvertiserOptions) {
    const { now, seenLifeMs } = options;
    this.options = options;
    this.announcedCount = new RateCounter(now);
    this.seen = new BoundedCache({ entriesMax: SEEN_MAX, lifeMs: seenLifeMs, now });
    this.transactions = new BoundedCache({ entriesMax: TRANSACTIONS_MAX, lifeMs: TRANSACTIONS_LIFE_MS, now });
    this.blocks = new BoundedCache({ entriesMax: BLOCKS_MAX, lifeMs: BLOCKS_LIFE_MS, now });
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.fetchTimer);
    clearTimeout(this.spreadTimer);
  }

  /** Bytes of an item that was announced from here or passed through. */
  content({ kind, id }: Item): Uint8Array | undefined {
    return (kind === 'block' ? this.blocks : this.transactions).get(id);
  }

  /** A peer announced items in one message. Blocks are asked for at once, in one look at those that are new. */
  want(kind: ItemKind, ids: Iterable<string>): void {
    if (this.options.isRelay && kind === 'transaction') return;
    const sinceMs = this.options.now();
    const added = new Map<string, Wanted>();
    for (const id of ids) {
      const item = { kind, id };
      const key = itemKey(item);
      if (this.content(item) !== undefined || this.seen.has(key)) continue;
      this.seen.set(key, true);
      const wanted = { ...item, sinceMs };
      this.wanted.set(key, wanted);
      added.set(key, wanted);
      if (this.wanted.size > WANTED_MAX) this.forgetOldest(added);
    }
    if (added.size === 0) return;
    if (kind === 'block') this.fetch(added);
    else this.fetchSoon();
  }

  /** Announces a block to all who may hear of it, at once. @param transactions id and bytes of what it holds */
  announceBlock(id: string, bytes: Uint8Array, transactions: Iterable<readonly [id: string, bytes: Uint8Array]>): void {
    if (this.options.isRelay || this.toSpread.size > SPREAD_MAX) return;
    for (const [transactionId, content] of transactions) {
      this.toSpread.delete(transactionId);
      this.transactions.set(transactionId, content);
    }
    this.blocks.set(id, bytes);
    this.spread({ kind: 'block', id });
    this.spreadNow();
  }

  /** Announces a transaction in the next round. */
  announceTransaction(id: string, bytes: Uint8Array): void {
    if (this.options.isRelay || this.toSpread.size > SPREAD_MAX) return;
    this.announcedCount.add(1);
    this.transactions.set(id, bytes);
    this.spread({ kind: 'transaction', id });
    this.spreadSoon(ROUND_MS);
  }

  /** Announces a transaction that was submitted here, at once. @returns number of peers that were told */
  submitTransaction(id: string, bytes: Uint8Array): number {
    const peers = this.options.peers.inSync();
    if (peers.length === 0) return 0;
    this.announcedCount.add(1);
    this.transactions.set(id, bytes);
    const message = encodeItems('INVENTORY', { kind: 'transaction', ids: [id] });
    let told = 0;
    for (const peer of peers) {
      if (peer.received.has(id) || peer.spread.has(id)) continue;
      peer.spread.set(id, true);
      peer.send(message);
      told++;
    }
    return told;
  }

  /** What it was asked for is asked of another who announced it too. */
  peerGone(peer: Peer): void {
    const { peers, now } = this.options;
    for (const key of peer.itemRequests.keys()) {
      if (peers.active().some((other) => other !== peer && other.received.has(key)))
        this.wanted.set(key, { ...itemOf(key), sinceMs: now() });
      else this.seen.delete(key);
    }
    peer.itemRequests.clear();
    if (this.wanted.size > 0) this.fetch();
  }

  private forgetOldest(added: Map<string, Wanted>): void {
    for (const key of this.wanted.keys()) {
      this.wanted.delete(key);
      this.seen.delete(key);
      added.delete(key);
      return;
    }
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

  /** Each item is asked of the peer that has the least to do among those who announced it. */
  private fetch(items: ReadonlyMap<string, Wanted> = this.wanted): void {
    const { peers, now, fetching } = this.options;
    const idle = peers.active().filter(({ isIdle }) => isIdle);
    const sends = new Map<Peer, Record<ItemKind, string[]>>(idle.map((peer) => [peer, { block: [], transaction: [] }]));
    const load = (peer: Peer): number => {
      const { block, transaction } = sends.get(peer)!;
      return block.length + transaction.length;
    };
    const nowMs = now();
    for (const [key, { kind, id, sinceMs }] of items) {
      if (idle.length === 0) break;
      if (sinceMs < nowMs - WANTED_LIFE_MS) {
        this.wanted.delete(key);
        this.seen.delete(key);
        continue;
      }
      let chosen: Peer | undefined;
      for (const peer of idle) {
        if (!peer.received.has(key) || load(peer) >= FETCH_MAX) continue;
        if (chosen === undefined || load(peer) < load(chosen)) chosen = peer;
      }
      if (chosen === undefined) continue;
      this.wanted.delete(key);
      if (chosen.itemRequests.has(key)) continue;
      chosen.itemRequests.set(key, nowMs);
      sends.get(chosen)![kind].push(id);
    }
    for (const [peer, ids] of sends) {
      for (const kind of ['block', 'transaction'] as const) {
        if (ids[kind].length === 0) continue;
        if (kind === 'block') sortBlocks(ids.block);
        peer.send(encodeItems('FETCH_INV_DATA', { kind, ids: ids[kind] }));
        if (kind === 'block') fetching(ids.block, peer);
      }
    }
    if (this.wanted.size > 0) this.fetchSoon();
  }

  private spreadNow(): void {
    clearTimeout(this.spreadTimer);
    this.spreadTimer = undefined;
    const { peers, now } = this.options;
    const inSync = peers.inSync();
    // As long as nobody may hear of them, items wait; a block is then soon too old, a transaction is told.
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
        peer.spread.set(key, true);
        ids[kind].push(id);
      }
      if (ids.block.length > 0) {
        sortBlocks(ids.block);
        peer.send(encodeItems('INVENTORY', { kind: 'block', ids: ids.block }));
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

function sortBlocks(ids: string[]): void {
  ids.sort((a, b) => blockIdOfHex(a).number - blockIdOfHex(b).number);
}
