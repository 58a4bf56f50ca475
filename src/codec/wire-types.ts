/** Wire types of protobuf: the lowest three bits of a tag, which say how long the content behind it is. */
export const VARINT = 0;
export const FIXED64 = 1;
export const LENGTH_DELIMITED = 2;
export const START_GROUP = 3;
export const END_GROUP = 4;
export const FIXED32 = 5;

/** Bytes of a number of 64 bits at most. */
export const VARINT_BYTES_MAX = 10;
