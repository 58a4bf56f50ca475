import { Writer } from '../../log/codec/writer.js';
import { fromInt64, toInt64 } from '../../log/domain/bytes.js';
/** Rows that are protobuf messages: copied before they are changed. */
export function messageRows(type) {
    return {
        decode: (bytes) => type.decode(bytes),
        encode: (value) => Writer.encode(value, type),
        clone: (value) => value.clone(),
    };
}
/** Rows kept as they are; whoever writes one puts a new array. */
export const byteRows = {
    decode: (bytes) => bytes,
    encode: (value) => value,
    clone: (value) => value,
};
/** Rows that hold one Java long, 8 bytes big-endian. */
export const int64Rows = {
    decode: (bytes) => toInt64(bytes),
    encode: (value) => fromInt64(value),
    clone: (value) => value,
};
//# sourceMappingURL=row-codecs.js.map