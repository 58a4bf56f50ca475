import { itemAt } from '../../primitives/assert.js';
import { concatBytes, EMPTY_BYTES } from '../../primitives/bytes.js';
import { unchecked } from '../errors.js';

/** An item of recursive length prefix (RLP) encoding: bytes, or a list of items. */
export type RlpItem = Uint8Array | readonly RlpItem[];

/** Prefix byte of an empty byte string. */
const TEXT = 0x80;
/** Prefix byte of an empty list. */
const LIST = 0xc0;
/** Maximum length in bytes of an item whose length is part of the prefix byte. A longer item has a length field. */
const SHORT_MAX = 55;
/** Maximum size of a length field, in bytes. Trie nodes are far below 2^32 bytes. */
const LENGTH_BYTES_MAX = 4;

export function rlpText(bytes: Uint8Array): Uint8Array {
  const isItself = bytes.length === 1 && itemAt(bytes, 0) < TEXT;
  return isItself ? bytes : concatBytes(header(TEXT, bytes.length), bytes);
}

/** Encodes a list of items that are already encoded. */
export function rlpList(items: readonly Uint8Array[]): Uint8Array {
  const body = concatBytes(...items);
  return concatBytes(header(LIST, body.length), body);
}

/** Decodes one item. @throws {ChainError} RuntimeException: the bytes are not exactly one item */
export function decodeRlp(bytes: Uint8Array): RlpItem {
  const { item, end } = readItem(bytes, 0);
  if (end !== bytes.length) throw malformedRlp();
  return item;
}

function header(kind: number, length: number): Uint8Array {
  if (length <= SHORT_MAX) return Uint8Array.of(kind + length);
  const digits = Buffer.alloc(LENGTH_BYTES_MAX);
  digits.writeUInt32BE(length);
  const significant = digits.subarray(digits.findIndex((digit) => digit !== 0));
  return concatBytes(Uint8Array.of(kind + SHORT_MAX + significant.length), significant);
}

function readItem(bytes: Uint8Array, at: number): { readonly item: RlpItem; readonly end: number } {
  const first = bytes[at];
  if (first === undefined) throw malformedRlp();
  if (first < TEXT) return { item: bytes.subarray(at, at + 1), end: at + 1 };
  const kind = first < LIST ? TEXT : LIST;
  const { start, length } = readHeader(bytes, at, first - kind);
  const end = start + length;
  if (end > bytes.length) throw malformedRlp();
  if (kind === TEXT) return { item: length === 0 ? EMPTY_BYTES : bytes.subarray(start, end), end };
  const items: RlpItem[] = [];
  for (let next = start; next < end; ) {
    const read = readItem(bytes.subarray(0, end), next);
    items.push(read.item);
    next = read.end;
  }
  return { item: items, end };
}

function readHeader(bytes: Uint8Array, at: number, size: number): { readonly start: number; readonly length: number } {
  if (size <= SHORT_MAX) return { start: at + 1, length: size };
  const digits = size - SHORT_MAX;
  const start = at + 1 + digits;
  if (digits > LENGTH_BYTES_MAX || start > bytes.length) throw malformedRlp();
  return { start, length: Buffer.from(bytes.subarray(at + 1, start)).readUIntBE(0, digits) };
}

export function malformedRlp(): Error {
  return unchecked('RuntimeException', 'RLP wrong encoding');
}
