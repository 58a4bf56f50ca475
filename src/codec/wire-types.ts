/**
 * Wire types of protobuf, which are the lowest three bits of a tag. The wire type determines the length of the content.
 */
export const VARINT = 0;
export const FIXED64 = 1;
export const LENGTH_DELIMITED = 2;
export const START_GROUP = 3;
export const END_GROUP = 4;
export const FIXED32 = 5;

/** Maximum size of a 64-bit varint, in bytes. */
export const VARINT_BYTES_MAX = 10;
