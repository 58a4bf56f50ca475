import type { MessageType } from '../../codec/descriptor.js';
import { Writer } from '../../codec/writer.js';
import { fromInt64, toInt64 } from '../../primitives/bytes.js';
import type { RowCodec } from './table.js';

/** Rows that are protobuf messages: copied before they are changed. */
export function messageRows<T extends { clone(): T }>(type: MessageType<T>): RowCodec<T> {
  return {
    decode: (bytes) => type.decode(bytes),
    encode: (value) => Writer.encode(value, type),
    clone: (value) => value.clone(),
  };
}

/** Rows kept as they are; whoever writes one puts a new array. */
export const byteRows: RowCodec<Uint8Array> = {
  decode: (bytes) => bytes,
  encode: (value) => value,
  clone: (value) => value,
};

/** Rows that hold one Java long, 8 bytes big-endian. */
export const int64Rows: RowCodec<bigint> = {
  decode: (bytes) => toInt64(bytes),
  encode: (value) => fromInt64(value),
  clone: (value) => value,
};
