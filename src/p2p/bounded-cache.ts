export interface CacheBounds {
  readonly entriesMax: number;
  /** Time to live after an entry was written, in ms; absent: unlimited. */
  readonly lifeMs?: number;
  readonly now: () => number;
}

/**
 * A map with a maximum size and a time to live. It evicts the entries written longest ago.
 * The reference stores data received from peers in such caches.
 */
export class BoundedCache<V> {
  private readonly entries = new Map<string, { readonly value: V; readonly untilMs: number }>();
  private readonly bounds: CacheBounds;
  /** Iterator for evictions. It stays open, because a new iterator would visit all deleted entries again. */
  private oldest: Iterator<string> | undefined;

  constructor(bounds: CacheBounds) {
    this.bounds = bounds;
  }

  get size(): number {
    return this.entries.size;
  }

  get(key: string): V | undefined {
    const entry = this.entries.get(key);
    if (entry === undefined) return undefined;
    if (entry.untilMs > this.bounds.now()) return entry.value;
    this.entries.delete(key);
    return undefined;
  }

  has(key: string): boolean {
    return this.get(key) !== undefined;
  }

  set(key: string, value: V): void {
    const { entriesMax, lifeMs = Number.POSITIVE_INFINITY, now } = this.bounds;
    this.entries.delete(key);
    this.entries.set(key, { value, untilMs: now() + lifeMs });
    if (this.entries.size > entriesMax) this.forgetOldest();
  }

  delete(key: string): void {
    this.entries.delete(key);
  }

  /** Returns the values that have not expired, in write order. */
  *values(): Iterable<V> {
    const nowMs = this.bounds.now();
    for (const { value, untilMs } of this.entries.values()) if (untilMs > nowMs) yield value;
  }

  clear(): void {
    this.entries.clear();
    this.oldest = undefined;
  }

  private forgetOldest(): void {
    this.oldest ??= this.entries.keys();
    const { value } = this.oldest.next();
    if (value !== undefined) this.entries.delete(value);
  }
}
