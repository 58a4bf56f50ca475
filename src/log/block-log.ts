import { join } from 'node:path';
import type { BlockSums } from '../codec/block-parts.js';
import { checksum64 } from '../crypto/checksum.js';
import { BlockIndex } from './block-index.js';
import { seqKey } from './block-key.js';
import { BlocksBelow } from './blocks-below.js';
import { ImportedBlocks } from './imported-blocks.js';
import { type Environment, openEnvironment } from './lmdb/environment.js';
import { FORMAT_KEY, formatOf, requireKnownFormat } from './lmdb/log-format.js';
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
import { logFile } from './log-file.js';
import { LogStart } from './log-start.js';
import { LookupTables } from './lookup-tables.js';
import { PendingTable } from './pending-table.js';
import type { OpenedEntry } from './rows/packed-row.js';
import { StoredEntries } from './stored-entries.js';
import { POSITIONS_FROM } from './transaction-position.js';

/** An entry without its position in the log (seq), which the log assigns. */
type NewEntry =
  | Omit<AppliedEntry, 'seq' | 'changesChecksum'>
  | Omit<RevertedEntry, 'seq'>
  | Omit<SolidifiedEntry, 'seq'>
  | Omit<BaseEntry, 'seq'>;

interface BlockLogOptions {
  readonly dataDir: string;
  readonly readOnly: boolean;
}

/**
 * Maximum number of rows that a commit deletes from each table of imported blocks. Only a commit that prunes entries
 * deletes such rows.
 */
const IMPORTED_DELETED_MAX = 1000;

/**
 * The append-only log in `<data>/log`. It stores entries by seq, a `changes` record for each `applied` entry, and
 * lookup tables derived from the entries. Appended entries can be read immediately, but are on disk only after {@link
 * BlockLog.commit}.
 */
export class BlockLog {
  readonly environment: Environment;
  readonly file: string;
  /** Rows of a projection that are committed with the entries (the history index). */
  readonly history: PendingTable;
  /** Blocks below the start of a log that does not start at genesis. */
  readonly imported: ImportedBlocks;
  /** Index of all blocks by height and id. */
  readonly index: BlockIndex;
  /** Single named values (facts) that are committed with the entries. */
  readonly facts: LogFacts;
  /**
   * Start of the log: genesis, or the block with which a bootstrapped log starts. Also stores the newest pruned entry.
   */
  readonly start: LogStart;
  private readonly readOnly: boolean;
  private readonly stored: StoredEntries;
  private readonly lookup: LookupTables;
  private lastHash: Uint8Array = NO_HASH;
  private last = -1;
  private committed = -1;
  /** True if the stored facts certainly contain `POSITIONS_FROM`. */
  private hasPositions = false;

  constructor({ dataDir, readOnly }: BlockLogOptions) {
    this.readOnly = readOnly;
    this.file = logFile(dataDir);
    this.environment = openEnvironment(join(dataDir, 'log'), { readOnly });
    this.stored = new StoredEntries(this.environment);
    this.lookup = new LookupTables(this.environment);
    this.history = new PendingTable(this.environment.table('history'));
    this.facts = new LogFacts(this.environment.table('meta'), this.file);
    requireKnownFormat(this.file, formatOf(this.facts.get(FORMAT_KEY)));
    this.imported = new ImportedBlocks(this.environment, this.file);
    const { facts, stored, lookup } = this;
    this.start = new LogStart({ log: this, facts, stored, lookup });
    const below = new BlocksBelow(() => this.start.base, this.imported);
    this.index = new BlockIndex({ log: this, lookup, below });
    this.refresh();
  }

  /** Seq of the newest entry, including uncommitted entries; -1 for an empty log. */
  get lastSeq(): number {
    return this.last;
  }

  /** Seq of the newest committed entry; -1 for an empty log. */
  get committedSeq(): number {
    return this.committed;
  }

  /** Hash of the newest entry. The next entry contains it. */
  get newestHash(): Uint8Array {
    return this.lastHash;
  }

  /** Size of the uncommitted entries and changes, in bytes. */
  get uncommittedBytes(): number {
    return this.stored.uncommittedBytes;
  }

  /**
   * Makes the newest commit of the writer visible to this thread or process, and updates the newest entry.
   * @throws {DamageError} the newest entry is corrupt
   */
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

  /** Calls {@link refresh} in a reader. Does nothing in the writer. */
  refreshForReader(): void {
    if (this.readOnly) this.refresh();
  }

  /**
   * Appends one entry.
   * @param changes record of an `applied` entry: old and new value of each changed row
   * @param sums encoded size and total fee limit of the block of an `applied` entry. The log stores them next to the
   * entry, not in its bytes
   * @returns seq of the entry
   */
  append(entry: NewEntry, changes?: Buffer, sums?: BlockSums): number {
    const seq = this.last + 1;
    const full: LogEntry =
      entry.kind === 'applied'
        ? { ...entry, seq, changesChecksum: changes ? checksum64(changes) : 0n }
        : { ...entry, seq };
    const bytes = encodeEntry(full, this.lastHash);
    this.stored.add(seq, bytes, changes, sums);
    this.last = seq;
    this.lastHash = hashOfEntry(bytes);
    if (!this.hasPositions) this.startPositions(seq);
    if (full.kind === 'applied') this.lookup.add(full);
    if (full.kind === 'base') this.lookup.add({ ...full, transactionIds: [] });
    if (full.kind === 'reverted') this.index.removeReverted(full);
    return seq;
  }

  /**
   * Writes all uncommitted data in one database transaction and flushes it to disk.
   * @throws {TronError} STORAGE_FAILED: the write failed, and the data stays uncommitted
   */
  commit(): void {
    if (this.stored.isCommitted) return;
    this.environment.commit(() => {
      this.stored.write();
      if (this.stored.hasPruned && this.start.base !== undefined) this.imported.forget(IMPORTED_DELETED_MAX);
      for (const table of this.tables()) table.write();
    });
    this.stored.clear();
    for (const table of this.tables()) table.clear();
    this.committed = this.last;
  }

  /**
   * Writes uncommitted rows of the lookup tables, the history index and the facts. Must be called while no entry is
   * uncommitted.
   */
  commitTables(): void {
    this.environment.commit(() => {
      for (const table of this.tables()) table.write();
    });
    for (const table of this.tables()) table.clear();
  }

  /** Deletes the history index, and writes the facts. */
  clearHistory(): void {
    this.environment.commit(() => {
      this.history.table.clearSync();
      this.facts.table.write();
    });
    this.history.clear();
    this.facts.table.clear();
  }

  /**
   * Returns an entry.
   * @throws {DamageError} the entry is corrupt; {RangeError} the log has no entry with this seq; {TronError} LOG_CUT:
   * the entry was pruned
   */
  entry(seq: number): LogEntry {
    return this.open(seq).entry;
  }

  /**
   * Returns an entry for a reader that needs a few transactions. Block, receipts and ids of a large entry are read on
   * demand. A later read throws DamageError if the part is corrupt.
   * @throws the errors of {@link entry}
   */
  entryInParts(seq: number): LogEntry {
    const found = this.stored.entryInParts(seq, () => {
      // A pruned entry causes LOG_CUT. Any other missing entry is damage.
      this.start.refusePruned(seq);
      throw entryDamage(this.file, seq);
    });
    return found?.seq === seq ? found : this.entry(seq);
  }

  /** Returns the uncompressed bytes of an entry. @throws the errors of {@link entry} */
  bytesOf(seq: number): Uint8Array {
    return this.open(seq).bytes;
  }

  /** Returns the hash of an entry. The next entry contains this hash. @throws the errors of {@link entry} */
  hashOf(seq: number): Uint8Array {
    return hashOfEntry(this.bytesOf(seq));
  }

  /**
   * Returns the verified `changes` record of an entry. Undefined if the record was deleted, or for an entry of a kind
   * without such a record.
   * @throws {DamageError} the record does not match the checksum in the entry
   */
  changes(seq: number): Buffer | undefined {
    const stored = this.stored.changes(seq);
    if (stored === undefined || stored.isUncommitted) return stored?.bytes;
    const { bytes } = stored;
    const entry = this.entryInParts(seq);
    if (bytes === undefined || entry.kind !== 'applied' || checksum64(bytes) !== entry.changesChecksum)
      throw entryDamage(this.file, seq, 'changes');
    return bytes;
  }

  /** Deletes the `changes` record of an entry with the next commit. */
  deleteChanges(seq: number): void {
    this.stored.deleteChanges(seq, seq <= this.committed);
  }

  /** Iterates over the committed entries that have a `changes` record. Returns their seqs, ascending from `from`. */
  changesFrom(from: number): IterableIterator<number> {
    return this.stored.changesFrom(from);
  }

  /**
   * Returns committed entries from `fromSeq` on, about `bytesMax` bytes in total. Returns at least one entry if one
   * exists. If `fromSeq` is 0 or 1, skips pruned entries.
   * @throws {TronError} LOG_CUT: the entry `fromSeq` was pruned
   */
  page(fromSeq: number, bytesMax: number): LogEntry[] {
    const page: LogEntry[] = [];
    let bytes = 0;
    const firstSeq = fromSeq === 1 ? this.start.after(0) : fromSeq;
    for (let seq = firstSeq; seq <= this.committed && bytes < bytesMax; seq = this.start.after(seq)) {
      const opened = this.open(seq);
      page.push(opened.entry);
      bytes += opened.bytes.length;
    }
    return page;
  }

  close(): Promise<void> {
    return this.environment.close();
  }

  private startPositions(seq: number): void {
    if (this.facts.get(POSITIONS_FROM) === undefined) this.facts.set(POSITIONS_FROM, seqKey(seq));
    this.hasPositions = true;
  }

  private *tables(): IterableIterator<PendingTable> {
    yield* [...this.lookup.all(), this.history, this.facts.table];
  }

  private open(seq: number): OpenedEntry {
    const opened = this.stored.entry(seq);
    if (opened === undefined && (seq < 0 || seq > this.last))
      throw new RangeError(`the log contains no entry with number ${seq}`);
    if (opened === undefined) this.start.refusePruned(seq);
    if (opened?.entry.seq !== seq) throw entryDamage(this.file, seq);
    return opened;
  }
}
