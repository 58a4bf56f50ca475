import { ByteReader, FormatError } from '../byte-reader.js';

/** A row as a log has it: `undefined` is a deletion. */
export interface LoggedRow {
  readonly key: Buffer;
  readonly value: Buffer | undefined;
  /** Of two rows with one key the higher one counts. */
  readonly sequence: number;
}

/** Sequence of rows that are newer than every row of a table or log. */
export const NEWEST: number = Number.POSITIVE_INFINITY;

type Read = (reader: ByteReader) => { readonly key: Buffer; readonly value: Buffer | undefined } | undefined;

/**
 * Records of a batch by type. Transactions in two phases, merges and other column families do not occur in the
 * reference.
 */
const records: ReadonlyMap<number, Read> = new Map<number, Read>([
  [0, (reader) => ({ key: reader.lengthPrefixed(), value: undefined })],
  [1, (reader) => ({ key: reader.lengthPrefixed(), value: reader.lengthPrefixed() })],
  [
    3,
    (reader) => {
      reader.lengthPrefixed();
      return undefined;
    },
  ],
  [7, (reader) => ({ key: reader.lengthPrefixed(), value: undefined })],
  [13, () => undefined],
]);

/** Rows of one record of a write-ahead log: u64 sequence, u32 count, records. @throws {FormatError} */
export function* readBatch(bytes: Buffer): IterableIterator<LoggedRow> {
  const reader = new ByteReader(bytes);
  let sequence = Number(reader.uint64());
  const count = reader.uint32();
  let found = 0;
  while (reader.left > 0) {
    const type = reader.byte();
    const read = records.get(type);
    if (read === undefined) throw new FormatError(`a batch holds a record of an unknown type (${type})`);
    const row = read(reader);
    if (row === undefined) continue;
    yield { ...row, sequence: sequence++ };
    found++;
  }
  if (found !== count) throw new FormatError(`a batch holds ${found} rows and says ${count}`);
}

/** The rows that can be read of a batch that is cut off. */
export function readTornBatch(bytes: Buffer): LoggedRow[] {
  const rows: LoggedRow[] = [];
  try {
    for (const row of readBatch(bytes)) rows.push(row);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
  }
  return rows;
}
