import { FormatError } from './byte-reader.js';

/** One row of a checkpoint: a write to a store. java-tron may not have completed this write. */
export interface CheckpointRow {
  readonly store: string;
  readonly key: Buffer;
  /** New value; undefined if the row is deleted. */
  readonly value: Buffer | undefined;
}

/** Operation code of a deletion. Reference: Value.Operator. */
const DELETE = 2;

/**
 * Decodes a row of `tmp` (version 1) or of a folder below `checkpoint` (version 2). The key consists of a u32 length,
 * the store name of this length, and the key of the row in the store. The value consists of an operation byte and the
 * value of the row. Reference: SnapshotManager.recover.
 * @throws {FormatError} the row is malformed
 */
export function readCheckpointRow(key: Buffer, value: Buffer): CheckpointRow {
  const length = key.length < 4 ? -1 : key.readInt32BE();
  if (length <= 0 || 4 + length > key.length || value.length === 0) throw new FormatError('malformed checkpoint row');
  const store = key.toString('latin1', 4, 4 + length);
  const rest = Buffer.from(key.subarray(4 + length));
  const isDeleted = value.length === 1 && value[0] === DELETE;
  return { store, key: rest, value: isDeleted ? undefined : Buffer.from(value.subarray(1)) };
}
