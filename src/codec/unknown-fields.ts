// biome-ignore-all lint/style/noNonNullAssertion: positions of fields are multiples of the row size, up to the end of their array, and bytes lie within a message that the reader has measured
import { END_GROUP, START_GROUP } from './wire-types.js';

/**
 * Rank of each wire type among unknown fields with the same field number. The index is the wire type. Java's protobuf
 * library writes them in this order: varint, fixed32, fixed64, length-delimited, group.
 */
const WIRE_ORDER = [0, 2, 3, 4, 5, 1] as const;
/** Number of array elements per field: its tag, and the offsets at which its value starts and ends. */
const STRIDE = 3;
/** Maximum number of fields for the fast sort, which combines the rank of a field and its index in one number. */
const PLACES = 2 ** 21;

/**
 * Unknown fields of one message. They are stored as offsets into the source bytes, because a message of a few MiB can
 * contain millions of unknown fields. All parts of a merged message are in the same source bytes.
 */
export class UnknownFields {
  private readonly source: Uint8Array;
  private readonly fields: number[] = [];

  /** Creates an empty list. @param source bytes in which every added field is well-formed */
  constructor(source: Uint8Array) {
    this.source = source;
  }

  /** Adds a field. @param start offset of the value, which follows the tag */
  add(tag: number, start: number, end: number): void {
    this.fields.push(tag, start, end);
  }

  /**
   * Appends the unknown fields of a later occurrence of the same message. Both occurrences must be in the same source
   * bytes.
   */
  addAll({ fields }: UnknownFields): void {
    for (const number of fields) this.fields.push(number);
  }

  /**
   * Encodes the fields in ascending order of field number, then of wire type, with minimal varints. Reference:
   * UnknownFieldSet.writeTo of the Java library.
   */
  bytes(): Uint8Array {
    const sink = new ByteSink();
    writeFields(this.source, this.fields, undefined, sink);
    return sink.bytes();
  }
}

/**
 * Fields of a group. An inner group is a field too. Such a field has the index of the group in `inner`, where other
 * fields have their start offset.
 */
interface Group {
  readonly fields: number[];
  readonly inner: Group[];
  /** Offset after the end tag of the group. */
  readonly next: number;
}

/** Writes fields. @param inner the already parsed inner groups; undefined if `source` must be parsed */
function writeFields(
  source: Uint8Array,
  fields: readonly number[],
  inner: readonly Group[] | undefined,
  sink: ByteSink,
): void {
  for (const position of sortedPositions(fields)) {
    const tag = fields[position]!;
    const start = fields[position + 1]!;
    const end = fields[position + 2]!;
    sink.varint(tag);
    switch (tag & 7) {
      case 0:
        sink.minimalVarint(source, start, end);
        break;
      case 2: {
        const content = endOfVarint(source, start);
        sink.varint(end - content);
        sink.copy(source, content, end);
        break;
      }
      case START_GROUP: {
        const group = inner === undefined ? readGroup(source, start) : inner[start]!;
        writeFields(source, group.fields, group.inner, sink);
        sink.varint(((tag & ~7) | END_GROUP) >>> 0);
        break;
      }
      default:
        sink.copy(source, start, end);
    }
  }
}

/**
 * Returns the positions of the fields in write order. Fields with the same number and wire type keep their read order.
 */
function sortedPositions(fields: readonly number[]): Iterable<number> {
  const count = fields.length / STRIDE;
  let isSorted = true;
  for (let at = STRIDE; at < fields.length && isSorted; at += STRIDE) {
    isSorted = orderOf(fields[at - STRIDE]!) <= orderOf(fields[at]!);
  }
  if (isSorted) return allPositions(fields.length);
  if (count > PLACES) {
    const positions = [...allPositions(fields.length)];
    return positions.sort((a, b) => orderOf(fields[a]!) - orderOf(fields[b]!) || a - b);
  }
  // Sorts plain numbers, because a sort with a comparison function takes ten times as long.
  const keys = new Float64Array(count);
  for (let at = 0; at < count; at++) keys[at] = orderOf(fields[at * STRIDE]!) * PLACES + at;
  return positionsOf(keys.sort());
}

function* allPositions(length: number): Generator<number> {
  for (let position = 0; position < length; position += STRIDE) yield position;
}

function* positionsOf(keys: Float64Array): Generator<number> {
  for (const key of keys) yield (key % PLACES) * STRIDE;
}

function orderOf(tag: number): number {
  return (tag >>> 3) * 8 + WIRE_ORDER[(tag & 7) as 0]!;
}

/**
 * Parses a group and its inner groups, up to a hundred levels deep. Each group is parsed only once.
 * @param start offset after the tag of the group
 */
function readGroup(source: Uint8Array, start: number): Group {
  const fields: number[] = [];
  const inner: Group[] = [];
  let at = start;
  for (;;) {
    const tag = uint32At(source, at);
    at = endOfVarint(source, at);
    const wire = tag & 7;
    if (wire === END_GROUP) return { fields, inner, next: at };
    if (wire === START_GROUP) {
      const group = readGroup(source, at);
      fields.push(tag, inner.length, 0);
      inner.push(group);
      at = group.next;
      continue;
    }
    const end = endOfField(source, wire, at);
    fields.push(tag, at, end);
    at = end;
  }
}

function endOfField(source: Uint8Array, wire: number, start: number): number {
  if (wire === 0) return endOfVarint(source, start);
  if (wire === 1) return start + 8;
  if (wire === 2) return endOfVarint(source, start) + uint32At(source, start);
  return start + 4;
}

function endOfVarint(source: Uint8Array, start: number): number {
  let at = start;
  while (source[at]! >= 0x80) at++;
  return at + 1;
}

/** Returns the low 32 bits of a varint. */
function uint32At(source: Uint8Array, start: number): number {
  let value = 0;
  for (let at = start, shift = 0; shift < 32; at++, shift += 7) {
    value |= (source[at]! & 0x7f) << shift;
    if (source[at]! < 0x80) break;
  }
  return value >>> 0;
}

/** A growing byte buffer. */
class ByteSink {
  private buffer = new Uint8Array(64);
  private length = 0;

  varint(value: number): void {
    this.reserve(5);
    let rest = value;
    while (rest > 0x7f) {
      this.buffer[this.length++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.buffer[this.length++] = rest;
  }

  /** Writes a varint of up to 64 bits in minimal form. */
  minimalVarint(source: Uint8Array, start: number, end: number): void {
    this.copy(source, start, end);
    let size = end - start;
    const first = this.length - size;
    // A tenth byte always sets the highest bit, regardless of its value.
    if (size === 10) this.buffer[first + 9] = 1;
    while (size > 1 && (this.buffer[first + size - 1]! & 0x7f) === 0) size--;
    this.buffer[first + size - 1]! &= 0x7f;
    this.length = first + size;
  }

  copy(source: Uint8Array, start: number, end: number): void {
    this.reserve(end - start);
    // Copies short values byte by byte, because creating a view would take longer.
    if (end - start < 32) for (let at = start; at < end; at++) this.buffer[this.length++] = source[at]!;
    else {
      this.buffer.set(source.subarray(start, end), this.length);
      this.length += end - start;
    }
  }

  bytes(): Uint8Array {
    return this.buffer.slice(0, this.length);
  }

  private reserve(count: number): void {
    if (this.length + count <= this.buffer.length) return;
    const grown = new Uint8Array(Math.max(this.buffer.length * 2, this.length + count));
    grown.set(this.buffer.subarray(0, this.length));
    this.buffer = grown;
  }
}
