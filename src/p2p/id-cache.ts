// biome-ignore-all lint/style/noNonNullAssertion: entries are numbers that the cache has assigned, buckets are masked to the size of the table, and an id has as many words as the seed
import { randomFillSync } from 'node:crypto';
import { HASH_BYTES } from '../crypto/hash.js';
import type { CacheBounds } from './bounded-cache.js';

const ID_WORDS = HASH_BYTES / 4;
/** Number of hex digits of an id, without the prefix letter of a block key. */
const PLAIN_DIGITS = 2 * HASH_BYTES;
/** Initial capacity in entries. The capacity is small, because most peers never fill their caches. */
const FIRST_ENTRIES = 256;
const NONE = -1;

/**
 * A bounded cache of item keys. A key has 64 hex digits, and a prefix letter for blocks. Invalid keys are not stored.
 * Like `BoundedCache`, it evicts by age and by number of entries.
 *
 * An entry takes 57 bytes in typed arrays. Strings and objects in a Map would take 210 bytes and become garbage: a peer
 * that announced at full speed made the heap grow to 135 MB.
 */
export class IdCache {
  private readonly bounds: CacheBounds;
  /** Random hash seed, so that a peer cannot construct ids that collide. */
  private readonly seed = randomFillSync(new Int32Array(ID_WORDS));
  private readonly bytes = Buffer.alloc(HASH_BYTES);
  private readonly keyWords = new Int32Array(this.bytes.buffer, this.bytes.byteOffset, ID_WORDS);
  private keyKind = 0;
  private ids = new Int32Array(0);
  private kinds = new Uint8Array(0);
  private untilMs = new Float64Array(0);
  /** For each entry: index of the entry that was written before it. */
  private older = new Int32Array(0);
  /** For each entry: index of the entry that was written after it. Also links the free entries. */
  private newer = new Int32Array(0);
  /** Hash table of entries with linear probing. */
  private buckets = new Int32Array(0);
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

  /**
   * Returns the time in ms since a key was written, or undefined if the key is absent. Only for a cache with a time to
   * live.
   */
  ageOf(key: string): number | undefined {
    const entry = this.find(key);
    const { lifeMs = Number.POSITIVE_INFINITY, now } = this.bounds;
    const age = entry === NONE ? undefined : now() + lifeMs - this.untilMs[entry]!;
    return age !== undefined && age < lifeMs ? age : undefined;
  }

  /** Adds a key. @returns true if it is stored, false for an invalid key */
  add(key: string): boolean {
    const { entriesMax, lifeMs = Number.POSITIVE_INFINITY, now } = this.bounds;
    if (!this.read(key)) return false;
    const known = this.buckets[this.wantedIndex()]!;
    if (known !== NONE) this.remove(known);
    else if (this.count === entriesMax) this.remove(this.oldest);
    if (this.free === NONE) this.grow();
    const entry = this.free;
    this.free = this.newer[entry]!;
    this.buckets[this.wantedIndex()] = entry;
    this.ids.set(this.keyWords, entry * ID_WORDS);
    this.kinds[entry] = this.keyKind;
    this.untilMs[entry] = now() + lifeMs;
    this.append(entry);
    return true;
  }

  delete(key: string): void {
    const entry = this.find(key);
    if (entry !== NONE) this.remove(entry);
  }

  private find(key: string): number {
    return this.read(key) ? this.buckets[this.wantedIndex()]! : NONE;
  }

  /** Parses a key into a buffer for the search. @returns true for a valid key */
  private read(key: string): boolean {
    const letters = key.length - PLAIN_DIGITS;
    if (letters !== 0 && letters !== 1) return false;
    this.keyKind = letters === 0 ? 0 : key.charCodeAt(0);
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
    this.empty(this.bucketOf(this.ids, entry * ID_WORDS, this.kinds[entry]!));
    const [older, newer] = [this.older[entry]!, this.newer[entry]!];
    if (older === NONE) this.oldest = newer;
    else this.newer[older] = newer;
    if (newer === NONE) this.newest = older;
    else this.older[newer] = older;
    this.newer[entry] = this.free;
    this.free = entry;
    this.count--;
  }

  private wantedIndex(): number {
    return this.bucketOf(this.keyWords, 0, this.keyKind);
  }

  /** Returns the hash table slot of an id. For an id that is not stored, returns its empty slot. */
  private bucketOf(words: Int32Array, at: number, kind: number): number {
    const mask = this.buckets.length - 1;
    for (let bucket = this.hash(words, at, kind) & mask; ; bucket = (bucket + 1) & mask) {
      const entry = this.buckets[bucket]!;
      if (entry === NONE || (this.kinds[entry] === kind && isSame(this.ids, entry * ID_WORDS, words, at)))
        return bucket;
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

  /** Empties a slot of the hash table. Then moves back the following entries that linear probing has displaced. */
  private empty(from: number): void {
    const mask = this.buckets.length - 1;
    let hole = from;
    for (let bucket = (hole + 1) & mask; this.buckets[bucket] !== NONE; bucket = (bucket + 1) & mask) {
      const entry = this.buckets[bucket]!;
      const home = this.hash(this.ids, entry * ID_WORDS, this.kinds[entry]!) & mask;
      if (((bucket - home) & mask) < ((bucket - hole) & mask)) continue;
      this.buckets[hole] = entry;
      hole = bucket;
    }
    this.buckets[hole] = NONE;
  }

  /** Doubles the capacity, up to the maximum number of entries. */
  private grow(): void {
    const { entriesMax } = this.bounds;
    const before = this.kinds.length;
    const capacity = Math.min(entriesMax, Math.max(FIRST_ENTRIES, 2 * before));
    const wider = <T extends Int32Array | Uint8Array | Float64Array>(into: T, from: T): T => {
      into.set(from);
      return into;
    };
    this.ids = wider(new Int32Array(capacity * ID_WORDS), this.ids);
    this.kinds = wider(new Uint8Array(capacity), this.kinds);
    this.untilMs = wider(new Float64Array(capacity), this.untilMs);
    this.older = wider(new Int32Array(capacity), this.older);
    this.newer = wider(new Int32Array(capacity), this.newer);
    for (let entry = before; entry < capacity; entry++) this.newer[entry] = entry + 1 < capacity ? entry + 1 : NONE;
    this.free = before;
    this.buckets = new Int32Array(2 ** Math.ceil(Math.log2(2 * capacity))).fill(NONE);
    for (let entry = this.oldest; entry !== NONE; entry = this.newer[entry]!)
      this.buckets[this.bucketOf(this.ids, entry * ID_WORDS, this.kinds[entry]!)] = entry;
  }
}

function isSame(a: Int32Array, from: number, b: Int32Array, at: number): boolean {
  for (let i = 0; i < ID_WORDS; i++) if (a[from + i] !== b[at + i]) return false;
  return true;
}
