import { readSeq, seqKey } from './block-key.js';
import type { BytesTable, Environment } from './lmdb/environment.js';
import { type OpenedEntry, openEntry, packChanges, packEntry, unpackRow } from './packed-row.js';

/** A `changes` record that is there. */
interface StoredChanges {
  /** Not packed; undefined for a row that nobody can unpack. */
  readonly bytes: Buffer | undefined;
  readonly isWaiting: boolean;
}

/**
 * Bytes of the entries, and of the `changes` records beside them, by seq: what waits for the next commit in front of
 * what is on the disk, where both are packed. What comes out is in any case not packed.
 */
export class StoredEntries {
  private readonly entries: BytesTable;
  private readonly changesTable: BytesTable;
  private readonly waitingEntries = new Map<number, Buffer>();
  /** `undefined`: the record leaves. */
  private readonly waitingChanges = new Map<number, Buffer | undefined>();
  /** Entries that leave with the next commit. */
  private readonly leaving: number[] = [];
  private waiting = 0;

  constructor(environment: Environment) {
    this.entries = environment.table('entries');
    this.changesTable = environment.table('changes');
  }

  /** Whether a commit has nothing to do here. */
  get isCommitted(): boolean {
    return this.waitingEntries.size === 0 && this.waitingChanges.size === 0;
  }

  /** Whether entries leave with the next commit. */
  get isLeaving(): boolean {
    return this.leaving.length > 0;
  }

  /** Bytes that the next commit will write, as they are before they are packed. */
  get waitingBytes(): number {
    return this.waiting;
  }

  /** The newest entry on the disk, as {@link entry} has it. */
  newest(): { readonly seq: number; readonly opened: OpenedEntry | undefined } | undefined {
    const [newest] = this.entries.getRange({ reverse: true, limit: 1 });
    return newest && { seq: readSeq(Buffer.from(newest.key)), opened: openEntry(Buffer.from(newest.value)) };
  }

  /** Undefined where there is none, and for a row that is not what was written. */
  entry(seq: number): OpenedEntry | undefined {
    const row = this.waitingEntries.get(seq) ?? this.entries.getBinary(seqKey(seq));
    return row && openEntry(row);
  }

  /** Undefined when the record is no longer kept. */
  changes(seq: number): StoredChanges | undefined {
    const waiting = this.waitingChanges.get(seq);
    if (waiting !== undefined) return { bytes: waiting, isWaiting: true };
    if (this.waitingChanges.has(seq)) return undefined;
    const stored = this.changesTable.getBinary(seqKey(seq));
    return stored && { bytes: unpackRow(stored), isWaiting: false };
  }

  /** Seqs whose `changes` are on the disk, ascending from `from`. */
  *changesFrom(from: number): IterableIterator<number> {
    for (const key of this.changesTable.getKeys({ start: seqKey(from) })) yield readSeq(key);
  }

  add(seq: number, bytes: Buffer, changes: Buffer | undefined): void {
    this.waitingEntries.set(seq, bytes);
    if (changes) this.waitingChanges.set(seq, changes);
    this.waiting += bytes.length + (changes?.length ?? 0);
  }

  /** @param isStored whether the entry is on the disk */
  forgetChanges(seq: number, isStored: boolean): void {
    if (isStored) this.waitingChanges.set(seq, undefined);
    else this.waitingChanges.delete(seq);
  }

  /** An entry leaves with the next commit. */
  remove(seq: number): void {
    this.leaving.push(seq);
  }

  /** Writes what waits, inside a transaction of the caller. */
  write(): void {
    for (const [seq, bytes] of this.waitingEntries) this.entries.putSync(seqKey(seq), packEntry(bytes));
    for (const [seq, bytes] of this.waitingChanges) {
      if (bytes === undefined) this.changesTable.removeSync(seqKey(seq));
      else this.changesTable.putSync(seqKey(seq), packChanges(bytes));
    }
    for (const seq of this.leaving) this.entries.removeSync(seqKey(seq));
  }

  /** After the transaction was committed. */
  clear(): void {
    this.leaving.length = 0;
    this.waitingEntries.clear();
    this.waitingChanges.clear();
    this.waiting = 0;
  }
}
