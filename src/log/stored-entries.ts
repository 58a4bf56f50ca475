import type { BlockSums } from '../codec/block-parts.js';
import { readSeq, seqKey } from './block-key.js';
import type { BytesTable, Environment } from './lmdb/environment.js';
import { type AppliedEntry, readEntryInParts } from './log-entry.js';
import { EntryCache } from './rows/entry-cache.js';
import { EntryParts } from './rows/entry-parts.js';
import { readRowHead, unpackGroups } from './rows/grouped-row.js';
import { type OpenedEntry, openEntry, packChanges, packEntry, unpackRow } from './rows/packed-row.js';

/** A `changes` record that is stored or still uncommitted. */
interface StoredChanges {
  /** Uncompressed bytes; undefined for a corrupt row. */
  readonly bytes: Buffer | undefined;
  readonly isUncommitted: boolean;
}

interface UncommittedEntry {
  readonly bytes: Buffer;
  readonly sums: BlockSums | undefined;
}

/**
 * Bytes of entries and `changes` records by seq. Uncommitted data is in memory, and committed data is compressed on
 * disk. Methods return uncompressed data.
 */
export class StoredEntries {
  private readonly entries: BytesTable;
  private readonly changesTable: BytesTable;
  private readonly uncommittedEntries = new Map<number, UncommittedEntry>();
  /** Uncommitted `changes` records by seq. For a value of `undefined`, the next commit deletes the record. */
  private readonly uncommittedChanges = new Map<number, Buffer | undefined>();
  private readonly recent = new EntryCache();
  /** Entries to delete with the next commit. */
  private readonly pruned: number[] = [];
  private uncommitted = 0;

  constructor(environment: Environment) {
    this.entries = environment.table('entries');
    this.changesTable = environment.table('changes');
  }

  /** True if there is nothing to commit. */
  get isCommitted(): boolean {
    return this.uncommittedEntries.size === 0 && this.uncommittedChanges.size === 0;
  }

  /** True if the next commit deletes entries. */
  get hasPruned(): boolean {
    return this.pruned.length > 0;
  }

  /** Size of the uncommitted data before compression, in bytes. */
  get uncommittedBytes(): number {
    return this.uncommitted;
  }

  /** Returns the newest committed entry in the form that {@link entry} returns. */
  newest(): { readonly seq: number; readonly opened: OpenedEntry | undefined } | undefined {
    const [newest] = this.entries.getRange({ reverse: true, limit: 1 });
    return newest && { seq: readSeq(Buffer.from(newest.key)), opened: openEntry(Buffer.from(newest.value)) };
  }

  /** Returns an entry, or undefined if it does not exist or is corrupt. */
  entry(seq: number): OpenedEntry | undefined {
    const row = this.uncommittedEntries.get(seq)?.bytes ?? this.entries.getBinary(seqKey(seq));
    return row && openEntry(row);
  }

  /**
   * Returns an applied entry whose parts are read on demand. Undefined if the entry is not stored in groups, or if its
   * head is corrupt.
   * @param refuse throws the error if a part is found to be corrupt later
   */
  entryInParts(seq: number, refuse: () => never): AppliedEntry | undefined {
    if (this.uncommittedEntries.has(seq)) return undefined;
    const recent = this.recent.get(seq);
    if (recent !== undefined) return recent;
    const row = (): Buffer => this.entries.getBinaryFast(seqKey(seq)) ?? refuse();
    const stored = this.entries.getBinaryFast(seqKey(seq));
    const head = stored && readRowHead(stored);
    if (head === undefined) return undefined;
    const onUnpack = (bytes: number): void => {
      if (entry !== undefined) this.recent.grow(entry, bytes);
    };
    const whole = (): Buffer => {
      const bytes = unpackGroups(row()) ?? refuse();
      onUnpack(bytes.length);
      return bytes;
    };
    const entry = readEntryInParts(head.before, new EntryParts({ head, row, refuse, onUnpack }), whole);
    if (entry?.seq === seq) this.recent.add(entry);
    return entry;
  }

  /** Returns the `changes` record of an entry, or undefined if it was deleted. */
  changes(seq: number): StoredChanges | undefined {
    const uncommitted = this.uncommittedChanges.get(seq);
    if (uncommitted !== undefined) return { bytes: uncommitted, isUncommitted: true };
    if (this.uncommittedChanges.has(seq)) return undefined;
    const stored = this.changesTable.getBinary(seqKey(seq));
    return stored && { bytes: unpackRow(stored), isUncommitted: false };
  }

  /** Iterates over the seqs with committed `changes`, ascending from `from`. */
  *changesFrom(from: number): IterableIterator<number> {
    for (const key of this.changesTable.getKeys({ start: seqKey(from) })) yield readSeq(key);
  }

  /**
   * Adds an uncommitted entry.
   * @param changes `changes` record of the entry; undefined unless the entry is `applied`
   * @param sums encoded size and total fee limit of the block, if known
   */
  add(seq: number, bytes: Buffer, changes: Buffer | undefined, sums?: BlockSums): void {
    this.uncommittedEntries.set(seq, { bytes, sums });
    if (changes) this.uncommittedChanges.set(seq, changes);
    this.uncommitted += bytes.length + (changes?.length ?? 0);
  }

  /** Deletes the `changes` record of an entry. @param isStored true if the entry is committed */
  deleteChanges(seq: number, isStored: boolean): void {
    if (isStored) this.uncommittedChanges.set(seq, undefined);
    else this.uncommittedChanges.delete(seq);
  }

  /** Deletes an entry with the next commit. */
  remove(seq: number): void {
    this.pruned.push(seq);
    this.recent.delete(seq);
  }

  /** Writes uncommitted data. Must be called within a database transaction. */
  write(): void {
    for (const [seq, { bytes, sums }] of this.uncommittedEntries)
      this.entries.putSync(seqKey(seq), packEntry(bytes, sums));
    for (const [seq, bytes] of this.uncommittedChanges) {
      if (bytes === undefined) this.changesTable.removeSync(seqKey(seq));
      else this.changesTable.putSync(seqKey(seq), packChanges(bytes));
    }
    for (const seq of this.pruned) this.entries.removeSync(seqKey(seq));
  }

  /** Deletes the written data from memory. Must be called after the database transaction was committed. */
  clear(): void {
    this.pruned.length = 0;
    this.uncommittedEntries.clear();
    this.uncommittedChanges.clear();
    this.uncommitted = 0;
  }
}
