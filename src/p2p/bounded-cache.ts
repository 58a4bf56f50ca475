export interface CacheBounds {
  readonly entriesMax: number;
  /** Since an entry was written; absent: for ever. */
  readonly lifeMs?: number;
  readonly now: () => number;
}

/**
 * A map that forgets: the entries that were written longest ago when there are too many, and those whose time is over.
 * The reference keeps what peers say in such caches.
 */
export class BoundedCache<V> {
  private readonly entries = new Map<string, { readonly value: V; readonly untilMs: number }>();
  private readonly bounds: CacheBounds;
  /** Goes on behind what was forgotten: a new one would pass over all deleted entries in front again. */
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

  /** Those that are not forgotten yet, the one that was written longest ago first. */
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
