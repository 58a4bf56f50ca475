import { present } from '../../primitives/assert.js';
import { type Item, itemKey, type Peer } from '../peers/peer.js';

/**
 * Maximum number of announced items that are not yet requested, over all peers. With N peers, each peer can use at
 * least 1/N of this number.
 */
export const ANNOUNCED_MAX = 10_000;

/** An announced item not yet requested. */
interface WantedItem extends Item {
  readonly key: string;
  /** Time of the announcement, in ms. */
  readonly sinceMs: number;
  /** Peers that announced the item. Many items may share the array, so the array is never modified. */
  announcers: readonly Peer[];
}

/**
 * Announced items not yet requested, indexed by announcing peer. When full, evicts the oldest item of the peer with the
 * most items. Reference: AdvService.invToFetch.
 */
export class AnnouncedItems {
  private readonly items = new Map<string, WantedItem>();
  private readonly byPeer = new Map<Peer, Set<string>>();
  private readonly onEvicted: (key: string) => void;

  /** Creates an empty set. @param onEvicted called for each evicted item */
  constructor(onEvicted: (key: string) => void) {
    this.onEvicted = onEvicted;
  }

  get size(): number {
    return this.items.size;
  }

  /**
   * Adds the items of one message. All evictions during the call use one open iterator per peer, so that N evictions
   * take linear time.
   */
  add(items: Iterable<Item>, announcers: readonly Peer[], sinceMs: number): void {
    const oldest = new Map<Set<string>, Iterator<string>>();
    for (const item of items) {
      const key = itemKey(item);
      this.delete(key);
      this.items.set(key, { ...item, key, sinceMs, announcers });
      for (const peer of announcers) this.noteFor(peer, key);
      if (this.items.size > ANNOUNCED_MAX) this.evictOne(oldest);
    }
  }

  /** Adds a peer to the announcers of an item, if the item is stored here. */
  alsoFrom(key: string, peer: Peer): void {
    const item = this.items.get(key);
    if (item === undefined || item.announcers.includes(peer)) return;
    item.announcers = [...item.announcers, peer];
    this.noteFor(peer, key);
  }

  private noteFor(peer: Peer, key: string): void {
    const keys = this.byPeer.get(peer);
    if (keys === undefined) this.byPeer.set(peer, new Set([key]));
    else keys.add(key);
  }

  /** Iterates over the items of a peer, oldest first. Items may be deleted during the iteration. */
  *of(peer: Peer): Iterable<WantedItem> {
    for (const key of this.byPeer.get(peer) ?? [])
      yield present(this.items.get(key), 'every key of a peer belongs to a wanted item');
  }

  delete(key: string): void {
    const item = this.items.get(key);
    if (item === undefined) return;
    this.items.delete(key);
    for (const peer of item.announcers) {
      const keys = present(this.byPeer.get(peer), 'every announcer has an index entry');
      keys.delete(key);
      if (keys.size === 0) this.byPeer.delete(peer);
    }
  }

  /** Removes a peer. Deletes the items that only this peer announced. */
  dropPeer(peer: Peer): void {
    for (const item of this.of(peer)) {
      item.announcers = item.announcers.filter((other) => other !== peer);
      if (item.announcers.length > 0) continue;
      this.items.delete(item.key);
      this.onEvicted(item.key);
    }
    this.byPeer.delete(peer);
  }

  /** Deletes items announced before a time. */
  expire(beforeMs: number): void {
    for (const [key, { sinceMs }] of this.items) {
      if (sinceMs >= beforeMs) return;
      this.delete(key);
      this.onEvicted(key);
    }
  }

  private evictOne(oldest: Map<Set<string>, Iterator<string>>): void {
    let greediest = new Set<string>();
    for (const keys of this.byPeer.values()) if (keys.size > greediest.size) greediest = keys;
    let keys = oldest.get(greediest);
    if (keys === undefined) {
      keys = greediest.values();
      oldest.set(greediest, keys);
    }
    const { value } = keys.next();
    if (value === undefined) return;
    this.delete(value);
    this.onEvicted(value);
  }
}
