/**
 * Formats a ByteString as Java's protobuf library does: identity hash, size and content. The identity hash is always 0
 * here. In Java, it differs in each run. Reference: ByteString.toString.
 */
export function byteStringText(bytes: Uint8Array): string {
  const hidden = bytes.length > 50 ? `${escapeBytes(bytes.subarray(0, 47))}...` : escapeBytes(bytes);
  return `<ByteString@0 size=${bytes.length} contents="${hidden}">`;
}

function escapeBytes(bytes: Uint8Array): string {
  const named: Readonly<Record<number, string>> = {
    7: '\\a',
    8: '\\b',
    12: '\\f',
    10: '\\n',
    13: '\\r',
    9: '\\t',
    11: '\\v',
    92: '\\\\',
    39: "\\'",
    34: '\\"',
  };
  return [...bytes]
    .map((byte) => {
      if (named[byte] !== undefined) return named[byte];
      return byte >= 32 && byte <= 126 ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, '0')}`;
    })
    .join('');
}
