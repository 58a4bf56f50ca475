// biome-ignore-all lint/style/noNonNullAssertion: entries are numbers that the cache has given, places are masked to the size of the table, and an id has as many words as the seed
import { randomFillSync } from 'node:crypto';
import { HASH_BYTES } from '../crypto/hash.js';
import type { CacheBounds } from './bounded-cache.js';

const ID_WORDS = HASH_BYTES / 4;
/** Digits of an id without a letter in front. */
const PLAIN_DIGITS = 2 * HASH_BYTES;
/** Entries that there is room for at first: most peers never fill their caches. */
const FIRST_ENTRIES = 256;
const NONE = -1;

/**
 * Keys of announced items (64 hex digits, those of blocks behind a letter) that are remembered as `BoundedCache` does:
 * the newest of them, for a while. 57 bytes each in a few arrays, where strings and objects in a Map are 210, and each
 * one that is forgotten is garbage: a peer that announces as fast as it can made this node hold a heap of 135 MB. What
 * is no such key is not taken in.
 */
export class IdCache {
  private readonly bounds: CacheBounds;
  /** Nobody outside can choose ids that fall together. */
  private readonly seed = randomFillSync(new Int32Array(ID_WORDS));
  private readonly bytes = Buffer.alloc(HASH_BYTES);
  private readonly asked = new Int32Array(this.bytes.buffer, this.bytes.byteOffset, ID_WORDS);
  private askedKind = 0;
  private ids = new Int32Array(0);
  private kinds = new Uint8Array(0);
  private untilMs = new Float64Array(0);
  /** Neighbours in the order of writing; of free entries the next free one. */
  private older = new Int32Array(0);
  private newer = new Int32Array(0);
  /** Entries by hash, at the next free place where one is taken. */
  private places = new Int32Array(0);
  private oldest = NONE;
  private newest = NONE;
  private free = NONE;
  private count = 0;

  constructor(bounds: CacheBounds) {
    this.bounds = bounds;
    this.grow();
  }

  get size(): number {
    return this.count;
  }

  has(key: string): boolean {
    const entry = this.find(key);
    if (entry === NONE) return false;
    if (this.untilMs[entry]! > this.bounds.now()) return true;
    this.remove(entry);
    return false;
  }

  /** ms since a key was written; undefined: it is not there. Only where keys have a life. */
  ageOf(key: string): number | undefined {
    const entry = this.find(key);
    const { lifeMs = Number.POSITIVE_INFINITY, now } = this.bounds;
    const age = entry === NONE ? undefined : now() + lifeMs - this.untilMs[entry]!;
    return age !== undefined && age < lifeMs ? age : undefined;
  }

  /** @returns whether it is remembered: it is a key. */
  add(key: string): boolean {
    const { entriesMax, lifeMs = Number.POSITIVE_INFINITY, now } = this.bounds;
    if (!this.read(key)) return false;
    const known = this.places[this.placeOfAsked()]!;
    if (known !== NONE) this.remove(known);
    else if (this.count === entriesMax) this.remove(this.oldest);
    if (this.free === NONE) this.grow();
    const entry = this.free;
    this.free = this.newer[entry]!;
    this.places[this.placeOfAsked()] = entry;
    this.ids.set(this.asked, entry * ID_WORDS);
    this.kinds[entry] = this.askedKind;
    this.untilMs[entry] = now() + lifeMs;
    this.append(entry);
    return true;
  }

  delete(key: string): void {
    const entry = this.find(key);
    if (entry !== NONE) this.remove(entry);
  }

  private find(key: string): number {
    return this.read(key) ? this.places[this.placeOfAsked()]! : NONE;
  }

  /** What is asked for from then on. @returns whether it is a key */
  private read(key: string): boolean {
    const letters = key.length - PLAIN_DIGITS;
    if (letters !== 0 && letters !== 1) return false;
    this.askedKind = letters === 0 ? 0 : key.charCodeAt(0);
    return this.bytes.write(letters === 0 ? key : key.slice(1), 'hex') === HASH_BYTES;
  }

  private append(entry: number): void {
    this.older[entry] = this.newest;
    this.newer[entry] = NONE;
    if (this.newest === NONE) this.oldest = entry;
    else this.newer[this.newest] = entry;
    this.newest = entry;
    this.count++;
  }

  private remove(entry: number): void {
    this.empty(this.placeOf(this.ids, entry * ID_WORDS, this.kinds[entry]!));
    const [older, newer] = [this.older[entry]!, this.newer[entry]!];
    if (older === NONE) this.oldest = newer;
    else this.newer[older] = newer;
    if (newer === NONE) this.newest = older;
    else this.older[newer] = older;
    this.newer[entry] = this.free;
    this.free = entry;
    this.count--;
  }

  private placeOfAsked(): number {
    return this.placeOf(this.asked, 0, this.askedKind);
  }

  /** Where an id is, or would be. */
  private placeOf(words: Int32Array, at: number, kind: number): number {
    const mask = this.places.length - 1;
    for (let place = this.hash(words, at, kind) & mask; ; place = (place + 1) & mask) {
      const entry = this.places[place]!;
      if (entry === NONE || (this.kinds[entry] === kind && isSame(this.ids, entry * ID_WORDS, words, at))) return place;
    }
  }

  private hash(words: Int32Array, at: number, kind: number): number {
    let hash = kind;
    for (let i = 0; i < ID_WORDS; i++) {
      hash = Math.imul(hash ^ words[at + i]! ^ this.seed[i]!, 0x2c1b3c6d);
      hash ^= hash >>> 15;
    }
    return hash;
  }

  /** Empties a place; those behind it that had to make way for it come back. */
  private empty(from: number): void {
    const mask = this.places.length - 1;
    let hole = from;
    for (let place = (hole + 1) & mask; this.places[place] !== NONE; place = (place + 1) & mask) {
      const entry = this.places[place]!;
      const home = this.hash(this.ids, entry * ID_WORDS, this.kinds[entry]!) & mask;
      if (((place - home) & mask) < ((place - hole) & mask)) continue;
      this.places[hole] = entry;
      hole = place;
    }
    this.places[hole] = NONE;
  }

  /** Twice the room, up to what the bounds allow. */
  private grow(): void {
    const { entriesMax } = this.bounds;
    const before = this.kinds.length;
    const room = Math.min(entriesMax, Math.max(FIRST_ENTRIES, 2 * before));
    const wider = <T extends Int32Array | Uint8Array | Float64Array>(into: T, from: T): T => {
      into.set(from);
      return into;
    };
    this.ids = wider(new Int32Array(room * ID_WORDS), this.ids);
    this.kinds = wider(new Uint8Array(room), this.kinds);
    this.untilMs = wider(new Float64Array(room), this.untilMs);
    this.older = wider(new Int32Array(room), this.older);
    this.newer = wider(new Int32Array(room), this.newer);
    for (let entry = before; entry < room; entry++) this.newer[entry] = entry + 1 < room ? entry + 1 : NONE;
    this.free = before;
    this.places = new Int32Array(2 ** Math.ceil(Math.log2(2 * room))).fill(NONE);
    for (let entry = this.oldest; entry !== NONE; entry = this.newer[entry]!)
      this.places[this.placeOf(this.ids, entry * ID_WORDS, this.kinds[entry]!)] = entry;
  }
}

function isSame(a: Int32Array, from: number, b: Int32Array, at: number): boolean {
  for (let i = 0; i < ID_WORDS; i++) if (a[from + i] !== b[at + i]) return false;
  return true;
}
