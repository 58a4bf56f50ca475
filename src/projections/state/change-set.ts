import { sha256 } from '../../crypto/hash.js';
import { compareBytes, equalBytes } from '../../primitives/bytes.js';
import { hasMaps, sortedValue } from './map-order.js';
import { orderedText } from './ordered-key.js';
import type { RowChange } from './state-reader.js';
import { MARKET_PAIR_PRICE_TO_ORDER, type StoreId, UNDIGESTED_FROM } from './stores.js';

const HEAD_BYTES = 17;
const VERSION = 1;
export const ABSENT = 0xffffffff;

/** A row change, with the LMDB key of the row as text (see `orderedText`). */
export interface KeyedChange extends RowChange {
  readonly text: string;
}

/**
 * Returns the changes sorted by (store, key), without unchanged rows. Does not copy bytes.
 * @throws {RangeError} a row occurs twice
 */
export function normaliseChanges(changes: Iterable<RowChange>): KeyedChange[] {
  const rows: KeyedChange[] = [];
  for (const { store, key, before, after } of changes) {
    if (before === undefined ? after === undefined : after !== undefined && equalBytes(before, after)) continue;
    rows.push({ store, key, before, after, text: orderedText(store, key) });
  }
  rows.sort(compareRows);
  for (let i = 1; i < rows.length; i++) {
    if (rows[i]?.text === rows[i - 1]?.text)
      throw new RangeError('internal error: a block has two changes of the same row');
  }
  return rows;
}

/** Compares by (store, key). `text` has the same order, except in the store whose LMDB keys are ordered by price. */
function compareRows(a: KeyedChange, b: KeyedChange): number {
  if (a.store === MARKET_PAIR_PRICE_TO_ORDER && b.store === MARKET_PAIR_PRICE_TO_ORDER)
    return compareBytes(a.key, b.key);
  return a.text < b.text ? -1 : a.text > b.text ? 1 : 0;
}

/**
 * Encodes the `changes` record of one block: counts, a directory of offsets, the new rows, the old values, the internal
 * transactions. The state digest covers the new rows. A new row is u8 store, u32 key length, key, u32 value length
 * (ffffffff: deleted), value.
 */
export function encodeChangeSet(changes: readonly KeyedChange[], internalTransactions: Uint8Array): Buffer {
  let afterBytes = 0;
  let beforeBytes = 0;
  for (const { key, before, after } of changes) {
    afterBytes += 9 + key.length + (after?.length ?? 0);
    beforeBytes += 4 + (before?.length ?? 0);
  }
  const directory = HEAD_BYTES + changes.length * 8;
  const bytes = Buffer.allocUnsafeSlow(directory + afterBytes + beforeBytes + internalTransactions.length);
  let entry = HEAD_BYTES;
  let at = directory;
  let beforeAt = directory + afterBytes;
  let digestedEnd = at;
  for (const { store, key, before, after } of changes) {
    entry = bytes.writeUInt32BE(at, entry);
    entry = bytes.writeUInt32BE(beforeAt, entry);
    bytes[at] = store;
    at = bytes.writeUInt32BE(key.length, at + 1);
    bytes.set(key, at);
    at = writeValue(bytes, after, at + key.length);
    beforeAt = writeValue(bytes, before, beforeAt);
    if (store < UNDIGESTED_FROM) digestedEnd = at;
  }
  bytes.set(internalTransactions, beforeAt);
  bytes[0] = VERSION;
  bytes.writeUInt32BE(changes.length, 1);
  bytes.writeUInt32BE(digestedEnd, 5);
  bytes.writeUInt32BE(directory + afterBytes, 9);
  bytes.writeUInt32BE(beforeAt, 13);
  return bytes;
}

/** Reads a record encoded by {@link encodeChangeSet}. Returned values are views into the record. */
export class ChangeSet {
  readonly bytes: Buffer;
  readonly size: number;

  constructor(bytes: Uint8Array) {
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.size = this.bytes.readUInt32BE(1);
  }

  /**
   * Returns the bytes of the record that the digest covers, in the order of the record: one array, or several arrays
   * if protobuf map entries had to be sorted.
   */
  digested(): Uint8Array[] {
    const { bytes } = this;
    const parts: Uint8Array[] = [];
    let from = HEAD_BYTES + this.size * 8;
    for (let index = 0; index < this.size; index++) {
      const at = bytes.readUInt32BE(HEAD_BYTES + index * 8);
      const store = bytes[at] ?? 0;
      if (!hasMaps(store)) continue;
      const keyEnd = at + 5 + bytes.readUInt32BE(at + 1);
      const after = readValue(bytes, keyEnd);
      if (after === undefined) continue;
      const key = bytes.subarray(at + 5, keyEnd);
      const before = readValue(bytes, bytes.readUInt32BE(HEAD_BYTES + index * 8 + 4));
      const sorted = sortedValue(store, key, after);
      const isUnchanged = before?.length === after.length && equalBytes(sortedValue(store, key, before), sorted);
      if (sorted === after && !isUnchanged) continue;
      parts.push(bytes.subarray(from, isUnchanged ? at : keyEnd + 4));
      if (!isUnchanged) parts.push(sorted);
      from = keyEnd + 4 + after.length;
    }
    parts.push(bytes.subarray(from, bytes.readUInt32BE(5)));
    return parts;
  }

  get internalTransactions(): Uint8Array {
    return this.bytes.subarray(this.bytes.readUInt32BE(13));
  }

  /** Iterates over all rows, ascending by (store, key). */
  *rows(): IterableIterator<KeyedChange> {
    for (let index = 0; index < this.size; index++) yield this.row(index);
  }

  row(index: number): KeyedChange {
    const { bytes } = this;
    const at = bytes.readUInt32BE(HEAD_BYTES + index * 8);
    const store = bytes[at] ?? 0;
    const keyEnd = at + 5 + bytes.readUInt32BE(at + 1);
    const key = bytes.subarray(at + 5, keyEnd);
    const before = readValue(bytes, bytes.readUInt32BE(HEAD_BYTES + index * 8 + 4));
    return { store, key, before, after: readValue(bytes, keyEnd), text: orderedText(store, key) };
  }

  /** Returns the change of one row; undefined if the block did not change the row. */
  find(store: StoreId, key: Uint8Array): KeyedChange | undefined {
    let low = 0;
    let high = this.size - 1;
    while (low <= high) {
      const middle = (low + high) >>> 1;
      const order = this.compareKeyAt(middle, store, key);
      if (order === 0) return this.row(middle);
      if (order < 0) low = middle + 1;
      else high = middle - 1;
    }
    return undefined;
  }

  private compareKeyAt(index: number, store: StoreId, key: Uint8Array): number {
    const at = this.bytes.readUInt32BE(HEAD_BYTES + index * 8);
    const difference = (this.bytes[at] ?? 0) - store;
    if (difference !== 0) return difference;
    return this.bytes.subarray(at + 5, at + 5 + this.bytes.readUInt32BE(at + 1)).compare(key);
  }
}

/**
 * Returns digest(n) = SHA-256(digest(n − 1) ‖ block id ‖ changed rows). For genesis, 32 zero bytes replace the previous
 * digest, and the block id is omitted.
 */
export function nextDigest(previous: Uint8Array, blockId: Uint8Array | undefined, changes: ChangeSet): Uint8Array {
  const parts = changes.digested();
  return blockId === undefined ? sha256(previous, ...parts) : sha256(previous, blockId, ...parts);
}

/** Returns the changes that revert a block. */
export function inverseChanges(changes: readonly KeyedChange[]): KeyedChange[] {
  return changes.map((change) => ({ ...change, before: change.after, after: change.before }));
}

function writeValue(bytes: Buffer, value: Uint8Array | undefined, at: number): number {
  const start = bytes.writeUInt32BE(value?.length ?? ABSENT, at);
  if (value === undefined) return start;
  bytes.set(value, start);
  return start + value.length;
}

function readValue(bytes: Buffer, at: number): Uint8Array | undefined {
  const length = bytes.readUInt32BE(at);
  return length === ABSENT ? undefined : bytes.subarray(at + 4, at + 4 + length);
}
