import { equalBytes, fromHex, toHex } from '../../log/domain/bytes.js';
/**
 * Decoded rows that stay across blocks. Two generations of this many rows each: 65,536 accounts are about 60 MB, which
 * holds the working set of the busiest day and bounds memory.
 */
const GENERATION_ROWS = 1 << 16;
/** Ranges that are kept, and keys of each: 6 MB of hex at the most. */
const RANGES_MAX = 1024;
const RANGE_KEYS_MAX = 64;
/** Rows of one store: decoded once, written through the journal, encoded once per block. */
export class Table {
    store;
    codec;
    journal;
    reader;
    young = new Map();
    old = new Map();
    dirty = new Set();
    compare;
    /** Rises when entries that `entry` gave may be entries of this table no more. */
    generation = 0;
    /** Keys of short ranges that were read since the last written row, by prefix. */
    ranges = new Map();
    constructor(store, codec, journal, reader, compare) {
        this.store = store;
        this.codec = codec;
        this.journal = journal;
        this.reader = reader;
        this.compare = compare;
    }
    /** The row, for reading only; undefined when absent. */
    get(key) {
        return this.entry(key).value;
    }
    has(key) {
        return this.entry(key).value !== undefined;
    }
    /** The row's place in the table, which whoever reads it often may keep as long as `generation` stays. For reading only. */
    entry(key) {
        const young = this.young.get(key);
        if (young !== undefined)
            return young;
        const entry = this.old.get(key) ?? this.load(key);
        this.young.set(key, entry);
        return entry;
    }
    /** The row, for changing in place: undone by the journal. Undefined when absent. */
    toWrite(key) {
        const entry = this.entry(key);
        if (entry.value === undefined)
            return undefined;
        if (entry.epoch !== this.journal.epoch)
            this.open(entry, this.codec.clone(entry.value));
        return entry.value;
    }
    put(key, value) {
        const entry = this.entry(key);
        if (entry.epoch !== this.journal.epoch)
            this.open(entry, value);
        else
            entry.value = value;
    }
    delete(key) {
        const entry = this.entry(key);
        if (entry.value === undefined)
            return;
        if (entry.epoch !== this.journal.epoch)
            this.open(entry, undefined);
        else
            entry.value = undefined;
    }
    /** Rows under a prefix (hex) in the store's order of keys, written ones included. For reading only. */
    *range(prefix = '') {
        const read = this.ranges.get(prefix);
        if (read !== undefined) {
            // All at once: who reads may write.
            yield* read.map((key) => [key, this.get(key)]);
            return;
        }
        const rows = new Map();
        for (const row of this.reader.range(this.store, { prefix: fromHex(prefix) })) {
            const key = toHex(row.key);
            rows.set(key, this.known(key)?.value ?? this.codec.decode(row.value, key));
        }
        let added = false;
        for (const { key, value } of this.dirty) {
            if (!key.startsWith(prefix))
                continue;
            added ||= !rows.has(key);
            rows.set(key, value);
        }
        const keys = added ? [...rows.keys()].sort(this.compare) : [...rows.keys()];
        if (this.dirty.size === 0)
            this.keepRange(prefix, keys);
        for (const key of keys) {
            const value = rows.get(key);
            if (value !== undefined)
                yield [key, value];
        }
    }
    /** A row as it would be stored now. */
    stored({ key, value }) {
        return {
            store: this.store,
            key: fromHex(key),
            value: value === undefined ? undefined : this.codec.encode(value, key),
        };
    }
    /** Keys written since the last commit, those taken back by the journal included. */
    *writtenKeys() {
        for (const { key } of this.dirty)
            yield key;
    }
    /** Rows whose bytes differ from before; they become the new "before". Called by `State.commit`. */
    commit(changes) {
        for (const entry of this.dirty) {
            const before = entry.committed;
            const after = entry.value === undefined ? undefined : this.codec.encode(entry.value, entry.key);
            if (before === undefined ? after === undefined : after !== undefined && equalBytes(before, after))
                continue;
            changes.push({ store: this.store, key: fromHex(entry.key), before, after });
            entry.committed = after;
        }
        this.dirty.clear();
        this.ranges.clear();
        this.forgetOldest();
    }
    /** Forgets every decoded row, and reads from `reader` from now on. */
    reset(reader) {
        this.reader = reader;
        this.dirty.clear();
        this.ranges.clear();
        this.young.clear();
        this.old.clear();
        this.generation++;
    }
    open(entry, value) {
        this.journal.record(entry);
        entry.value = value;
        entry.epoch = this.journal.epoch;
        this.dirty.add(entry);
        this.ranges.clear();
    }
    /** Only while no row is written, as an undone row would not be noticed: for states that are asked again and again. */
    keepRange(prefix, keys) {
        if (keys.length > RANGE_KEYS_MAX)
            return;
        if (this.ranges.size >= RANGES_MAX)
            this.ranges.clear();
        this.ranges.set(prefix, keys);
    }
    known(key) {
        return this.young.get(key) ?? this.old.get(key);
    }
    /** Only while no row is written: a written one must stay the entry that its key leads to. */
    forgetOldest() {
        if (this.young.size <= GENERATION_ROWS)
            return;
        this.old = this.young;
        this.young = new Map();
        this.generation++;
    }
    load(key) {
        if (this.dirty.size === 0)
            this.forgetOldest();
        const committed = this.reader.get(this.store, fromHex(key));
        const value = committed === undefined ? undefined : this.codec.decode(committed, key);
        return { table: this, key, value, epoch: -1, committed };
    }
}
//# sourceMappingURL=table.js.map