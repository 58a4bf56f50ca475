import { join } from 'node:path';
import { checksum64 } from '../disk/checksum.js';
import { type BytesTable, type Environment, openEnvironment } from '../disk/environment.js';
import { openMetaRow, sealMetaRow } from '../disk/meta-row.js';
import { TronError } from '../domain/errors.js';
import { BlockIndex } from './block-index.js';
import { readSeq, seqKey } from './block-key.js';
import { BlocksBelow } from './blocks-below.js';
import { BroughtBlocks } from './brought-blocks.js';
import { CUT, decodeCut, encodeCut, type LogCut } from './log-cut.js';
import { entryDamage, logDamage } from './log-damage.js';
import {
  type AppliedEntry,
  type BaseEntry,
  decodeEntry,
  encodeEntry,
  hashOfEntry,
  type LogEntry,
  NO_HASH,
  type RevertedEntry,
  type SolidifiedEntry,
} from './log-entry.js';
import { LookupTables } from './lookup-tables.js';
import { packChanges, packEntry, unpackRow } from './packed-row.js';
import { PendingTable } from './pending-table.js';
import { PLACES_FROM } from './transaction-place.js';

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
 * The append-only log in `<data>/log`: entries by seq, beside each `applied` its `changes` record, and lookup tables that follow from
 * the entries. What was appended is visible here at once and on the disk after {@link BlockLog.commit}.
 */
export class BlockLog {
  readonly environment: Environment;
  readonly file: string;
  /** Rows of a projection that must be committed with the entries (the history index). */
  readonly history: PendingTable;
  /** Blocks below the begin of a log that does not begin at genesis. */
  readonly brought: BroughtBlocks;
  /** The same blocks by their heights and ids. */
  readonly index: BlockIndex;
  private readonly meta: PendingTable;
  private readonly readOnly: boolean;
  private readonly entries: BytesTable;
  private readonly changesTable: BytesTable;
  private readonly lookup: LookupTables;
  private readonly waitingEntries = new Map<number, Buffer>();
  private readonly waitingChanges = new Map<number, Buffer | undefined>();
  /** Entries that leave with the next commit. */
  private readonly leaving: number[] = [];
  private waiting = 0;
  private lastHash: Uint8Array = NO_HASH;
  /** Entry 0, when it has been looked at. */
  private first: LogEntry | undefined;
  private last = -1;
  private committed = -1;
  /** Whether it is known from which entry on transactions are in the table of places. */
  private hasPlaces = false;

  constructor({ dataDir, readOnly }: BlockLogOptions) {
    this.readOnly = readOnly;
    this.environment = openEnvironment(join(dataDir, 'log'), { readOnly });
    this.file = join(dataDir, 'log', 'data.mdb');
    this.entries = this.environment.table('entries');
    this.changesTable = this.environment.table('changes');
    this.lookup = new LookupTables(this.environment);
    this.history = new PendingTable(this.environment.table('history'));
    this.meta = new PendingTable(this.environment.table('meta'));
    this.brought = new BroughtBlocks(this.environment, this.file);
    const below = new BlocksBelow(() => this.base, this.brought);
    this.index = new BlockIndex({ log: this, lookup: this.lookup, below });
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

  /** Entry 0 where the log begins at a height, `undefined` where it begins at genesis. */
  get base(): BaseEntry | undefined {
    if (this.last >= 0) this.first ??= this.entry(0);
    return this.first?.kind === 'base' ? this.first : undefined;
  }

  /** The newest entry that has left; `undefined` while nothing has. */
  get cut(): LogCut | undefined {
    const row = this.fact(CUT);
    return row && decodeCut(row);
  }

  /** The first canonical block (genesis aside) is the one above this height. */
  get beginNumber(): number {
    return this.cut?.number ?? this.base?.number ?? 0;
  }

  /** Bytes that the next commit will write for entries and changes. */
  get waitingBytes(): number {
    return this.waiting;
  }

  /** Reads the end of the log again: a reading thread or process sees what the writer has committed since. */
  refresh(): void {
    this.environment.refresh();
    const [newest] = this.entries.getRange({ reverse: true, limit: 1 });
    if (newest === undefined) return;
    const bytes = unpackRow(Buffer.from(newest.value));
    this.committed = Number(Buffer.from(newest.key).readBigUInt64BE());
    this.last = this.committed;
    if (bytes === undefined || decodeEntry(bytes)?.seq !== this.last) throw entryDamage(this.file, this.last);
    this.lastHash = hashOfEntry(bytes);
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
    this.waitingEntries.set(seq, bytes);
    if (changes) this.waitingChanges.set(seq, changes);
    this.waiting += bytes.length + (changes?.length ?? 0);
    this.last = seq;
    this.lastHash = hashOfEntry(bytes);
    if (!this.hasPlaces) this.beginPlaces(seq);
    if (full.kind === 'applied') this.lookup.add(full);
    if (full.kind === 'base') this.lookup.add({ ...full, transactionIds: [] });
    if (full.kind === 'reverted') this.index.takeBack(full);
    return seq;
  }

  /** Writes all that waits as one transaction, flushed. @throws {TronError} STORAGE_FAILED; what waits then still waits. */
  commit(): void {
    if (this.waitingEntries.size === 0 && this.waitingChanges.size === 0) return;
    this.environment.commit(() => {
      for (const [seq, bytes] of this.waitingEntries) this.entries.putSync(seqKey(seq), packEntry(bytes));
      for (const [seq, bytes] of this.waitingChanges) {
        if (bytes === undefined) this.changesTable.removeSync(seqKey(seq));
        else this.changesTable.putSync(seqKey(seq), packChanges(bytes));
      }
      for (const seq of this.leaving) this.entries.removeSync(seqKey(seq));
      if (this.leaving.length > 0 && this.base !== undefined) this.brought.forget(BROUGHT_FORGOTTEN);
      for (const table of this.tables()) table.write();
    });
    this.leaving.length = 0;
    this.waitingEntries.clear();
    this.waitingChanges.clear();
    for (const table of this.tables()) table.clear();
    this.waiting = 0;
    this.committed = this.last;
  }

  /** A small fact that is committed with the entries. */
  fact(name: string): Buffer | undefined {
    const row = this.meta.get(Buffer.from(name));
    if (row === undefined) return undefined;
    const value = openMetaRow(name, row as Buffer);
    if (value === undefined) throw logDamage(this.file, `its fact '${name}' is not what was written`);
    return value;
  }

  /** Changes a fact with the next commit; `undefined` removes it. */
  setFact(name: string, value: Uint8Array | undefined): void {
    if (value === undefined) this.meta.remove(Buffer.from(name));
    else this.meta.put(Buffer.from(name), sealMetaRow(name, value));
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
      this.meta.write();
    });
    this.history.clear();
    this.meta.clear();
  }

  /** @throws {DamageError} when the bytes are not what was appended; {RangeError} for a seq that does not exist. */
  entry(seq: number): LogEntry {
    return this.decode(seq, this.storedEntry(seq));
  }

  /** An entry as it is stored. @throws as {@link entry} does */
  bytesOf(seq: number): Uint8Array {
    const bytes = this.storedEntry(seq);
    this.decode(seq, bytes);
    return bytes as Uint8Array;
  }

  /** Hash of an entry: what the next one links to. */
  hashOf(seq: number): Uint8Array {
    return hashOfEntry(this.bytesOf(seq));
  }

  /** The `changes` record of an applied entry, checked against the entry; `undefined` when it is no longer kept. */
  changes(seq: number): Buffer | undefined {
    const waiting = this.waitingChanges.get(seq);
    if (waiting !== undefined || this.waitingChanges.has(seq)) return waiting;
    const stored = this.changesTable.getBinary(seqKey(seq));
    if (stored === undefined) return undefined;
    const bytes = unpackRow(stored);
    const entry = this.entry(seq);
    if (bytes === undefined || entry.kind !== 'applied' || checksum64(bytes) !== entry.changesChecksum)
      throw entryDamage(this.file, seq, 'changes');
    return bytes;
  }

  /** Forgets the `changes` record of an entry with the next commit. */
  forgetChanges(seq: number): void {
    if (seq <= this.committed) this.waitingChanges.set(seq, undefined);
    else this.waitingChanges.delete(seq);
  }

  /**
   * Lets all entries up to a canonical, irreversible block leave with the next commit, with their changes and what the lookup tables
   * know of them. Entry 0 stays. @throws {RangeError} a block that is not there
   */
  cutTo(number: number): void {
    const block = this.index.block(number);
    if (block === undefined || block.seq === 0) throw new RangeError(`block ${number} is no entry of the log`);
    for (let seq = this.after(0); seq <= block.seq; seq++) this.leave(seq);
    const { seq, id, digest } = block;
    this.setFact(CUT, encodeCut({ seq, number, id, digest, hash: this.hashOf(seq) }));
  }

  /** Seq of the entry behind another one: the next number, but behind entry 0 the first that has not left. */
  after(seq: number): number {
    return seq === 0 ? (this.cut?.seq ?? 0) + 1 : seq + 1;
  }

  /** Seqs above 0 whose `changes` are on the disk, ascending from `from`. */
  *changesFrom(from: number): IterableIterator<number> {
    for (const key of this.changesTable.getKeys({ start: seqKey(from) })) yield readSeq(key);
  }

  /**
   * Entries on the disk from `fromSeq` on, as many as fit `bytesMax` (at least one when there is one). From 0 on all that are there.
   * @throws {TronError} LOG_CUT when the entry has left
   */
  page(fromSeq: number, bytesMax: number): LogEntry[] {
    const page: LogEntry[] = [];
    let bytes = 0;
    const begin = fromSeq === 1 ? this.after(0) : fromSeq;
    for (let seq = begin; seq <= this.committed && bytes < bytesMax; seq = this.after(seq)) {
      const stored = this.storedEntry(seq);
      page.push(this.decode(seq, stored));
      bytes += stored?.length ?? 0;
    }
    return page;
  }

  close(): Promise<void> {
    return this.environment.close();
  }

  /** Bytes of an entry, in any case not packed; undefined where there is none, and for a row that nobody can unpack. */
  private storedEntry(seq: number): Buffer | undefined {
    const waiting = this.waitingEntries.get(seq);
    if (waiting !== undefined) return waiting;
    const stored = this.entries.getBinary(seqKey(seq));
    return stored && unpackRow(stored);
  }

  private beginPlaces(seq: number): void {
    if (this.fact(PLACES_FROM) === undefined) this.setFact(PLACES_FROM, seqKey(seq));
    this.hasPlaces = true;
  }

  private leave(seq: number): void {
    const entry = this.entry(seq);
    this.leaving.push(seq);
    this.forgetChanges(seq);
    if (entry.kind === 'applied') this.lookup.forget(entry);
  }

  private *tables(): IterableIterator<PendingTable> {
    yield* [...this.lookup.all(), this.history, this.meta];
  }

  private decode(seq: number, bytes: Uint8Array | undefined): LogEntry {
    if (bytes === undefined && (seq < 0 || seq > this.last)) throw new RangeError(`the log has no entry ${seq}`);
    const entry = bytes && decodeEntry(bytes);
    if (entry === undefined && this.hasLeft(seq)) throw this.cutError(seq);
    if (entry?.seq !== seq) throw entryDamage(this.file, seq);
    return entry;
  }

  private hasLeft(seq: number): boolean {
    return seq > 0 && seq <= (this.cut?.seq ?? 0);
  }

  private cutError(seq: number): TronError {
    const { number } = this.cut as LogCut;
    return new TronError(
      'LOG_CUT',
      `entry ${seq} has left the log, which begins above block ${number}: tronicle.log.retention sets how many blocks stay`,
    );
  }
}
