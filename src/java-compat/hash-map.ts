import { present } from '../primitives/assert.js';

/** What the iteration order of a Java map depends on. */
type JavaHash<K> = (key: K) => number;

/**
 * A map that is iterated in the order of `java.util.HashMap`: by bucket, inside a bucket by insertion. Some results of
 * the reference depend on that order. (A bucket of eight keys becomes a tree there, with an order of its own; eight
 * colliding addresses do not occur by chance.)
 */
export class JavaHashMap<K, V> {
  private readonly values = new Map<K, V>();
  private readonly hash: JavaHash<K>;
  private buckets: number;

  /** `hash` is the key's `hashCode`; keys must be values that `Map` compares (text, numbers). */
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

  /** Doubles the table when it is three quarters full; it never shrinks. */
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

  /** Keys and values in Java's order. */
  entries(): (readonly [K, V])[] {
    const mask = this.buckets - 1;
    return [...this.values]
      .map(([key, value]) => ({ bucket: spread(this.hash(key)) & mask, entry: [key, value] as const }))
      .sort((a, b) => a.bucket - b.bucket)
      .map(({ entry }) => entry);
  }
}

/**
 * Keys in the order of a `java.util.concurrent.ConcurrentHashMap` into which they were put in turn. It doubles when
 * three quarters of it are taken, which turns parts of its buckets round.
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
  return present(buckets[at], 'a hash is cut to the number of buckets');
}

/**
 * The run at the end of a bucket moves as it is; what is before it comes ahead of that, turned round.
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

/** Reference: Arrays.hashCode(byte[]), bytes being signed. */
export function javaHashOfBytes(bytes: Uint8Array): number {
  let hash = 1;
  for (const byte of bytes) hash = (Math.imul(hash, 31) + ((byte << 24) >> 24)) | 0;
  return hash;
}

/** As `javaHashOfBytes`, of bytes given as hex. */
export function javaHashOfHex(hex: string): number {
  return javaHashOfBytes(Buffer.from(hex, 'hex'));
}

/** Of the keys, in hex, of a snapshot's rows. Reference: org.tron.core.db2.common.Key */
export function javaHashOfRowKey(hex: string): number {
  return (59 + javaHashOfHex(hex)) | 0;
}

/** Reference: String.hashCode (UTF-16 units). */
export function javaHashOfText(text: string): number {
  let hash = 0;
  for (let at = 0; at < text.length; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
  return hash;
}

/** Reference: HashMap.hash. */
function spread(hash: number): number {
  return hash ^ (hash >>> 16);
}

/**
 * Hash of the reference's cache keys: HashCodeBuilder over the bytes (17, times 37).
 * Reference: repository.Key.hashCode.
 */
export function javaHashOfKey(hex: string): number {
  let hash = 17;
  for (const byte of Buffer.from(hex, 'hex')) hash = (Math.imul(hash, 37) + ((byte << 24) >> 24)) | 0;
  return hash;
}

/** Reference: com.google.protobuf.ByteString.hashCode. */
export function javaHashOfByteString(hex: string): number {
  const bytes = Buffer.from(hex, 'hex');
  let hash = bytes.length;
  for (const byte of bytes) hash = (Math.imul(hash, 31) + ((byte << 24) >> 24)) | 0;
  return hash === 0 ? 1 : hash;
}

/** Buckets of a HashMap that was made by `putAll` of a map with this many entries into an empty one. */
export function bucketsAfterPutAll(entries: number): number {
  const wanted = Math.floor(entries / 0.75 + 1);
  let buckets = 1;
  while (buckets < wanted) buckets *= 2;
  return buckets;
}
