import { readSeq, seqKey, transactionRow } from '../log/block-log.js';
import { checksum64 } from '../log/checksum.js';
import { equalBytes } from '../log/domain/bytes.js';
import { LmdbFileError } from '../log/lmdb-file.js';
import { type AppliedEntry, decodeEntry, hashOfEntry, NO_HASH, previousHashOfEntry } from '../log/log-entry.js';
import { openMetaRow } from '../log/meta-row.js';
import { ChangeSet } from './change-set.js';
import { historyKey } from './history.js';

interface Block {
  readonly seq: number;
  readonly number: number;
  readonly id: Buffer;
  readonly digest: Buffer;
  readonly transactions: bigint;
}

/** Sum of the checksums of a table's rows: equal when the rows are, in whatever order they are met. */
type TableSum = bigint;

/**
 * Checks the tables of a log while they are read, the entries first. What the lookup tables must hold follows from the entries; it is
 * compared as a sum over the rows' checksums, so that memory stays small against the log.
 */
export class LogReading {
  entries = 0;
  private readonly canonical: Block[] = [];
  private readonly hashes: Buffer[] = [];
  private readonly changesOfSeq = new Map<number, { readonly checksum: bigint; readonly number: number }>();
  private readonly digests = new Map<string, Buffer>();
  private readonly should = new Map<string, TableSum>();
  private readonly found = new Map<string, TableSum>();
  private readonly keptHeights = new Set<number>();
  private readonly meta = new Map<string, Buffer>();
  private readonly seqOfId = new Map<string, number>();
  private historySum: TableSum = 0n;
  private previousHash: Uint8Array = NO_HASH;
  private solidified: Buffer | undefined;

  /** One row, in the order of its table; `entries` must come before all others. @throws {LmdbFileError} */
  row(table: string, key: Buffer, value: Buffer): void {
    if (table === 'entries') this.entry(key, value);
    else if (table === 'changes') this.changes(readSeq(key), value);
    else if (table === 'meta') this.metaRow(key, value);
    else add(this.found, table, sumOf(key, value));
  }

  /** After the last row. @throws {LmdbFileError} */
  finish(): void {
    if (this.entries === 0) throw new LmdbFileError('it holds no entry');
    for (const { seq, number, id, transactions } of this.canonical) {
      add(this.should, 'heights', sumOf(seqKey(number), Buffer.concat([seqKey(seq), id])));
      add(this.should, 'transactions', transactions);
    }
    for (const [id, seq] of this.seqOfId) add(this.should, 'ids', sumOf(Buffer.from(id, 'latin1'), seqKey(seq)));
    if (this.meta.has('indexed')) add(this.should, 'history', this.historySum);
    for (const table of ['heights', 'transactions', 'ids', 'history']) {
      if ((this.found.get(table) ?? 0n) === (this.should.get(table) ?? 0n)) continue;
      throw new LmdbFileError(`its table '${table}' does not follow from the entries`);
    }
    this.checkMeta();
  }

  head(): { readonly number: number; readonly id: Uint8Array; readonly digest: Uint8Array } {
    return this.canonical.at(-1) as Block;
  }

  hashOf(seq: number): Uint8Array | undefined {
    return this.hashes[seq];
  }

  /** Digest after a block, canonical or taken back. */
  digestOf(id: Uint8Array): Uint8Array | undefined {
    return this.digests.get(Buffer.from(id).toString('latin1'));
  }

  private entry(key: Buffer, value: Buffer): void {
    const seq = this.entries;
    const entry = readSeq(key) === seq ? decodeEntry(value) : undefined;
    if (entry?.seq !== seq) throw new LmdbFileError(`entry ${seq} is missing or not what was written`);
    if (!equalBytes(previousHashOfEntry(value), this.previousHash)) {
      throw new LmdbFileError(`entry ${seq} does not continue the hash chain`);
    }
    this.previousHash = Buffer.from(hashOfEntry(value));
    this.hashes.push(this.previousHash as Buffer);
    this.entries++;
    const head = this.canonical.at(-1);
    if (entry.kind === 'applied') this.applied(entry, head);
    else if (entry.kind === 'solidified') this.solidified = Buffer.concat([seqKey(entry.number), entry.id]);
    else if (head?.number === entry.number && equalBytes(head.id, entry.id)) this.canonical.pop();
    else throw new LmdbFileError(`entry ${seq} takes back a block that is not the newest`);
  }

  private applied(entry: AppliedEntry, head: Block | undefined): void {
    const { seq, number } = entry;
    if (number !== (head?.number ?? -1) + 1 || (head && !equalBytes(head.id, entry.parentId))) {
      throw new LmdbFileError(`entry ${seq} does not continue the chain`);
    }
    const at = seqKey(seq);
    let transactions = 0n;
    for (const [index, id] of entry.transactionIds.entries())
      transactions += sumOf(id, transactionRow(at, number, index));
    const id = Buffer.from(entry.id);
    const digest = Buffer.from(entry.digest);
    this.canonical.push({ seq, number, id, digest, transactions });
    const text = id.toString('latin1');
    this.digests.set(text, digest);
    this.seqOfId.set(text, seq);
    this.changesOfSeq.set(seq, { checksum: entry.changesChecksum, number });
  }

  private changes(seq: number, value: Buffer): void {
    const entry = this.changesOfSeq.get(seq);
    if (entry?.checksum !== checksum64(value)) throw new LmdbFileError(`changes ${seq} are not what was written`);
    if (this.canonical[entry.number]?.seq !== seq) return;
    this.keptHeights.add(entry.number);
    if (entry.number === 0) return;
    const at = seqKey(seq);
    for (const { text } of new ChangeSet(value).rows()) this.historySum += sumOf(historyKey(text, entry.number), at);
  }

  private metaRow(key: Buffer, value: Buffer): void {
    const name = key.toString();
    const opened = openMetaRow(name, value);
    if (opened === undefined) throw new LmdbFileError(`its fact '${name}' is not what was written`);
    this.meta.set(name, opened);
  }

  private checkMeta(): void {
    const solidified = this.meta.get('solidified');
    if (
      solidified === undefined
        ? this.solidified !== undefined
        : !this.solidified || !equalBytes(solidified, this.solidified)
    ) {
      throw new LmdbFileError('its solidified block is not that of the entries');
    }
    const kept = this.meta.get('kept');
    for (let number = kept ? readSeq(kept) + 1 : 0; number < this.canonical.length; number++) {
      if (!this.keptHeights.has(number)) throw new LmdbFileError(`the changes of block ${number} are missing`);
    }
  }
}

function sumOf(key: Uint8Array, value: Uint8Array): bigint {
  return checksum64(value, checksum64(key));
}

function add(sums: Map<string, TableSum>, table: string, sum: bigint): void {
  sums.set(table, BigInt.asUintN(64, (sums.get(table) ?? 0n) + sum));
}
