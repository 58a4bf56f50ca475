import { readSeq, seqKey } from './block-key.js';
import { HASH_BYTES } from './log-entry.js';
import { PendingTable } from './pending-table.js';
/** The tables that follow from the entries: where a block id, a canonical height and a canonical transaction are. */
export class LookupTables {
    ids;
    heights;
    transactions;
    constructor(environment) {
        this.ids = new PendingTable(environment.table('ids'));
        this.heights = new PendingTable(environment.table('heights'));
        this.transactions = new PendingTable(environment.table('transactions'));
    }
    all() {
        return [this.ids, this.heights, this.transactions];
    }
    /** Seq and id of the canonical block of a height. */
    height(number) {
        const row = this.heights.get(seqKey(number));
        return row && { seq: readSeq(row), id: row.subarray(8) };
    }
    seqOfId(id) {
        if (id.length > HASH_BYTES)
            return undefined;
        const row = this.ids.get(id);
        return row && readSeq(row);
    }
    transaction(id) {
        const row = this.transactions.get(id);
        if (row === undefined)
            return undefined;
        const view = Buffer.from(row.buffer, row.byteOffset, row.byteLength);
        return { seq: readSeq(view), number: Number(view.readBigUInt64BE(8)), index: view.readUInt32BE(16) };
    }
    /** A block became the head. */
    add({ seq, number, id, transactionIds }) {
        const at = seqKey(seq);
        this.ids.put(id, at);
        this.heights.put(seqKey(number), Buffer.concat([at, id]));
        for (const [index, transactionId] of transactionIds.entries()) {
            this.transactions.put(transactionId, transactionRow(at, number, index));
        }
    }
    /** A block was taken back. Its id stays known. */
    takeBack({ seq, number, transactionIds }) {
        if (this.height(number)?.seq === seq)
            this.heights.remove(seqKey(number));
        for (const id of transactionIds)
            if (this.transaction(id)?.seq === seq)
                this.transactions.remove(id);
    }
    /** A block has left the log. */
    forget(block) {
        if (this.seqOfId(block.id) === block.seq)
            this.ids.remove(block.id);
        this.takeBack(block);
    }
}
/** Value of the transaction table: seq, number, index in the block. */
export function transactionRow(at, number, index) {
    const row = Buffer.allocUnsafe(20);
    row.set(at, 0);
    row.set(seqKey(number), 8);
    row.writeUInt32BE(index, 16);
    return row;
}
//# sourceMappingURL=lookup-tables.js.map