import { checksum64 } from '../../crypto/checksum.js';
import { readSeq, seqKey } from '../../log/block-key.js';
import { IMPORTED_TABLES, openImported } from '../../log/imported-blocks.js';
import { LmdbFileError } from '../../log/lmdb/lmdb-file.js';
import { openMetaRow } from '../../log/lmdb/meta-row.js';
import {
  type AppliedEntry,
  type BaseEntry,
  decodeEntry,
  hashOfEntry,
  NO_HASH,
  previousHashOfEntry,
  type RevertedEntry,
} from '../../log/log-entry.js';
import { decodePruneMark, PRUNE_KEY, type PruneMark } from '../../log/log-start.js';
import { PackedRecords } from '../../log/packed-records.js';
import { unpackRow } from '../../log/rows/packed-row.js';
import { olderPositionRow, POSITIONS_FROM, positionKey, positionRow } from '../../log/transaction-position.js';
import { equalBytes } from '../../primitives/bytes.js';
import { historyKey } from '../ledger/history.js';
import { ChangeSet } from '../state/change-set.js';

/**
 * Tables with the positions of transactions in blocks: `transactions` for older log entries, `places` for entries
 * from the seq `POSITIONS_FROM` on.
 */
const PLACE_TABLES = ['transactions', 'places'] as const;
/**
 * Bytes per canonical block in memory: seq (8), id (32), digest (32), sum of the checksums of its transaction lookup
 * rows (8).
 */
const BLOCK_BYTES = 80;
/**
 * Bytes per entry in memory: height (8), checksum of its `changes` record (8), and a byte that is 1 for an `applied`
 * entry.
 */
const ENTRY_BYTES = 17;

/**
 * Checks the tables of a log while they are read: first the table `meta`, then the entries, then all other tables.
 * Computes the expected lookup rows from the entries. To save memory, compares only the sums of the checksums of the
 * expected and of the found rows.
 */
export class LogReading {
  private readonly canonical = new PackedRecords(BLOCK_BYTES);
  private readonly entryRecords = new PackedRecords(ENTRY_BYTES);
  private readonly should = new Map<string, bigint>();
  private readonly found = new Map<string, bigint>();
  /** Reverted blocks by id. If such a block is applied again, the table `ids` then refers to the new entry. */
  private readonly revertedBlocks = new Map<string, { readonly seq: number; readonly digest: Uint8Array }>();
  private readonly meta = new Map<string, Buffer>();
  private readonly watchedSeq: number;
  private watchedHash: Buffer | undefined;
  private keptHeights = new Uint8Array(0);
  private historySum = 0n;
  /**
   * Height of the first block in `canonical`: 0, the height of the base (the imported state), or the newest pruned
   * block.
   */
  private startNumber = 0;
  /** Number of pruned entries after entry 0. */
  private prunedCount = 0;
  private previousHash: Uint8Array = NO_HASH;
  private solidified: Buffer | undefined;

  /** Starts a check. @param watchedSeq entry whose hash {@link hashOfWatched} returns; -1 for no entry */
  constructor(watchedSeq: number) {
    this.watchedSeq = watchedSeq;
  }

  /** Number of entries read so far. */
  get entries(): number {
    return this.entryRecords.length;
  }

  get hasBlock(): boolean {
    return this.canonical.length > 0;
  }

  /** Seq of the newest entry. */
  get lastSeq(): number {
    return this.entryRecords.length === 0 ? -1 : this.prunedCount + this.entryRecords.length - 1;
  }

  /**
   * Checks one row. Before all other tables, `meta` and then `entries` must be read, each in key order.
   * @throws {LmdbFileError} the row is invalid
   */
  row(table: string, key: Buffer, value: Buffer): void {
    if (table === 'entries') this.entry(key, value);
    else if (table === 'changes') this.changes(readSeq(key), value);
    else if (table === 'meta') this.metaRow(key, value);
    else if (isImported(table)) checkImported(table, key, value);
    else add(this.found, table, sumOf(key, value));
  }

  /**
   * Compares, for each table, the sum of the checksums of the expected rows with that of the found rows. Must be
   * called after the last row.
   * @throws {LmdbFileError} the log is incomplete, or a table does not match the entries
   */
  finish(): void {
    const cut = this.cut();
    if (cut !== undefined && this.prunedCount === 0)
      throw new LmdbFileError(`entry ${cut.seq + 1}, the first entry after the deleted ones, is missing`);
    if (this.meta.has('indexed')) add(this.should, 'history', this.historySum);
    for (const table of ['heights', ...PLACE_TABLES, 'ids', 'history']) {
      if ((this.found.get(table) ?? 0n) === (this.should.get(table) ?? 0n)) continue;
      throw new LmdbFileError(`table '${table}' does not match the entries`);
    }
    this.checkMeta();
  }

  head(): { readonly number: number; readonly id: Uint8Array; readonly digest: Uint8Array } {
    const number = this.next - 1;
    return { number, ...this.block(number) };
  }

  /** Returns the hash of the watched entry; undefined if the log ends before this entry. */
  hashOfWatched(): Uint8Array | undefined {
    return this.watchedHash;
  }

  /**
   * Returns the state digest after a block that was read; undefined for an unknown id. The block may be canonical or
   * reverted.
   */
  digestOf(id: Uint8Array): Uint8Array | undefined {
    const number = readSeq(id);
    const block = number >= this.startNumber && number < this.next ? this.block(number) : undefined;
    if (block && equalBytes(block.id, id)) return block.digest;
    return this.revertedBlocks.get(Buffer.from(id).toString('latin1'))?.digest;
  }

  private entry(key: Buffer, stored: Buffer): void {
    const value = unpackRow(stored) ?? stored;
    if (this.entries === 1 && this.prunedCount === 0) this.skipPruned();
    const seq = this.lastSeq + 1;
    const entry = readSeq(key) === seq ? decodeEntry(value) : undefined;
    if (entry?.seq !== seq) throw new LmdbFileError(`entry ${seq} is missing or corrupt`);
    if (!equalBytes(previousHashOfEntry(value), this.previousHash)) {
      throw new LmdbFileError(`entry ${seq} does not contain the hash of the previous entry`);
    }
    this.previousHash = Buffer.from(hashOfEntry(value));
    if (seq === this.watchedSeq) this.watchedHash = this.previousHash as Buffer;
    const record = this.entryRecords.push();
    record.set(seqKey(entry.number), 0);
    if (entry.kind === 'applied') {
      record.writeBigUInt64BE(entry.changesChecksum, 8);
      record[16] = 1;
      this.applied(entry);
    } else if (entry.kind === 'base') this.base(entry);
    else if (entry.kind === 'solidified') this.solidified = Buffer.concat([seqKey(entry.number), entry.id]);
    else this.reverted(entry);
  }

  /** Height of the next canonical block. */
  private get next(): number {
    return this.startNumber + this.canonical.length;
  }

  /** Skips the pruned entries after entry 0. */
  private skipPruned(): void {
    const cut = this.cut();
    if (cut === undefined) return;
    this.prunedCount = cut.seq;
    this.previousHash = cut.hash;
    this.canonical.length = 0;
    this.startAt(cut);
  }

  private cut(): PruneMark | undefined {
    const row = this.meta.get(PRUNE_KEY);
    return row && decodePruneMark(row);
  }

  /** Stores a base (the imported state) or the newest pruned block as the parent of the first block to check. */
  private startAt({ seq, number, id, digest }: Pick<PruneMark, 'seq' | 'number' | 'id' | 'digest'>): void {
    this.startNumber = number;
    const record = this.canonical.push();
    record.set(seqKey(seq), 0);
    record.set(id, 8);
    record.set(digest, 40);
  }

  private base(entry: BaseEntry): void {
    const { seq, number, id } = entry;
    if (seq !== 0)
      throw new LmdbFileError(`entry ${seq} is a base (an imported state), but only entry 0 may be a base`);
    this.startAt(entry);
    const at = seqKey(seq);
    add(this.should, 'heights', sumOf(seqKey(number), Buffer.concat([at, id])));
    add(this.should, 'ids', sumOf(id, at));
  }

  private applied(entry: AppliedEntry): void {
    const { seq, number, id } = entry;
    const parent = number > this.startNumber && number <= this.next ? this.block(number - 1).id : undefined;
    if (number !== this.next || (parent && !equalBytes(parent, entry.parentId))) {
      throw new LmdbFileError(`entry ${seq} contains block ${number}, which does not follow the block before it`);
    }
    const at = seqKey(seq);
    const positionSum = this.positionSumOf(entry);
    const record = this.canonical.push();
    record.set(at, 0);
    record.set(id, 8);
    record.set(entry.digest, 40);
    record.writeBigUInt64BE(positionSum, 72);
    add(this.should, 'heights', sumOf(seqKey(number), Buffer.concat([at, id])));
    add(this.should, this.positionTable(seq), positionSum);
    add(this.should, 'ids', sumOf(id, at));
    const text = Buffer.from(id).toString('latin1');
    const before = this.revertedBlocks.get(text);
    if (before === undefined) return;
    add(this.should, 'ids', -sumOf(id, seqKey(before.seq)));
    this.revertedBlocks.delete(text);
  }

  private reverted({ seq, number, id }: RevertedEntry): void {
    const head = number > this.startNumber && number === this.next - 1 ? this.block(number) : undefined;
    if (head === undefined || !equalBytes(head.id, id)) {
      throw new LmdbFileError(`entry ${seq} reverts block ${number}, which is not the newest block`);
    }
    add(this.should, 'heights', -sumOf(seqKey(number), Buffer.concat([seqKey(head.seq), id])));
    add(this.should, this.positionTable(head.seq), -head.positionSum);
    this.revertedBlocks.set(Buffer.from(id).toString('latin1'), { seq: head.seq, digest: Buffer.from(head.digest) });
    this.canonical.pop();
  }

  private changes(seq: number, stored: Buffer): void {
    const value = unpackRow(stored) ?? stored;
    const at = seq === 0 ? 0 : seq - this.prunedCount;
    const record = at >= 0 && at < this.entryRecords.length ? this.entryRecords.at(at) : undefined;
    if (record?.[16] !== 1 || record.readBigUInt64BE(8) !== checksum64(value)) {
      throw new LmdbFileError(`the row changes of entry ${seq} are corrupt`);
    }
    const number = readSeq(record);
    if (number < this.startNumber || number >= this.next || this.block(number).seq !== seq) return;
    if (this.keptHeights.length === 0) this.keptHeights = new Uint8Array(this.canonical.length);
    this.keptHeights[number - this.startNumber] = 1;
    if (number === 0) return;
    const row = seqKey(seq);
    for (const { text } of new ChangeSet(value).rows()) this.historySum += sumOf(historyKey(text, number), row);
  }

  private positionSumOf({ seq, number, transactionIds }: AppliedEntry): bigint {
    const isOlder = this.positionTable(seq) === 'transactions';
    const sums = transactionIds.map((id, index) =>
      isOlder
        ? sumOf(id, olderPositionRow({ seq, index }, number))
        : sumOf(positionKey(id), positionRow({ seq, index })),
    );
    return BigInt.asUintN(
      64,
      sums.reduce((sum, one) => sum + one, 0n),
    );
  }

  /** Returns the position table for the transactions of an entry. */
  private positionTable(seq: number): (typeof PLACE_TABLES)[number] {
    const from = this.meta.get(POSITIONS_FROM);
    return from !== undefined && readSeq(from) <= seq ? 'places' : 'transactions';
  }

  private block(number: number): { seq: number; id: Uint8Array; digest: Uint8Array; positionSum: bigint } {
    const record = this.canonical.at(number - this.startNumber);
    return {
      seq: readSeq(record),
      id: record.subarray(8, 40),
      digest: record.subarray(40, 72),
      positionSum: record.readBigUInt64BE(72),
    };
  }

  private metaRow(key: Buffer, value: Buffer): void {
    const name = key.toString();
    const opened = openMetaRow(name, value);
    if (opened === undefined) throw new LmdbFileError(`the row '${name}' of table 'meta' is corrupt`);
    this.meta.set(name, opened);
  }

  private checkMeta(): void {
    const solidified = this.meta.get('solidified');
    if (
      solidified === undefined
        ? this.solidified !== undefined
        : !this.solidified || !equalBytes(solidified, this.solidified)
    ) {
      throw new LmdbFileError(
        'the table meta names another solidified block than the newest entry of the kind solidified',
      );
    }
    const lowestRetained = this.meta.get('kept');
    for (let number = lowestRetained ? readSeq(lowestRetained) + 1 : 0; number < this.next; number++) {
      if (this.keptHeights[number - this.startNumber] !== 1)
        throw new LmdbFileError(`the row changes of block ${number} are missing`);
    }
  }
}

function isImported(table: string): boolean {
  return (IMPORTED_TABLES as readonly string[]).includes(table);
}

function checkImported(table: string, key: Buffer, value: Buffer): void {
  if (openImported(key, value) === undefined) throw new LmdbFileError(`a row of table '${table}' is corrupt`);
}

function sumOf(key: Uint8Array, value: Uint8Array): bigint {
  return checksum64(value, checksum64(key));
}

function add(sums: Map<string, bigint>, table: string, sum: bigint): void {
  sums.set(table, BigInt.asUintN(64, (sums.get(table) ?? 0n) + sum));
}
