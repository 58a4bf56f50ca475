import { FormatError } from './byte-reader.js';
import { JavaDataError } from './java-data-error.js';
import { RandomFile } from './random-file.js';
import { SortedTable } from './sorted-table.js';
import { BlockCursor } from './table-block.js';
/** Order of most stores: unsigned bytes. */
export const compareAsBytes = (a, aBytes, b, bBytes) => a.compare(b, 0, bBytes, 0, aBytes);
/** Sequence (56 bits) and type (8) behind the user's key. */
const TAIL_BYTES = 8;
const DELETION = 0;
const VALUE = 1;
const SINGLE_DELETION = 7;
/** Rows of the tables of one level, which do not overlap, or of one table of level 0. */
export class TableRows {
    keyBytes = 0;
    sequence = 0;
    isDeletion = false;
    block = new BlockCursor({ hasValueLengths: true, tailBytes: TAIL_BYTES });
    tables;
    pathOf;
    isByteOrder;
    next_ = 0;
    file;
    table;
    blocks;
    rows = 0;
    hasBlock = false;
    constructor(tables, pathOf, isByteOrder) {
        this.tables = tables;
        this.pathOf = pathOf;
        this.isByteOrder = isByteOrder;
    }
    get key() {
        return this.block.key;
    }
    value() {
        return this.block.value;
    }
    next() {
        try {
            return this.step();
        }
        catch (error) {
            this.close();
            if (!(error instanceof FormatError))
                throw error;
            throw new JavaDataError(this.pathOf(this.tables[Math.max(0, this.next_ - 1)].number), error.message, {
                cause: error,
            });
        }
    }
    close() {
        this.file?.close();
        this.file = undefined;
        this.blocks = undefined;
    }
    step() {
        const { block } = this;
        while (!this.hasBlock || !block.next()) {
            if (this.blocks === undefined && !this.openTable())
                return false;
            const next = this.blocks.next();
            this.hasBlock = next.done !== true;
            if (next.done === true)
                this.endTable();
            else
                block.open(next.value);
        }
        const { key, keyBytes } = block;
        const end = keyBytes - TAIL_BYTES;
        if (end < 0)
            throw new FormatError('it holds a key without a sequence');
        if (this.isByteOrder && block.order < 0)
            throw new FormatError('its keys are not in order');
        if (this.rows++ === 0)
            this.checkEdge('smallest');
        const type = key[end];
        if (type !== VALUE && type !== DELETION && type !== SINGLE_DELETION) {
            throw new FormatError(`it holds a row of an unknown type (${type})`);
        }
        this.keyBytes = end;
        this.isDeletion = type !== VALUE;
        this.sequence =
            key.readUIntLE(end + 1, 4) + (key[end + 5] + (key[end + 6] << 8) + key[end + 7] * 65_536) * 2 ** 32;
        return true;
    }
    openTable() {
        const table = this.tables[this.next_];
        if (table === undefined)
            return false;
        this.next_++;
        this.file = new RandomFile(this.pathOf(table.number));
        if (this.file.size !== table.bytes) {
            throw new FormatError(`it has ${this.file.size} bytes, not the ${table.bytes} that the manifest says`);
        }
        this.table = new SortedTable(this.file);
        this.blocks = this.table.blocks();
        this.rows = 0;
        return true;
    }
    endTable() {
        if (this.rows > 0)
            this.checkEdge('largest');
        const { entries } = this.table;
        if (entries !== undefined && entries !== this.rows) {
            throw new FormatError(`it holds ${this.rows} rows, not the ${entries} that it says`);
        }
        this.close();
    }
    /** A table of another store, or of another time, has other first and last keys than the manifest says. */
    checkEdge(edge) {
        const { key, keyBytes } = this.block;
        const should = this.tables[this.next_ - 1][edge];
        if (key.compare(should, 0, should.length, 0, keyBytes) !== 0) {
            throw new FormatError(`its ${edge} key is not the one that the manifest says`);
        }
    }
}
/** Rows of the write-ahead logs, which LevelDB and RocksDB would have in memory after a start. */
export class LogRows {
    rows;
    at = -1;
    /** @param rows in the order of writing */
    constructor(rows, compare) {
        this.rows = rows.toSorted((a, b) => compare(a.key, a.key.length, b.key, b.key.length) || b.sequence - a.sequence);
    }
    next() {
        return ++this.at < this.rows.length;
    }
    get key() {
        return this.row.key;
    }
    get keyBytes() {
        return this.row.key.length;
    }
    get sequence() {
        return this.row.sequence;
    }
    get isDeletion() {
        return this.row.value === undefined;
    }
    value() {
        return this.row.value;
    }
    close() { }
    get row() {
        return this.rows[this.at];
    }
}
//# sourceMappingURL=row-cursor.js.map