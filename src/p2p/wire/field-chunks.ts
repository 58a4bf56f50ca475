import { FieldScanner } from '../../codec/field-scanner.js';
import { END_GROUP, START_GROUP } from '../../codec/wire-types.js';
import { P2pError } from '../p2p-error.js';

/**
 * Minimum size of a chunk, in bytes. A chunk ends after the first field with which the chunk has at least this size.
 */
const CHUNK_BYTES = 16 * 1024;
/** Maximum size of one field, in bytes: twice the largest transaction. A field is decoded without a pause. */
const FIELD_BYTES_MAX = 1024 * 1024;
/**
 * Number of fields after which the caller can pause although no chunk is complete, for example inside a protobuf group.
 */
const FIELDS_MAX = 4096;

/**
 * Splits an encoded protobuf message between its top-level fields. Each chunk is a message of the same type and can be
 * decoded separately. Merging the decoded chunks produces the whole message. If the data is malformed, the last chunk
 * contains the malformed part, and its decoder reports the error.
 *
 * Yields each chunk. Also yields undefined, when no chunk is complete yet and the caller may pause.
 * @throws {P2pError} BAD_MESSAGE: a field is longer than the maximum
 */
export function* fieldChunks(body: Uint8Array, chunkBytes = CHUNK_BYTES): Generator<Uint8Array | undefined, void> {
  let start = 0;
  let fieldStart = 0;
  let depth = 0;
  let fields = 0;
  const scanner = new FieldScanner(body);
  while (scanner.next()) {
    const { tag, end } = scanner;
    const wireType = tag & 7;
    if (wireType === START_GROUP) depth++;
    if (wireType === END_GROUP) depth--;
    if (depth < 0) break;
    if (end - fieldStart > FIELD_BYTES_MAX)
      throw new P2pError('BAD_MESSAGE', `field too long: ${end - fieldStart} bytes`);
    if (depth === 0) fieldStart = end;
    if (depth === 0 && end - start >= chunkBytes) {
      yield body.subarray(start, end);
      start = end;
      fields = 0;
    } else if (++fields % FIELDS_MAX === 0) yield undefined;
  }
  if (start < body.length) yield body.subarray(start);
}
