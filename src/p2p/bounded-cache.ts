export interface CacheBounds {
  readonly entriesMax: number;
  /** Since an entry was written; absent: for ever. */
  readonly lifeMs?: number;
  readonly now: () => number;
}

/**
 * A map that forgets: the entries that were written longest ago when there are too many, and those whose time is over. The
 * reference keeps what peers say in such caches.
 */
export class BoundedCache<V> {
  private readonly entries = new Map<string, { readonly value: V; readonly untilMs: number }>();
  private readonly bounds: CacheBounds;

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
    if (this.entries.size > entriesMax) this.entries.delete(this.entries.keys().next().value!);
  }

  delete(key: string): void {
    this.entries.delete(key);
  }

  clear(): void {
    this.entries.clear();
  }
}
