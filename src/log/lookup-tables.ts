import type { Environment } from '../disk/environment.js';
import { HASH_BYTES } from '../domain/hash.js';
import { readSeq, seqKey } from './block-key.js';
import type { AppliedEntry } from './log-entry.js';
import { PendingTable } from './pending-table.js';

/** What the tables know of a block. */
type IndexedBlock = Pick<AppliedEntry, 'seq' | 'number' | 'id' | 'transactionIds'>;

/** Where a transaction stands. */
export interface TransactionRow {
  readonly seq: number;
  readonly number: number;
  readonly index: number;
}

/** The tables that follow from the entries: where a block id, a canonical height and a canonical transaction are. */
export class LookupTables {
  private readonly ids: PendingTable;
  private readonly heights: PendingTable;
  private readonly transactions: PendingTable;

  constructor(environment: Environment) {
    this.ids = new PendingTable(environment.table('ids'));
    this.heights = new PendingTable(environment.table('heights'));
    this.transactions = new PendingTable(environment.table('transactions'));
  }

  all(): readonly PendingTable[] {
    return [this.ids, this.heights, this.transactions];
  }

  /** Seq and id of the canonical block of a height. */
  height(number: number): { readonly seq: number; readonly id: Uint8Array } | undefined {
    const row = this.heights.get(seqKey(number));
    return row && { seq: readSeq(row), id: row.subarray(8) };
  }

  seqOfId(id: Uint8Array): number | undefined {
    if (id.length > HASH_BYTES) return undefined;
    const row = this.ids.get(id);
    return row && readSeq(row);
  }

  transaction(id: Uint8Array): TransactionRow | undefined {
    const row = this.transactions.get(id);
    if (row === undefined) return undefined;
    const view = Buffer.from(row.buffer, row.byteOffset, row.byteLength);
    return { seq: readSeq(view), number: Number(view.readBigUInt64BE(8)), index: view.readUInt32BE(16) };
  }

  /** A block became the head. */
  add({ seq, number, id, transactionIds }: IndexedBlock): void {
    const at = seqKey(seq);
    this.ids.put(id, at);
    this.heights.put(seqKey(number), Buffer.concat([at, id]));
    for (const [index, transactionId] of transactionIds.entries()) {
      this.transactions.put(transactionId, transactionRow(at, number, index));
    }
  }

  /** A block was taken back. Its id stays known. */
  takeBack({ seq, number, transactionIds }: IndexedBlock): void {
    if (this.height(number)?.seq === seq) this.heights.remove(seqKey(number));
    for (const id of transactionIds) if (this.transaction(id)?.seq === seq) this.transactions.remove(id);
  }

  /** A block has left the log. */
  forget(block: IndexedBlock): void {
    if (this.seqOfId(block.id) === block.seq) this.ids.remove(block.id);
    this.takeBack(block);
  }
}

/** Value of the transaction table: seq, number, index in the block. */
export function transactionRow(at: Buffer, number: number, index: number): Buffer {
  const row = Buffer.allocUnsafe(20);
  row.set(at, 0);
  row.set(seqKey(number), 8);
  row.writeUInt32BE(index, 16);
  return row;
}
