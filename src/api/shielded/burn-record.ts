import { keccak256 } from '../../crypto/hash.js';
import { concatBytes, equalBytes, utf8 } from '../../primitives/bytes.js';
import { decrypt, NONCE_BYTES } from './shielded-keys.js';

/** Bytes of the sealed amount and receiver. Reference: NoteEncryption.BURN_CIPHER_LEN. */
export const BURN_CIPHER_BYTES = 80;
/** Bytes of a record: what is sealed, its nonce, and a mark of four bytes. Reference: BURN_CIPHER_RECORD_SIZE. */
export const BURN_RECORD_BYTES = 96;

const DOMAIN = utf8('Ztron_BurnNonce');
const BOUND = Uint8Array.of(0, 0, 0, 1);
const NULLIFIER_BYTES = 32;

/**
 * What is seen of a burn: the note's nullifier (32 bytes, undefined: not logged), the amount (32 bytes) and its
 * receiver (21).
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

/** @param bytes a record, or more that begins with one */
export function burnRecordOf(bytes: Uint8Array): BurnRecord {
  const nonceEnd = BURN_CIPHER_BYTES + NONCE_BYTES;
  return {
    cipher: bytes.subarray(0, BURN_CIPHER_BYTES),
    nonce: bytes.subarray(BURN_CIPHER_BYTES, nonceEnd),
    mark: bytes.subarray(nonceEnd, BURN_RECORD_BYTES),
  };
}

/** Whether a record is of the form whose nonce is bound to its burn; the older one has zeros there. */
export function isBound({ mark }: BurnRecord): boolean {
  return equalBytes(mark, BOUND);
}

/** Nonce that no other burn has, 12 bytes. Reference: NoteEncryption.deriveBurnNonce. */
export function burnNonce({ nullifier, amount, receiver }: Burn & { readonly nullifier: Uint8Array }): Uint8Array {
  return keccak256(concatBytes(DOMAIN, nullifier, amount, receiver)).subarray(0, NONCE_BYTES);
}

/**
 * Opens a record of either form; undefined where it is of none, or sealed with another key.
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
