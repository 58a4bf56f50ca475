/**
 * Matches 48 or more hex digits, which may be a private key, complete (64 digits) or truncated. An address has only 42
 * digits. Does not match block ids, which start with zeros, because their first 8 bytes are the height.
 */
const KEY_LIKE = /(?<![0-9a-f])(?!0{8}[0-9a-f]{56}(?![0-9a-f]))[0-9a-f]{48,}/gi;

/**
 * Replaces each text that looks like a private key by the number of its digits. An operator can pass a key as the value
 * of a wrong argument. Without the replacement, terminals and log files would store the key.
 */
export function maskKeys(text: string): string {
  return text.replace(KEY_LIKE, ({ length }) => `<${length} hex digits, not shown>`);
}
