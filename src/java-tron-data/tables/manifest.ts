import { ByteReader, FormatError } from '../byte-reader.js';
import { readRecords } from './record-log.js';

/** A table file that belongs to the newest version of a store. */
export interface TableFile {
  readonly number: number;
  readonly level: number;
  readonly bytes: number;
  /** Smallest and largest internal key of the table: the user key, then sequence number and type. */
  readonly smallest: Buffer;
  readonly largest: Buffer;
}

export interface Manifest {
  /** Name of the key order, if the manifest contains it. */
  readonly comparator: string | undefined;
  /**
   * Number of the oldest log with rows that may not be in the tables yet. The log with the number `previousLog` may
   * also contain such rows.
   */
  readonly logNumber: number;
  readonly previousLog: number;
  readonly tables: readonly TableFile[];
  /** Lowest unused file number at the time when the manifest was last written. */
  readonly nextFile: number;
  /** Numbers of tables that were removed from the store. Their files may still exist. */
  readonly removed: ReadonlySet<number>;
}

interface VersionBuilder {
  comparator: string | undefined;
  logNumber: number;
  previousLog: number;
  nextFile: number;
  readonly removed: Set<number>;
  readonly tables: Map<number, TableFile>;
}

/**
 * Bit in the tag of a field, set by RocksDB. A reader that does not know this tag may skip the field, which then
 * contains a string.
 */
const IGNORABLE = 1 << 13;

type Apply = (reader: ByteReader, state: VersionBuilder) => void;

const addTable =
  (hasSequences: boolean, fields: (reader: ByteReader) => void = () => undefined): Apply =>
  (reader, { tables }) => {
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

const skipNumber: Apply = (reader) => void reader.varint64();
const skipString: Apply = (reader) => void reader.lengthPrefixed();

/**
 * Reads RocksDB's custom fields of a table: pairs of tag and string, until tag 1. Tag 65 is the folder of the table;
 * only folder 0 is supported. Tags below 66 may be ignored. Rejects higher tags, because a reader must know them.
 */
function customFields(reader: ByteReader): void {
  for (let tag = reader.varint(); tag !== 1; tag = reader.varint()) {
    const value = reader.lengthPrefixed();
    if (tag === 65 && value[0] !== 0)
      throw new FormatError('a table is stored in another folder, which is not supported');
    if (tag >= 66) throw new FormatError(`unknown table property ${tag}`);
  }
}

/**
 * Functions that apply one field of an edit, by the tag of the field. Tags up to 9 are those of LevelDB, higher tags
 * those of RocksDB.
 */
const edits: ReadonlyMap<number, Apply> = new Map<number, Apply>([
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
      if (reader.varint() !== 0) throw new FormatError('manifest has more than one column family');
    },
  ],
  [201, skipString],
  [203, skipNumber],
  [300, skipNumber],
]);

/** Reads a manifest. @throws {FormatError} a record is damaged, truncated, or of an unknown form */
export function readManifest(bytes: Buffer): Manifest {
  const state: VersionBuilder = {
    comparator: undefined,
    logNumber: 0,
    previousLog: 0,
    nextFile: 0,
    removed: new Set(),
    tables: new Map(),
  };
  const records = readRecords(bytes);
  let isEmpty = true;
  for (let next = records.next(); ; next = records.next()) {
    if (next.done === true) {
      if (next.value !== undefined) throw new FormatError('manifest is truncated');
      break;
    }
    isEmpty = false;
    applyEdit(new ByteReader(next.value), state);
  }
  if (isEmpty) throw new FormatError('manifest is empty');
  return { ...state, tables: [...state.tables.values()] };
}

function applyEdit(reader: ByteReader, state: VersionBuilder): void {
  while (reader.left > 0) {
    const tag = reader.varint();
    const apply = edits.get(tag) ?? ((tag & IGNORABLE) !== 0 ? skipString : undefined);
    if (apply === undefined) throw new FormatError(`unknown manifest edit ${tag}`);
    apply(reader, state);
  }
}

function removeTable({ tables, removed }: VersionBuilder, number: number): void {
  removed.add(number);
  if (!tables.delete(number)) throw new FormatError(`manifest removes unknown table ${number}`);
}
