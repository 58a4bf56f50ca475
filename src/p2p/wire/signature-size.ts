/**
 * Minimum and maximum size of a signature in bytes. 65 bytes are r, s and the recovery byte; some signers append up to
 * three bytes.
 * Reference: SignUtils.isValidLength.
 */
const BYTES_MIN = 65;
const BYTES_MAX = 68;

/** Returns true if a signature has a valid size. */
export function isSignatureSize(bytes: number): boolean {
  return bytes >= BYTES_MIN && bytes <= BYTES_MAX;
}
