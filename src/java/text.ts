/**
 * Text of bytes as the reference reads them: like any UTF-8 decoder, but a surrogate that is encoded in three bytes (or the
 * first two of them) becomes one replacement character instead of one for each byte. Reference: ByteString.toStringUtf8.
 */
export function toJavaText(bytes: Uint8Array): string {
  const raw = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!raw.includes(0xed)) return raw.toString('utf8');
  const latin = raw.toString('latin1').replace(/\xed[\xa0-\xbf][\x80-\xbf]?/g, '\xff');
  return Buffer.from(latin, 'latin1').toString('utf8');
}
