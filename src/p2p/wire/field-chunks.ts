import { itemAt } from '../../domain/assert.js';
import { P2pError } from '../p2p-error.js';

/** Bytes of a chunk of a list of ids, unless one field is longer. */
const CHUNK_BYTES = 16 * 1024;
/** Bytes of one field at most: twice what the largest transaction has. A longer one would be decoded in one piece. */
const FIELD_BYTES_MAX = 1024 * 1024;
/** Fields that are passed over without an end of a chunk before the caller has its turn: those within a group. */
const FIELDS_MAX = 4096;

const VARINT_BYTES_MAX = 10;

const VARINT = 0;
const FIXED64 = 1;
const LENGTH_DELIMITED = 2;
const GROUP = 3;
const END_GROUP = 4;
const FIXED32 = 5;

/**
 * Cuts a protobuf message between fields of its own, so that it can be decoded one part after the other: the parts of a message are
 * messages of the same type, and decoding them in turn is decoding it. What is no protobuf is left to the decoder: it is in the last
 * chunk, behind no more than a chunk of what is.
 * @returns the chunks; undefined where there is none yet, and the caller may want to rest
 * @throws {P2pError} BAD_MESSAGE: a field that is longer than any that is meant to be there
 */
export function* fieldChunks(body: Uint8Array, chunkBytes = CHUNK_BYTES): Generator<Uint8Array | undefined, void> {
  let start = 0;
  let fieldStart = 0;
  let depth = 0;
  let fields = 0;
  for (const { tag, end } of fieldsOf(body)) {
    const wireType = tag & 7;
    if (wireType === GROUP) depth++;
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

/** A field: its number and wire type, and where its content is. */
interface Field {
  readonly tag: number;
  readonly start: number;
  readonly end: number;
}

/** Fields of a message up to the first that is none; begin and end of a group are fields without content. */
export function* fieldsOf(body: Uint8Array): Generator<Field, void> {
  for (let at = 0; at < body.length; ) {
    const tag = varintAt(body, at);
    const field = tag && fieldAt(body, tag.value, tag.end);
    if (field === undefined || field.end > body.length) return;
    yield field;
    at = field.end;
  }
}

/** The field behind a tag; undefined: it is none. */
function fieldAt(body: Uint8Array, tag: number, at: number): Field | undefined {
  switch (tag & 7) {
    case VARINT: {
      const number = varintAt(body, at);
      return number && { tag, start: at, end: number.end };
    }
    case FIXED64:
      return { tag, start: at, end: at + 8 };
    case FIXED32:
      return { tag, start: at, end: at + 4 };
    case LENGTH_DELIMITED: {
      const length = varintAt(body, at);
      if (length === undefined || length.value < 0) return undefined;
      return { tag, start: length.end, end: length.end + length.value };
    }
    case GROUP:
    case END_GROUP:
      return { tag, start: at, end: at };
    default:
      return undefined;
  }
}

/** A number and the place behind it; undefined: it is cut off, or has more than ten bytes. */
function varintAt(body: Uint8Array, from: number): { readonly value: number; readonly end: number } | undefined {
  let value = 0;
  for (let at = from; at < Math.min(body.length, from + VARINT_BYTES_MAX); at++) {
    const byte = itemAt(body, at);
    if (at - from < 5) value |= (byte & 0x7f) << (7 * (at - from));
    if (byte < 0x80) return { value, end: at + 1 };
  }
  return undefined;
}
