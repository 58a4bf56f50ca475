import type { InternalTransaction } from '../codec/generated/messages.js';
import { concatBytes, EMPTY_BYTES, varint } from '../primitives/bytes.js';

/**
 * Field number under which the log stores the call data of an internal transaction. The protobuf message of the network
 * has no such field, and receipts never contain it.
 */
const DATA_FIELD = 100;
const TAG = (DATA_FIELD << 3) | 2;

/** Returns a copy of an internal transaction with its call data, for storage in the log. */
export function withInternalData(internal: InternalTransaction, data: Uint8Array): InternalTransaction {
  if (data.length === 0) return internal;
  const copy = internal.clone();
  copy.$unknown = concatBytes(Uint8Array.from([...varint(TAG), ...varint(data.length)]), data);
  return copy;
}

/** Returns the stored call data or creation code of an internal transaction; empty if it was not stored. */
export function internalData({ $unknown }: InternalTransaction): Uint8Array {
  if ($unknown === undefined) return EMPTY_BYTES;
  let at = 0;
  const readVarint = (): number => {
    let value = 0;
    for (let shift = 1; ; shift *= 128) {
      const byte = $unknown[at++] ?? 0;
      value += (byte & 0x7f) * shift;
      if (byte < 0x80) return value;
    }
  };
  if (readVarint() !== TAG) return EMPTY_BYTES;
  const length = readVarint();
  return $unknown.subarray(at, at + length);
}
