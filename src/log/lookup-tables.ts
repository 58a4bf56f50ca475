import { HASH_BYTES } from '../crypto/hash.js';
import { readSeq, seqKey } from './block-key.js';
import type { Environment } from './lmdb/environment.js';
import type { AppliedEntry } from './log-entry.js';
import { PendingTable } from './pending-table.js';
import {
  decodeOlderPosition,
  decodePosition,
  positionKey,
  positionRow,
  type TransactionPosition,
} from './transaction-position.js';

/** What the tables know of a block. */
type IndexedBlock = Pick<AppliedEntry, 'seq' | 'number' | 'id' | 'transactionIds'>;

/** The tables that follow from the entries: where a block id, a canonical height and a canonical transaction are. */
export class LookupTables {
  private readonly ids: PendingTable;
  private readonly heights: PendingTable;
  private readonly places: PendingTable;
  /**
   * Of transactions in entries below the one that `PLACES_FROM` names; empty in a log that is younger than the other
   * table.
   */
  private readonly olderPlaces: PendingTable;
  private readonly hasOlder: boolean;

  constructor(environment: Environment) {
    this.ids = new PendingTable(environment.table('ids'));
    this.heights = new PendingTable(environment.table('heights'));
    this.places = new PendingTable(environment.table('places'));
    this.olderPlaces = new PendingTable(environment.table('transactions'));
    this.hasOlder = [...this.olderPlaces.table.getKeys({ limit: 1 })].length > 0;
  }

  all(): readonly PendingTable[] {
    return [this.ids, this.heights, this.places, this.olderPlaces];
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

  /**
   * Where a canonical transaction stands whose id begins as this one does: the same one, if the id is a hash of
   * anything.
   */
  place(id: Uint8Array): TransactionPosition | undefined {
    if (id.length !== HASH_BYTES) return undefined;
    const row = this.places.get(positionKey(id));
    if (row !== undefined) return decodePosition(row);
    const older = this.hasOlder ? this.olderPlaces.get(id) : undefined;
    return older && decodeOlderPosition(older);
  }

  /** A block became the head. */
  add({ seq, number, id, transactionIds }: IndexedBlock): void {
    const at = seqKey(seq);
    this.ids.put(id, at);
    this.heights.put(seqKey(number), Buffer.concat([at, id]));
    for (const [index, transactionId] of transactionIds.entries()) {
      this.places.put(positionKey(transactionId), positionRow({ seq, index }));
    }
  }

  /** A block was taken back. Its id stays known. */
  takeBack({ seq, number, transactionIds }: IndexedBlock): void {
    if (this.height(number)?.seq === seq) this.heights.remove(seqKey(number));
    for (const id of transactionIds) {
      if (this.place(id)?.seq !== seq) continue;
      this.places.remove(positionKey(id));
      if (this.hasOlder) this.olderPlaces.remove(id);
    }
  }

  /** A block has left the log. */
  forget(block: IndexedBlock): void {
    if (this.seqOfId(block.id) === block.seq) this.ids.remove(block.id);
    this.takeBack(block);
  }
}
