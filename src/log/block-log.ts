import { join } from 'node:path';
import { checksum64 } from '../crypto/checksum.js';
import { BlockIndex } from './block-index.js';
import { seqKey } from './block-key.js';
import { BlocksBelow } from './blocks-below.js';
import { ImportedBlocks } from './imported-blocks.js';
import { type Environment, openEnvironment } from './lmdb/environment.js';
import { entryDamage } from './log-damage.js';
import {
  type AppliedEntry,
  type BaseEntry,
  encodeEntry,
  hashOfEntry,
  type LogEntry,
  NO_HASH,
  type RevertedEntry,
  type SolidifiedEntry,
} from './log-entry.js';
import { LogFacts } from './log-facts.js';
import { LogStart } from './log-start.js';
import { LookupTables } from './lookup-tables.js';
import type { OpenedEntry } from './packed-row.js';
import { PendingTable } from './pending-table.js';
import { StoredEntries } from './stored-entries.js';
import { POSITIONS_FROM } from './transaction-position.js';

/** An entry as the caller knows it: the log gives the number. */
type NewEntry =
  | Omit<AppliedEntry, 'seq' | 'changesChecksum'>
  | Omit<RevertedEntry, 'seq'>
  | Omit<SolidifiedEntry, 'seq'>
  | Omit<BaseEntry, 'seq'>;

interface BlockLogOptions {
  readonly dataDir: string;
  readonly readOnly: boolean;
}

/** Rows of each table of brought blocks that leave with a commit in which entries do. */
const BROUGHT_FORGOTTEN = 1000;

/**
 * The append-only log in `<data>/log`: entries by seq, beside each `applied` its `changes` record, and lookup tables
 * that follow from the entries. What was appended is visible here at once and on the disk after
 * {@link BlockLog.commit}.
 */
export class BlockLog {
  readonly environment: Environment;
  readonly file: string;
  /** Rows of a projection that must be committed with the entries (the history index). */
  readonly history: PendingTable;
  /** Blocks below the begin of a log that does not begin at genesis. */
  readonly brought: ImportedBlocks;
  /** The same blocks by their heights and ids. */
  readonly index: BlockIndex;
  /** Small facts that are committed with the entries. */
  readonly facts: LogFacts;
  /** Its old end. */
  readonly begin: LogStart;
  private readonly readOnly: boolean;
  private readonly stored: StoredEntries;
  private readonly lookup: LookupTables;
  private lastHash: Uint8Array = NO_HASH;
  private last = -1;
  private committed = -1;
  /** Whether it is known from which entry on transactions are in the table of places. */
  private hasPlaces = false;

  constructor({ dataDir, readOnly }: BlockLogOptions) {
    this.readOnly = readOnly;
    this.environment = openEnvironment(join(dataDir, 'log'), { readOnly });
    this.file = join(dataDir, 'log', 'data.mdb');
    this.stored = new StoredEntries(this.environment);
    this.lookup = new LookupTables(this.environment);
    this.history = new PendingTable(this.environment.table('history'));
    this.facts = new LogFacts(this.environment.table('meta'), this.file);
    this.brought = new ImportedBlocks(this.environment, this.file);
    const { facts, stored, lookup } = this;
    this.begin = new LogStart({ log: this, facts, stored, lookup });
    const below = new BlocksBelow(() => this.begin.base, this.brought);
    this.index = new BlockIndex({ log: this, lookup, below });
    this.refresh();
  }

  /** Seq of the newest entry, -1 for an empty log; with what still waits. */
  get lastSeq(): number {
    return this.last;
  }

  /** Seq of the newest entry on the disk. */
  get committedSeq(): number {
    return this.committed;
  }

  /** Hash of the newest entry: what the next one links to. */
  get newestHash(): Uint8Array {
    return this.lastHash;
  }

  /** Bytes that the next commit will write for entries and changes. */
  get waitingBytes(): number {
    return this.stored.waitingBytes;
  }

  /** Reads the end of the log again: a reading thread or process sees what the writer has committed since. */
  refresh(): void {
    this.environment.refresh();
    const newest = this.stored.newest();
    if (newest === undefined) return;
    const { seq, opened } = newest;
    this.committed = seq;
    this.last = seq;
    if (opened?.entry.seq !== seq) throw entryDamage(this.file, seq);
    this.lastHash = hashOfEntry(opened.bytes);
  }

  /** {@link refresh} where somebody else writes; nothing where this is the writer, who knows. */
  refreshForReader(): void {
    if (this.readOnly) this.refresh();
  }

  /** Appends one entry; `changes` is the record beside an `applied` one. */
  append(entry: NewEntry, changes?: Buffer): number {
    const seq = this.last + 1;
    const full: LogEntry =
      entry.kind === 'applied'
        ? { ...entry, seq, changesChecksum: changes ? checksum64(changes) : 0n }
        : { ...entry, seq };
    const bytes = encodeEntry(full, this.lastHash);
    this.stored.add(seq, bytes, changes);
    this.last = seq;
    this.lastHash = hashOfEntry(bytes);
    if (!this.hasPlaces) this.beginPlaces(seq);
    if (full.kind === 'applied') this.lookup.add(full);
    if (full.kind === 'base') this.lookup.add({ ...full, transactionIds: [] });
    if (full.kind === 'reverted') this.index.takeBack(full);
    return seq;
  }

  /**
   * Writes all that waits as one transaction, flushed.
   * @throws {TronError} STORAGE_FAILED; what waits then still waits.
   */
  commit(): void {
    if (this.stored.isCommitted) return;
    this.environment.commit(() => {
      this.stored.write();
      if (this.stored.isLeaving && this.begin.base !== undefined) this.brought.forget(BROUGHT_FORGOTTEN);
      for (const table of this.tables()) table.write();
    });
    this.stored.clear();
    for (const table of this.tables()) table.clear();
    this.committed = this.last;
  }

  /** Writes what waits in the lookup tables when no entry does. */
  commitTables(): void {
    this.environment.commit(() => {
      for (const table of this.tables()) table.write();
    });
    for (const table of this.tables()) table.clear();
  }

  /** Empties the history index, and writes what waits in the lookup tables. */
  clearHistory(): void {
    this.environment.commit(() => {
      this.history.table.clearSync();
      this.facts.table.write();
    });
    this.history.clear();
    this.facts.table.clear();
  }

  /** @throws {DamageError} when the bytes are not what was appended; {RangeError} for a seq that does not exist. */
  entry(seq: number): LogEntry {
    return this.open(seq).entry;
  }

  /** An entry as it is stored. @throws as {@link entry} does */
  bytesOf(seq: number): Uint8Array {
    return this.open(seq).bytes;
  }

  /** Hash of an entry: what the next one links to. */
  hashOf(seq: number): Uint8Array {
    return hashOfEntry(this.bytesOf(seq));
  }

  /** The `changes` record of an applied entry, checked against the entry; `undefined` when it is no longer kept. */
  changes(seq: number): Buffer | undefined {
    const stored = this.stored.changes(seq);
    if (stored === undefined || stored.isWaiting) return stored?.bytes;
    const { bytes } = stored;
    const entry = this.entry(seq);
    if (bytes === undefined || entry.kind !== 'applied' || checksum64(bytes) !== entry.changesChecksum)
      throw entryDamage(this.file, seq, 'changes');
    return bytes;
  }

  /** Forgets the `changes` record of an entry with the next commit. */
  forgetChanges(seq: number): void {
    this.stored.forgetChanges(seq, seq <= this.committed);
  }

  /** Seqs above 0 whose `changes` are on the disk, ascending from `from`. */
  changesFrom(from: number): IterableIterator<number> {
    return this.stored.changesFrom(from);
  }

  /**
   * Entries on the disk from `fromSeq` on, as many as fit `bytesMax` (at least one when there is one). From 0 on all
   * that are there.
   * @throws {TronError} LOG_CUT when the entry has left
   */
  page(fromSeq: number, bytesMax: number): LogEntry[] {
    const page: LogEntry[] = [];
    let bytes = 0;
    const begin = fromSeq === 1 ? this.begin.after(0) : fromSeq;
    for (let seq = begin; seq <= this.committed && bytes < bytesMax; seq = this.begin.after(seq)) {
      const opened = this.open(seq);
      page.push(opened.entry);
      bytes += opened.bytes.length;
    }
    return page;
  }

  close(): Promise<void> {
    return this.environment.close();
  }

  private beginPlaces(seq: number): void {
    if (this.facts.get(POSITIONS_FROM) === undefined) this.facts.set(POSITIONS_FROM, seqKey(seq));
    this.hasPlaces = true;
  }

  private *tables(): IterableIterator<PendingTable> {
    yield* [...this.lookup.all(), this.history, this.facts.table];
  }

  private open(seq: number): OpenedEntry {
    const opened = this.stored.entry(seq);
    if (opened === undefined && (seq < 0 || seq > this.last)) throw new RangeError(`the log has no entry ${seq}`);
    if (opened === undefined) this.begin.refuseLeft(seq);
    if (opened?.entry.seq !== seq) throw entryDamage(this.file, seq);
    return opened;
  }
}
