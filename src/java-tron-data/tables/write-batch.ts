import { ByteReader, FormatError } from '../byte-reader.js';

/** A row of a write-ahead log. If its value is undefined, the row is a deletion. */
export interface LoggedRow {
  readonly key: Buffer;
  readonly value: Buffer | undefined;
  /** Sequence number. Among several rows with the same key, the row with the highest number is the current one. */
  readonly sequence: number;
}

/** Sequence number of rows of checkpoints, which are newer than all rows of tables and logs. */
export const NEWEST: number = Number.POSITIVE_INFINITY;

type Read = (reader: ByteReader) => { readonly key: Buffer; readonly value: Buffer | undefined } | undefined;

/**
 * Decoders of batch records by type. Records of two-phase transactions, merges and other column families have no
 * decoder, because java-tron does not write them.
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

/**
 * Decodes the rows of a write-ahead log record: u64 sequence, u32 count, records.
 * @throws {FormatError} the record is malformed
 */
export function* readBatch(bytes: Buffer): IterableIterator<LoggedRow> {
  const reader = new ByteReader(bytes);
  let sequence = Number(reader.uint64());
  const count = reader.uint32();
  let found = 0;
  while (reader.left > 0) {
    const type = reader.byte();
    const read = records.get(type);
    if (read === undefined) throw new FormatError(`unknown batch record type ${type}`);
    const row = read(reader);
    if (row === undefined) continue;
    yield { ...row, sequence: sequence++ };
    found++;
  }
  if (found !== count) throw new FormatError(`batch has ${found} rows, expected ${count}`);
}

/** Returns the rows of a truncated batch, up to the first incomplete row. */
export function readTornBatch(bytes: Buffer): LoggedRow[] {
  const rows: LoggedRow[] = [];
  try {
    for (const row of readBatch(bytes)) rows.push(row);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
  }
  return rows;
}
