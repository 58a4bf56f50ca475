import { ByteReader, FormatError } from './byte-reader.js';
import { readRecords } from './record-log.js';
/** Tags that later versions of RocksDB let older ones skip: a string follows. */
const IGNORABLE = 1 << 13;
const addTable = (hasSequences, fields = () => undefined) => (reader, { tables }) => {
    const level = reader.varint();
    const number = reader.varint();
    const bytes = reader.varint();
    const smallest = Buffer.from(reader.lengthPrefixed());
    const largest = Buffer.from(reader.lengthPrefixed());
    if (hasSequences) {
        reader.varint64();
        reader.varint64();
    }
    fields(reader);
    tables.set(number, { number, level, bytes, smallest, largest });
};
const skipNumber = (reader) => void reader.varint64();
const skipString = (reader) => void reader.lengthPrefixed();
/** Fields of RocksDB's fourth form: tag and string, up to tag 1; those from 64 on must be understood. */
function customFields(reader) {
    for (let tag = reader.varint(); tag !== 1; tag = reader.varint()) {
        const value = reader.lengthPrefixed();
        if (tag === 65 && value[0] !== 0)
            throw new FormatError('a table lies in another folder');
        if (tag >= 66)
            throw new FormatError(`a table has a property that is not known here (${tag})`);
    }
}
/** Edits by tag, LevelDB's up to 9 and RocksDB's. */
const edits = new Map([
    [
        1,
        (reader, state) => {
            state.comparator = reader.lengthPrefixed().toString('latin1');
        },
    ],
    [
        2,
        (reader, state) => {
            state.logNumber = Math.max(state.logNumber, reader.varint());
        },
    ],
    [
        3,
        (reader, state) => {
            state.nextFile = reader.varint();
        },
    ],
    [4, skipNumber],
    [
        5,
        (reader) => {
            reader.varint();
            reader.lengthPrefixed();
        },
    ],
    [
        6,
        (reader, state) => {
            reader.varint();
            removeTable(state, reader.varint());
        },
    ],
    [7, addTable(false)],
    [
        9,
        (reader, state) => {
            state.previousLog = reader.varint();
        },
    ],
    [10, skipNumber],
    [100, addTable(true)],
    [103, addTable(true, customFields)],
    [
        200,
        (reader) => {
            if (reader.varint() !== 0)
                throw new FormatError('it has more than one column family');
        },
    ],
    [201, skipString],
    [203, skipNumber],
    [300, skipNumber],
]);
/** @throws {FormatError} records that are damaged, cut off, or of a form that the reference does not write */
export function readManifest(bytes) {
    const state = {
        comparator: undefined,
        logNumber: 0,
        previousLog: 0,
        nextFile: 0,
        removed: new Set(),
        tables: new Map(),
    };
    const records = readRecords(bytes);
    let isEmpty = true;
    for (let next = records.next();; next = records.next()) {
        if (next.done === true) {
            if (next.value !== undefined)
                throw new FormatError('it is cut off');
            break;
        }
        isEmpty = false;
        applyEdit(new ByteReader(next.value), state);
    }
    if (isEmpty)
        throw new FormatError('it holds nothing');
    return { ...state, tables: [...state.tables.values()] };
}
function applyEdit(reader, state) {
    while (reader.left > 0) {
        const tag = reader.varint();
        const apply = edits.get(tag) ?? ((tag & IGNORABLE) !== 0 ? skipString : undefined);
        if (apply === undefined)
            throw new FormatError(`it holds an edit that is not known here (${tag})`);
        apply(reader, state);
    }
}
function removeTable({ tables, removed }, number) {
    removed.add(number);
    if (!tables.delete(number))
        throw new FormatError(`it removes a table that was never there (${number})`);
}
//# sourceMappingURL=manifest.js.map