import { present } from '../primitives/assert.js';

/** Returns the Java `hashCode` of a key. The hash codes determine the iteration order of a Java map. */
type JavaHash<K> = (key: K) => number;

/**
 * A map with the iteration order of `java.util.HashMap`: by bucket, then by insertion. Some results of java-tron depend
 * on this order. In Java, a bucket with eight keys becomes a tree. This class does not reproduce the order of trees,
 * because eight addresses are never in one bucket by chance.
 */
export class JavaHashMap<K, V> {
  private readonly values = new Map<K, V>();
  private readonly hash: JavaHash<K>;
  private buckets: number;

  /**
   * Creates an empty map.
   * @param hash returns the `hashCode` of a key. Keys must be strings or numbers, which `Map` compares by value
   */
  constructor(hash: JavaHash<K>, buckets = 16) {
    this.hash = hash;
    this.buckets = buckets;
  }

  get size(): number {
    return this.values.size;
  }

  get(key: K): V | undefined {
    return this.values.get(key);
  }

  has(key: K): boolean {
    return this.values.has(key);
  }

  /**
   * Sets a value. Doubles the number of buckets when the number of keys exceeds three quarters of the number of
   * buckets. The number of buckets never decreases.
   */
  set(key: K, value: V): void {
    this.values.set(key, value);
    while (this.values.size > this.buckets * 0.75) this.buckets *= 2;
  }

  delete(key: K): void {
    this.values.delete(key);
  }

  clear(): void {
    this.values.clear();
  }

  /** Returns keys and values in Java's order. */
  entries(): (readonly [K, V])[] {
    const mask = this.buckets - 1;
    return [...this.values]
      .map(([key, value]) => ({ bucket: spread(this.hash(key)) & mask, entry: [key, value] as const }))
      .sort((a, b) => a.bucket - b.bucket)
      .map(({ entry }) => entry);
  }
}

/**
 * Returns the keys in the iteration order of a `java.util.concurrent.ConcurrentHashMap` to which they are added one by
 * one. When the number of keys reaches three quarters of the number of buckets, the number of buckets doubles. Doubling
 * reverses the order in parts of the buckets.
 */
export function concurrentOrder<K>(keys: Iterable<K>, hashOf: JavaHash<K>): K[] {
  let buckets: Hashed<K>[][] = emptyBuckets(16);
  let count = 0;
  for (const key of new Set(keys)) {
    const hash = spread(hashOf(key));
    bucketAt(buckets, hash & (buckets.length - 1)).push({ key, hash });
    if (++count >= buckets.length * 0.75) buckets = doubled(buckets);
  }
  return buckets.flat().map(({ key }) => key);
}

interface Hashed<K> {
  readonly key: K;
  readonly hash: number;
}

function emptyBuckets<K>(count: number): Hashed<K>[][] {
  return Array.from({ length: count }, () => []);
}

function bucketAt<K>(buckets: Hashed<K>[][], at: number): Hashed<K>[] {
  return present(buckets[at], 'the index is masked to the number of buckets');
}

/**
 * Doubles the number of buckets. At the end of an old bucket, the last entries with the same new bucket keep their
 * order. Each earlier entry is inserted at the front of its new bucket, so the order of these entries is reversed.
 * Reference: transfer
 */
function doubled<K>(buckets: Hashed<K>[][]): Hashed<K>[][] {
  const { length } = buckets;
  const next = emptyBuckets<K>(length * 2);
  for (const bucket of buckets) {
    const halfOf = ({ hash }: Hashed<K>): number => hash & length;
    const last = bucket.at(-1);
    if (last === undefined) continue;
    const runFrom = bucket.findLastIndex((entry) => halfOf(entry) !== halfOf(last)) + 1;
    const indexOf = ({ hash }: Hashed<K>): number => hash & (length * 2 - 1);
    for (const entry of bucket.slice(runFrom)) bucketAt(next, indexOf(entry)).push(entry);
    for (const entry of bucket.slice(0, runFrom)) bucketAt(next, indexOf(entry)).unshift(entry);
  }
  return next;
}

/**
 * Returns Java's hash of a byte array. A byte in Java has a value from −128 to 127. Reference: Arrays.hashCode(byte[]).
 */
export function javaHashOfBytes(bytes: Uint8Array): number {
  let hash = 1;
  for (const byte of bytes) hash = (Math.imul(hash, 31) + ((byte << 24) >> 24)) | 0;
  return hash;
}

/** Returns the same hash as `javaHashOfBytes`, for bytes in hex. */
export function javaHashOfHex(hex: string): number {
  return javaHashOfBytes(Buffer.from(hex, 'hex'));
}

/** Returns the hash of a row key (hex) in java-tron's snapshots. Reference: org.tron.core.db2.common.Key */
export function javaHashOfRowKey(hex: string): number {
  return (59 + javaHashOfHex(hex)) | 0;
}

/** Returns the hash of a text, computed from its UTF-16 units. Reference: String.hashCode. */
export function javaHashOfText(text: string): number {
  let hash = 0;
  for (let at = 0; at < text.length; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
  return hash;
}

/**
 * Mixes the upper bits of a hash into the lower bits, as Java does before it selects a bucket. Reference: HashMap.hash.
 */
function spread(hash: number): number {
  return hash ^ (hash >>> 16);
}

/**
 * Returns the hash code of a repository cache key. The hash starts with 17. For each byte, Java's HashCodeBuilder
 * multiplies the hash by 37 and adds the byte. Reference: repository.Key.hashCode.
 */
export function javaHashOfKey(hex: string): number {
  let hash = 17;
  for (const byte of Buffer.from(hex, 'hex')) hash = (Math.imul(hash, 37) + ((byte << 24) >> 24)) | 0;
  return hash;
}

/** Returns the hash of a ByteString. The bytes are given in hex. Reference: com.google.protobuf.ByteString.hashCode. */
export function javaHashOfByteString(hex: string): number {
  const bytes = Buffer.from(hex, 'hex');
  let hash = bytes.length;
  for (const byte of bytes) hash = (Math.imul(hash, 31) + ((byte << 24) >> 24)) | 0;
  return hash === 0 ? 1 : hash;
}

/** Returns the number of buckets of an empty HashMap after `putAll` of a map with this number of entries. */
export function bucketsAfterPutAll(entries: number): number {
  const capacity = Math.floor(entries / 0.75 + 1);
  let buckets = 1;
  while (buckets < capacity) buckets *= 2;
  return buckets;
}
