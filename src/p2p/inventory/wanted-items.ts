import { present } from '../../primitives/assert.js';
import { type Item, itemKey, type Peer } from '../peers/peer.js';

/** Items that wait to be asked for, of all peers; each peer has at least its even share of them. */
export const ANNOUNCED_MAX = 10_000;

/** An announced item that nobody was asked for yet. */
interface WantedItem extends Item {
  readonly key: string;
  /** When it was announced, ms. */
  readonly sinceMs: number;
  /** Who announced it: a list of many items, never changed. */
  announcers: readonly Peer[];
}

/**
 * What was announced and waits to be asked for, by who announced it: who has time is looked up without a look at what
 * others wait with. Of too much the oldest of the greediest peer is forgotten. Reference: AdvService.invToFetch.
 */
export class AnnouncedItems {
  private readonly items = new Map<string, WantedItem>();
  private readonly byPeer = new Map<Peer, Set<string>>();
  private readonly forgotten: (key: string) => void;

  /** @param forgotten told of what is dropped because too much waits */
  constructor(forgotten: (key: string) => void) {
    this.forgotten = forgotten;
  }

  get size(): number {
    return this.items.size;
  }

  /** Lets the items of one message wait; the live iterator makes forgetting as many of them linear. */
  add(items: Iterable<Item>, announcers: readonly Peer[], sinceMs: number): void {
    const oldest = new Map<Set<string>, Iterator<string>>();
    for (const item of items) {
      const key = itemKey(item);
      this.delete(key);
      this.items.set(key, { ...item, key, sinceMs, announcers });
      for (const peer of announcers) this.noteFor(peer, key);
      if (this.items.size > ANNOUNCED_MAX) this.forgetOne(oldest);
    }
  }

  /** Another peer announced what may wait. */
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

  /** What a peer announced, oldest first; may be deleted from while it is walked. */
  *of(peer: Peer): Iterable<WantedItem> {
    for (const key of this.byPeer.get(peer) ?? [])
      yield present(this.items.get(key), 'it is noted for nobody when it is not wanted');
  }

  delete(key: string): void {
    const item = this.items.get(key);
    if (item === undefined) return;
    this.items.delete(key);
    for (const peer of item.announcers) {
      const keys = present(this.byPeer.get(peer), 'it is noted for who announced it');
      keys.delete(key);
      if (keys.size === 0) this.byPeer.delete(peer);
    }
  }

  /** Forgets what only this peer announced. */
  dropPeer(peer: Peer): void {
    for (const item of this.of(peer)) {
      item.announcers = item.announcers.filter((other) => other !== peer);
      if (item.announcers.length > 0) continue;
      this.items.delete(item.key);
      this.forgotten(item.key);
    }
    this.byPeer.delete(peer);
  }

  /** Forgets what was announced before a time. */
  expire(beforeMs: number): void {
    for (const [key, { sinceMs }] of this.items) {
      if (sinceMs >= beforeMs) return;
      this.delete(key);
      this.forgotten(key);
    }
  }

  private forgetOne(oldest: Map<Set<string>, Iterator<string>>): void {
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
    this.forgotten(value);
  }
}
