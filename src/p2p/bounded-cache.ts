interface ByteBounds<V> extends CacheBounds {
  /** Maximum size of all values, in bytes. */
  readonly bytesMax: number;
  sizeOf(value: V): number;
}

export interface CacheBounds {
  readonly entriesMax: number;
  /** Time to live of an entry from its last write, in ms; undefined for no limit. */
  readonly lifeMs?: number;
  readonly now: () => number;
}

/**
 * A map with a maximum number of entries, a time to live, and an optional maximum number of bytes. A full map evicts
 * the entries that were written first. java-tron stores data from peers in such caches.
 */
export class BoundedCache<V> {
  private readonly entries = new Map<string, { readonly value: V; readonly untilMs: number }>();
  private readonly bounds: CacheBounds & Partial<ByteBounds<V>>;
  private bytes = 0;
  /**
   * Iterator over the keys for evictions, oldest first. The iterator is reused, because a new iterator would skip all
   * deleted entries again.
   */
  private oldest: Iterator<string> | undefined;

  constructor(bounds: CacheBounds | ByteBounds<V>) {
    this.bounds = bounds;
  }

  get size(): number {
    return this.entries.size;
  }

  get(key: string): V | undefined {
    const entry = this.entries.get(key);
    if (entry === undefined) return undefined;
    if (entry.untilMs > this.bounds.now()) return entry.value;
    this.delete(key);
    return undefined;
  }

  has(key: string): boolean {
    return this.get(key) !== undefined;
  }

  set(key: string, value: V): void {
    const { entriesMax, lifeMs = Number.POSITIVE_INFINITY, now, bytesMax = Number.POSITIVE_INFINITY } = this.bounds;
    this.delete(key);
    this.entries.set(key, { value, untilMs: now() + lifeMs });
    this.bytes += this.sizeOf(value);
    while (this.entries.size > entriesMax || (this.bytes > bytesMax && this.entries.size > 0)) this.evictOldest();
  }

  delete(key: string): void {
    const entry = this.entries.get(key);
    if (entry === undefined) return;
    this.entries.delete(key);
    this.bytes -= this.sizeOf(entry.value);
  }

  /** Returns the values that have not expired, in write order. */
  *values(): Iterable<V> {
    const nowMs = this.bounds.now();
    for (const { value, untilMs } of this.entries.values()) if (untilMs > nowMs) yield value;
  }

  clear(): void {
    this.entries.clear();
    this.bytes = 0;
    this.oldest = undefined;
  }

  private evictOldest(): void {
    this.oldest ??= this.entries.keys();
    const { value } = this.oldest.next();
    if (value !== undefined) this.delete(value);
  }

  private sizeOf(value: V): number {
    return this.bounds.sizeOf?.(value) ?? 0;
  }
}
