import type { AppliedEntry } from '../log-entry.js';

/** Maximum size of the uncompressed data in the cache, in bytes. LevelDB's block cache has the same size by default. */
const BYTES_MAX = 8 * 2 ** 20;
/** Estimated memory of an entry of which nothing is decompressed, in bytes. */
const ENTRY_BYTES = 2_000;

interface CachedEntry {
  readonly entry: AppliedEntry;
  bytes: number;
}

/**
 * Recently read entries by seq, each with the parts that were decompressed. A later lookup in the same part
 * decompresses nothing. Committed entries never change, so a cached entry remains valid. If the cache is full, the
 * least recently used entries are removed.
 */
export class EntryCache {
  private readonly entries = new Map<number, CachedEntry>();
  private bytes = 0;

  get(seq: number): AppliedEntry | undefined {
    const found = this.entries.get(seq);
    if (found === undefined) return undefined;
    // Moves the entry to the end, because a Map iterates in the order in which its keys were added.
    this.entries.delete(seq);
    this.entries.set(seq, found);
    return found.entry;
  }

  add(entry: AppliedEntry): void {
    this.delete(entry.seq);
    this.entries.set(entry.seq, { entry, bytes: 0 });
    this.grow(entry, ENTRY_BYTES);
  }

  /** Adds to the size of an entry. Ignores an entry that was removed from the cache. @param bytes additional size */
  grow(entry: AppliedEntry, bytes: number): void {
    const found = this.entries.get(entry.seq);
    if (found?.entry !== entry) return;
    found.bytes += bytes;
    this.bytes += bytes;
    for (const oldest of this.entries.keys()) {
      if (this.bytes <= BYTES_MAX) return;
      this.delete(oldest);
    }
  }

  delete(seq: number): void {
    const found = this.entries.get(seq);
    if (found === undefined) return;
    this.entries.delete(seq);
    this.bytes -= found.bytes;
  }
}
