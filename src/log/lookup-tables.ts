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

/** Fields of a block that the tables index. */
type IndexedBlock = Pick<AppliedEntry, 'seq' | 'number' | 'id' | 'transactionIds'>;

/**
 * Lookup tables derived from the entries: block id to entry, height to canonical block, and transaction id to position.
 */
export class LookupTables {
  private readonly ids: PendingTable;
  private readonly heights: PendingTable;
  private readonly positions: PendingTable;
  /**
   * Transaction positions in an older format, for entries whose seq is below the value of the fact `POSITIONS_FROM`.
   * Empty in a log that this release created.
   */
  private readonly olderPositions: PendingTable;
  private readonly hasOlder: boolean;

  constructor(environment: Environment) {
    this.ids = new PendingTable(environment.table('ids'));
    this.heights = new PendingTable(environment.table('heights'));
    this.positions = new PendingTable(environment.table('places'));
    this.olderPositions = new PendingTable(environment.table('transactions'));
    this.hasOlder = [...this.olderPositions.table.getKeys({ limit: 1 })].length > 0;
  }

  all(): readonly PendingTable[] {
    return [this.ids, this.heights, this.positions, this.olderPositions];
  }

  /** Returns seq and id of the canonical block at a height; undefined if the table has no such height. */
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
   * Returns the position of a canonical transaction; undefined if the tables do not contain it. Compares only the first
   * 20 bytes of the id. Two real hashes never share these bytes.
   */
  position(id: Uint8Array): TransactionPosition | undefined {
    if (id.length !== HASH_BYTES) return undefined;
    const row = this.positions.get(positionKey(id));
    if (row !== undefined) return decodePosition(row);
    const older = this.hasOlder ? this.olderPositions.get(id) : undefined;
    return older && decodeOlderPosition(older);
  }

  /** Adds a block that became the head. */
  add({ seq, number, id, transactionIds }: IndexedBlock): void {
    const at = seqKey(seq);
    this.ids.put(id, at);
    this.heights.put(seqKey(number), Buffer.concat([at, id]));
    for (const [index, transactionId] of transactionIds.entries()) {
      this.positions.put(positionKey(transactionId), positionRow({ seq, index }));
    }
  }

  /** Removes a reverted block. The table of ids still contains its id. */
  removeReverted({ seq, number, transactionIds }: IndexedBlock): void {
    if (this.height(number)?.seq === seq) this.heights.remove(seqKey(number));
    for (const id of transactionIds) {
      if (this.position(id)?.seq !== seq) continue;
      this.positions.remove(positionKey(id));
      if (this.hasOlder) this.olderPositions.remove(id);
    }
  }

  /** Removes a pruned block. */
  forget(block: IndexedBlock): void {
    if (this.seqOfId(block.id) === block.seq) this.ids.remove(block.id);
    this.removeReverted(block);
  }
}
