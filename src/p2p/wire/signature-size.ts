/** Bytes of a signature: r, s and the recovery byte; some signers append a few. Reference: SignUtils.isValidLength. */
const BYTES_MIN = 65;
const BYTES_MAX = 68;

/** Whether a signature is as long as one can be. */
export function isSignatureSize(bytes: number): boolean {
  return bytes >= BYTES_MIN && bytes <= BYTES_MAX;
}
