import { FieldScanner } from '../../codec/field-scanner.js';
import { END_GROUP, START_GROUP } from '../../codec/wire-types.js';
import { P2pError } from '../p2p-error.js';

/** Bytes of a chunk of a list of ids, unless one field is longer. */
const CHUNK_BYTES = 16 * 1024;
/** Bytes of one field at most: twice what the largest transaction has. A longer one would be decoded in one piece. */
const FIELD_BYTES_MAX = 1024 * 1024;
/** Fields that are passed over without an end of a chunk before the caller has its turn: those within a group. */
const FIELDS_MAX = 4096;

/**
 * Cuts a protobuf message between fields of its own, so that it can be decoded one part after the other: the parts of a
 * message are messages of the same type, and decoding them in turn is decoding it. What is no protobuf is left to the
 * decoder: it is in the last chunk, behind no more than a chunk of what is.
 * @returns the chunks; undefined where there is none yet, and the caller may want to rest
 * @throws {P2pError} BAD_MESSAGE: a field that is longer than any that is meant to be there
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
    if (end - fieldStart > FIELD_BYTES_MAX) throw new P2pError('BAD_MESSAGE', `a field of ${end - fieldStart} bytes`);
    if (depth === 0) fieldStart = end;
    if (depth === 0 && end - start >= chunkBytes) {
      yield body.subarray(start, end);
      start = end;
      fields = 0;
    } else if (++fields % FIELDS_MAX === 0) yield undefined;
  }
  if (start < body.length) yield body.subarray(start);
}
