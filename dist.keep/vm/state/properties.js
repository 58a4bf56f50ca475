import { EMPTY_BYTES, fromHex, fromInt64, toHex, toInt64, utf8 } from '../../log/domain/bytes.js';
import { propertyRows } from './property-table.js';
/** The chain's own variables, decoded; every write goes through the journal like any other row. */
export class Properties {
    rows;
    /** Entries by name: a transaction reads some sixty properties, and finding a row takes longer than reading it. */
    entries = new Map();
    generation = 0;
    /** What the configuration says of rows that a chain may not have stored. */
    configured;
    constructor(rows, configured) {
        this.rows = rows;
        this.configured = configured;
    }
    /** A whole number; what the reference reads when the row was never written. */
    get(name) {
        const { value } = this.entry(name);
        return value === undefined ? this.whenAbsent(name) : value;
    }
    /** What a reader gets while the row does not exist. */
    whenAbsent(name) {
        return this.configured.get(name) ?? absent[name] ?? 0n;
    }
    entry(name) {
        if (this.generation !== this.rows.generation) {
            this.entries.clear();
            this.generation = this.rows.generation;
        }
        let entry = this.entries.get(name);
        if (entry === undefined) {
            entry = this.rows.entry(keys[name]);
            this.entries.set(name, entry);
        }
        return entry;
    }
    /** As `get`, for values bounded below 2^53: heights, times in ms, slots, counts. */
    number(name) {
        return Number(this.get(name));
    }
    /** True when a switch of the committee is exactly 1. */
    isOn(name) {
        return this.get(name) === 1n;
    }
    set(name, value) {
        this.rows.put(keys[name], BigInt.asIntN(64, value));
    }
    /** Adds without a check, as Java's `+` does. */
    add(name, delta) {
        this.set(name, this.get(name) + delta);
    }
    bytes(name) {
        return this.rows.get(keys[name]) ?? EMPTY_BYTES;
    }
    setBytes(name, value) {
        this.rows.put(keys[name], value);
    }
    /** Witness upgrade statistics of a block version: a byte per active witness, 1 = upgraded. */
    forkStats(version) {
        return this.rows.get(forkKey(version));
    }
    setForkStats(version, stats) {
        this.rows.put(forkKey(version), stats);
    }
    /** Writes a row by its key (hex): for rows that a chain starts with. */
    putRaw(key, value) {
        this.rows.put(key, value);
    }
    /** Whether a row exists: some rules tell "never written" from zero. */
    has(name) {
        return this.rows.has(keys[name]);
    }
    /** Net effect of both forms of staking at once. Reference: supportUnfreezeDelay. */
    supportsUnfreezeDelay() {
        return this.get('UNFREEZE_DELAY_DAYS') > 0n;
    }
    supportsBlackHoleOptimization() {
        return this.isOn('ALLOW_BLACKHOLE_OPTIMIZATION');
    }
}
/** One key of all rows is odd: it starts with a space. Reference: DynamicPropertiesStore.ALLOW_SAME_TOKEN_NAME. */
const ODD_KEYS = { ALLOW_SAME_TOKEN_NAME: ' ALLOW_SAME_TOKEN_NAME' };
const keys = Object.fromEntries(propertyRows.map(([name]) => [name, toHex(utf8(ODD_KEYS[name] ?? name))]));
const absent = Object.fromEntries(propertyRows.map((row) => [row[0], row[3]]));
const forms = new Map(propertyRows.map(([name, form]) => [keys[name], form]));
function forkKey(version) {
    forkKeys[version] ??= toHex(utf8(`FORK_VERSION_${version}`));
    return forkKeys[version];
}
/** Keys by version: asked for several times in each transaction. */
const forkKeys = [];
/** A name such as `ENERGY_FEE` as the key of its row, in hex. */
export function propertyKey(name) {
    return keys[name];
}
/** Rows with which a chain starts, before configuration and genesis are applied. */
export function initialProperties() {
    return propertyRows.flatMap(([name, , initial]) => {
        if (initial === undefined)
            return [];
        const value = typeof initial === 'bigint' ? initial : initialBytes(initial);
        return [[keys[name], value]];
    });
}
function initialBytes(text) {
    return text.startsWith('hex:') ? fromHex(text.slice(4)) : utf8(text);
}
export const propertyCodec = {
    decode: (bytes, key) => (forms.get(key) === undefined || forms.get(key) === 'bytes' ? bytes : toInt64(bytes)),
    encode: (value, key) => {
        if (typeof value !== 'bigint')
            return value;
        return forms.get(key) === 'int32' ? fromInt64(value).subarray(4) : fromInt64(value);
    },
    clone: (value) => value,
};
//# sourceMappingURL=properties.js.map