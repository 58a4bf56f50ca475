import { mkdirSync } from 'node:fs';
import { open } from 'lmdb';
import { TronError } from './domain/errors.js';
/** Longest key that LMDB stores with its usual page size; asking for a longer one is an error there. */
export const KEY_BYTES_MAX = 1_978;
/** ms that a snapshot is held at most: LMDB cannot use pages again that a reader may still look at. */
const HELD_MS_MAX = 500;
/** An LMDB table with binary keys (byte order) and binary values. */
export class BytesTable {
    database;
    reading;
    constructor(database, reading) {
        this.database = database;
        this.reading = reading;
    }
    getBinary(key) {
        return this.database.getBinary(key, this.reading);
    }
    /** A buffer that the next read uses again; only its first `length` bytes are the value. */
    getBinaryFast(key) {
        return this.database.getBinaryFast(key, this.reading);
    }
    /** Keys and values in the order of the keys, from `start` on (included) to `end` (not included). */
    getRange(range) {
        return this.database.getRange(this.seen(range));
    }
    getKeys(range) {
        return this.database.getKeys(this.seen(range));
    }
    putSync(key, value) {
        this.database.putSync(key, value);
    }
    /** Puts a row behind all others; in another order LMDB refuses it. */
    appendSync(key, value) {
        // The package's types leave this option out; the database takes it as LMDB's MDB_APPEND.
        this.database.putSync(key, value, { append: true });
    }
    removeSync(key) {
        this.database.removeSync(key);
    }
    clearSync() {
        this.database.clearSync();
    }
    seen(range) {
        const { transaction } = this.reading;
        return transaction === undefined ? range : { ...range, transaction };
    }
}
/**
 * Opens the LMDB environment in a folder. Commits are synchronous and flushed: `overlappingSync` would answer before the disk has the
 * bytes, and a write outside of `commit` could end in a rejection that nobody awaits.
 */
export function openEnvironment(path, options) {
    if (!options.readOnly)
        mkdirSync(path, { recursive: true });
    const root = open({
        path,
        noSubdir: false,
        encoding: 'binary',
        keyEncoding: 'binary',
        overlappingSync: false,
        readOnly: options.readOnly,
        maxDbs: 32,
    });
    const reading = { transaction: undefined };
    let timer;
    const release = () => {
        clearTimeout(timer);
        reading.transaction?.done();
        reading.transaction = undefined;
    };
    const hold = () => {
        release();
        root.resetReadTxn();
        reading.transaction = root.useReadTransaction();
        timer = setTimeout(release, HELD_MS_MAX).unref();
    };
    return {
        path,
        root,
        table: (name) => new BytesTable(root.openDB(name, { encoding: 'binary', keyEncoding: 'binary' }), reading),
        commit: (write) => {
            try {
                root.transactionSync(() => {
                    write();
                });
            }
            catch (cause) {
                const reason = cause instanceof Error ? cause.message : String(cause);
                throw new TronError('STORAGE_FAILED', `cannot write to ${path}: ${reason}; nothing of it was stored`, {
                    cause,
                });
            }
        },
        refresh: () => {
            if (reading.transaction === undefined)
                root.resetReadTxn();
            else
                hold();
        },
        hold,
        get isHeld() {
            return reading.transaction !== undefined;
        },
        close: () => {
            release();
            return root.close();
        },
    };
}
//# sourceMappingURL=environment.js.map