import { keccak256 } from '../../crypto/hash.js';
import { concatBytes, equalBytes, utf8 } from '../../primitives/bytes.js';
import { decrypt, NONCE_BYTES } from './shielded-keys.js';

/**
 * Size of the encrypted part of a burn record, in bytes. This part contains amount and receiver. Reference:
 * NoteEncryption.BURN_CIPHER_LEN.
 */
export const BURN_CIPHER_BYTES = 80;
/**
 * Size of a burn record, in bytes. The record consists of the encrypted part, the nonce, and four bytes that identify
 * the format.
 * Reference: BURN_CIPHER_RECORD_SIZE.
 */
export const BURN_RECORD_BYTES = 96;

const DOMAIN = utf8('Ztron_BurnNonce');
const BOUND = Uint8Array.of(0, 0, 0, 1);
const NULLIFIER_BYTES = 32;

/**
 * Public data of a burn: nullifier of the spent note (32 bytes; undefined if it was not logged), amount (32 bytes),
 * receiver (21 bytes).
 */
export interface Burn {
  readonly nullifier: Uint8Array | undefined;
  readonly amount: Uint8Array;
  readonly receiver: Uint8Array;
}

interface BurnRecord {
  readonly cipher: Uint8Array;
  readonly nonce: Uint8Array;
  readonly mark: Uint8Array;
}

/** Splits a record into its parts. @param bytes record; bytes after the record are ignored */
export function burnRecordOf(bytes: Uint8Array): BurnRecord {
  const nonceEnd = BURN_CIPHER_BYTES + NONCE_BYTES;
  return {
    cipher: bytes.subarray(0, BURN_CIPHER_BYTES),
    nonce: bytes.subarray(BURN_CIPHER_BYTES, nonceEnd),
    mark: bytes.subarray(nonceEnd, BURN_RECORD_BYTES),
  };
}

/**
 * Returns true if the nonce of the record is derived from the burn. In the older format, the four format bytes are
 * zero.
 */
export function isBound({ mark }: BurnRecord): boolean {
  return equalBytes(mark, BOUND);
}

/**
 * Returns the nonce of a burn, 12 bytes. Different burns have different nonces. Reference:
 * NoteEncryption.deriveBurnNonce.
 */
export function burnNonce({ nullifier, amount, receiver }: Burn & { readonly nullifier: Uint8Array }): Uint8Array {
  return keccak256(concatBytes(DOMAIN, nullifier, amount, receiver)).subarray(0, NONCE_BYTES);
}

/**
 * Decrypts a record of the older or the newer format. Returns undefined if the record is invalid, or the key is wrong.
 * Reference: decryptBurnMessageByOvk.
 */
export function openBurn(key: Uint8Array, record: BurnRecord, burn: Burn): Uint8Array | undefined {
  const { cipher, nonce } = record;
  if (isBound(record)) {
    const { nullifier } = burn;
    if (nullifier?.length !== NULLIFIER_BYTES || !equalBytes(nonce, burnNonce({ ...burn, nullifier })))
      return undefined;
  } else if ([...nonce, ...record.mark].some((byte) => byte !== 0)) return undefined;
  return decrypt(key, cipher, nonce);
}
