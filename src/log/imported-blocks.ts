import { checksum64 } from '../crypto/checksum.js';
import { HASH_BYTES } from '../crypto/hash.js';
import { equalBytes } from '../primitives/bytes.js';
import { DamageError } from '../primitives/errors.js';
import { readSeq, seqKey } from './block-key.js';
import type { BytesTable, Environment } from './lmdb/environment.js';

/** A block below the start of the log, as the source of the bootstrap provides it. */
interface ImportedRow {
  readonly number: number;
  readonly id: Uint8Array;
  readonly transactionIds: readonly Uint8Array[];
  readonly block: Uint8Array;
  /** `protocol.TransactionRet`; empty if the source had none. */
  readonly results: Uint8Array;
}

const GENESIS = seqKey(0);

/** Names of the tables of imported blocks. */
export const IMPORTED_TABLES = ['brought-ids', 'brought-blocks', 'brought-transactions'] as const;

/**
 * Imported data of the blocks below the start of a log. Contains block ids for TAPOS and BLOCKHASH, transaction ids for
 * the duplicate check, and the requested number of whole blocks. Written once, before the first entry of the log. Each
 * row ends with its checksum.
 */
export class ImportedBlocks {
  private readonly ids: BytesTable;
  private readonly blocks: BytesTable;
  private readonly transactions: BytesTable;
  private readonly file: string;

  constructor(environment: Environment, file: string) {
    const [ids, blocks, transactions] = IMPORTED_TABLES;
    this.ids = environment.table(ids);
    this.blocks = environment.table(blocks);
    this.transactions = environment.table(transactions);
    this.file = file;
  }

  idAt(number: number): Uint8Array | undefined {
    return this.read(this.ids, seqKey(number));
  }

  /**
   * Returns the 8 bytes of a block id that transactions contain as a reference (TAPOS). `low` is the low 16 bits of the
   * block's height. Reference: RecentBlockStore.
   */
  tapos(low: number): Uint8Array | undefined {
    return this.read(this.ids, taposKey(low));
  }

  /** Must be called within a database transaction. */
  putTapos(low: number, hash: Uint8Array): void {
    put(this.ids, taposKey(low), hash);
  }

  has(number: number): boolean {
    return this.blocks.getBinaryFast(seqKey(number)) !== undefined;
  }

  block(number: number): ImportedRow | undefined {
    const row = this.read(this.blocks, seqKey(number));
    const id = row && this.idAt(number);
    if (row === undefined || id === undefined) return undefined;
    const count = row.readUInt32BE(0);
    const transactionIds = Array.from({ length: count }, (_, at) =>
      row.subarray(4 + at * HASH_BYTES, 4 + (at + 1) * HASH_BYTES),
    );
    const at = 4 + count * HASH_BYTES;
    const end = at + 4 + row.readUInt32BE(at);
    return { number, id, transactionIds, block: row.subarray(at + 4, end), results: row.subarray(end) };
  }

  transaction(id: Uint8Array): { readonly number: number; readonly index: number } | undefined {
    const row = this.read(this.transactions, id);
    return row && { number: readSeq(row), index: row.readUInt32BE(8) };
  }

  /** Must be called within a database transaction. */
  putId(number: number, id: Uint8Array): void {
    put(this.ids, seqKey(number), id);
  }

  /** Must be called within a database transaction. */
  putTransaction(id: Uint8Array, number: number, index: number): void {
    const row = Buffer.alloc(12);
    row.set(seqKey(number), 0);
    row.writeUInt32BE(index, 8);
    put(this.transactions, id, row);
  }

  /** Must be called within a database transaction. */
  putBlock({ number, transactionIds, block, results }: ImportedRow): void {
    const row = Buffer.allocUnsafe(8 + transactionIds.length * HASH_BYTES + block.length + results.length);
    let at = row.writeUInt32BE(transactionIds.length, 0);
    for (const id of transactionIds) {
      row.set(id, at);
      at += HASH_BYTES;
    }
    at = row.writeUInt32BE(block.length, at);
    row.set(block, at);
    row.set(results, at + block.length);
    put(this.blocks, seqKey(number), row);
  }

  /**
   * Deletes the first `rows` rows of each table, except genesis. Must be called in the database transaction that prunes
   * entries of the log.
   */
  forget(rows: number): void {
    for (const table of [this.ids, this.blocks, this.transactions]) {
      for (const key of [...table.getKeys({ limit: rows })]) if (!equalBytes(key, GENESIS)) table.removeSync(key);
    }
  }

  private read(table: BytesTable, key: Uint8Array): Buffer | undefined {
    const bytes = table.getBinary(key);
    if (bytes === undefined) return undefined;
    const value = openImported(key, bytes);
    if (value !== undefined) return value;
    throw new DamageError(
      `${this.file} is damaged: an imported block below the start of the log is corrupt; restore a backup, or run 'tronicle bootstrap' into a new folder`,
    );
  }
}

/** Returns the value of a row without its checksum, or undefined if the checksum does not match. */
export function openImported(key: Uint8Array, bytes: Buffer): Buffer | undefined {
  const end = bytes.length - 8;
  if (end < 0) return undefined;
  const value = bytes.subarray(0, end);
  return bytes.readBigUInt64BE(end) === checksum64(value, checksum64(key)) ? value : undefined;
}

function taposKey(low: number): Buffer {
  return Buffer.from([low >> 8, low & 0xff]);
}

function put(table: BytesTable, key: Uint8Array, value: Uint8Array): void {
  const bytes = Buffer.allocUnsafe(value.length + 8);
  bytes.set(value, 0);
  bytes.writeBigUInt64BE(checksum64(value, checksum64(key)), value.length);
  table.putSync(key, bytes);
}
