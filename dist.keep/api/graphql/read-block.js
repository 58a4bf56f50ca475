import { BlockHeader, BlockHeaderRaw, Transaction, TransactionInfo } from '../../log/codec/generated/messages.js';
import { Reader } from '../../log/codec/reader.js';
import { toHex } from '../../log/domain/bytes.js';
import { decodeTransaction } from '../../vm/transactions/decode-transaction.js';
/**
 * Blocks kept, so that a page of 100 is read once however often a query names it. Subscribers follow the head together, a few are
 * shared by all. 128 blocks of 300 transactions are some 10 MB as bytes, and 60 MB when all of each was asked for.
 */
const BLOCKS_MAX = 128;
/** Reads blocks out of the log, each once for all that ask about the same time. */
export class BlockReader {
    ledger;
    /** By id (hex), longest unused first. */
    known = new Map();
    constructor(ledger) {
        this.ledger = ledger;
    }
    /** The canonical block of a height. */
    byNumber(number) {
        const id = this.ledger.blockIdAt(number);
        return id && this.byId(id);
    }
    /** A block of the log, canonical or taken back. */
    byId(id) {
        const key = toHex(id);
        const known = this.known.get(key);
        if (known !== undefined)
            return this.keep(key, known);
        const entry = this.ledger.entryOfId(id);
        return entry && this.keep(key, new StoredBlock(entry));
    }
    keep(key, found) {
        this.known.delete(key);
        this.known.set(key, found);
        for (const oldest of this.known.keys()) {
            if (this.known.size <= BLOCKS_MAX)
                break;
            this.known.delete(oldest);
        }
        return found;
    }
}
/** A transaction that is in no block. */
export function waitingTransaction(message) {
    return { message, id: decodeTransaction(message).id, info: undefined, place: undefined };
}
/**
 * Takes a block apart as far as it is asked: who wants its height or its id pays for no transaction, and who wants one
 * transaction not for the other thousand. Decoding all of a block takes some 3 µs for each, and as much again for its result.
 */
class StoredBlock {
    entry;
    knownParts;
    knownInfos;
    knownTransactions;
    constructor(entry) {
        this.entry = entry;
    }
    get number() {
        return this.entry.number;
    }
    get id() {
        return this.entry.id;
    }
    get header() {
        return this.parts.header?.rawData ?? new BlockHeaderRaw();
    }
    get signature() {
        return this.parts.header?.witnessSignature ?? new Uint8Array(0);
    }
    get transactionCount() {
        return this.parts.transactions.length;
    }
    get transactions() {
        this.knownTransactions ??= this.parts.transactions.map((_, index) => new StoredTransaction(this, index));
        return this.knownTransactions;
    }
    get parts() {
        this.knownParts ??= Reader.decode(this.entry.block, BlockParts);
        return this.knownParts;
    }
    /** Results of the transactions, as bytes. */
    get infos() {
        this.knownInfos ??= Reader.decode(this.entry.results, ResultParts).infos;
        return this.knownInfos;
    }
}
class StoredTransaction {
    place;
    block;
    knownMessage;
    knownInfo;
    constructor(block, index) {
        this.block = block;
        this.place = { number: block.number, index };
    }
    get message() {
        this.knownMessage ??= Transaction.decode(this.block.parts.transactions[this.place.index]);
        return this.knownMessage;
    }
    get id() {
        return this.block.entry.transactionIds[this.place.index] ?? decodeTransaction(this.message).id;
    }
    get info() {
        const bytes = this.block.infos[this.place.index];
        if (bytes === undefined)
            return undefined;
        this.knownInfo ??= TransactionInfo.decode(bytes);
        return this.knownInfo;
    }
}
/** `protocol.Block` with its transactions as bytes. */
class BlockParts {
    transactions = [];
    header;
    $unknown;
    static read(reader, end, parts) {
        while (reader.position < end) {
            const tag = reader.tag();
            if (tag === BLOCK_TRANSACTION)
                parts.transactions.push(reader.bytes());
            else if (tag === BLOCK_HEADER)
                parts.header = reader.single(BlockHeader, parts.header);
            else
                reader.skip(tag);
        }
        return parts;
    }
}
/** `protocol.TransactionRet` with its results as bytes. */
class ResultParts {
    infos = [];
    $unknown;
    static read(reader, end, parts) {
        while (reader.position < end) {
            const tag = reader.tag();
            if (tag === RESULT_INFO)
                parts.infos.push(reader.bytes());
            else
                reader.skip(tag);
        }
        return parts;
    }
}
/** Tags on the wire: number of the field × 8 + 2 for what has a length. */
const BLOCK_TRANSACTION = 10;
const BLOCK_HEADER = 18;
const RESULT_INFO = 26;
//# sourceMappingURL=read-block.js.map