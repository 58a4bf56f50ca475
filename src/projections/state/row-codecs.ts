import type { MessageType } from '../../codec/descriptor.js';
import { Writer } from '../../codec/writer.js';
import { fromInt64, toInt64 } from '../../primitives/bytes.js';

/** Codec of the rows of one store. Keys are lower-case hex. */
export interface RowCodec<T> {
  decode(bytes: Uint8Array, key: string): T;
  encode(value: T, key: string): Uint8Array;
  /** Returns a copy that the caller can modify. Immutable values are returned without a copy. */
  clone(value: T): T;
}

/** Codec of protobuf messages. `clone` copies the message. */
export function messageRows<T extends { clone(): T }>(type: MessageType<T>): RowCodec<T> {
  return {
    decode: (bytes) => type.decode(bytes),
    encode: (value) => Writer.encode(value, type),
    clone: (value) => value.clone(),
  };
}

/** Codec of raw bytes. `clone` copies no bytes, so a writer must not modify the array, but replace it by a new one. */
export const byteRows: RowCodec<Uint8Array> = {
  decode: (bytes) => bytes,
  encode: (value) => value,
  clone: (value) => value,
};

/** Codec of a Java long: 8 bytes, big-endian. */
export const int64Rows: RowCodec<bigint> = {
  decode: (bytes) => toInt64(bytes),
  encode: (value) => fromInt64(value),
  clone: (value) => value,
};
