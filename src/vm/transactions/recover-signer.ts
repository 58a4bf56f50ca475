import secp256k1 from 'secp256k1';
import { keccak256 } from '../../log/domain/hash.js';
import { ChainError, unchecked } from '../errors.js';

/** Bytes of a signature: r, s and the recovery byte; what stands behind them is ignored. */
export const SIGNATURE_BYTES = 65;

/**
 * Address (21 bytes) of the key that made a signature. Reference: SignUtils.signatureToAddress, ECKey.signatureToKeyBytes.
 * @throws {ChainError} SignatureException with the reference's text
 */
export function recoverSigner(hash: Uint8Array, signature: Uint8Array, addressPrefix: number): Uint8Array {
  const header = headerOf(signature[64]!);
  if (header < 27 || header > 34) throw new ChainError('SignatureException', `Header byte out of range: ${header}`);
  const recovery = (header >= 31 ? header - 4 : header) - 27;
  const key = recoverKey(hash, signature, recovery);
  const address = new Uint8Array(21);
  address[0] = addressPrefix;
  address.set(keccak256(key.subarray(1)).subarray(12), 1);
  return address;
}

/** Java reads the byte as signed, and adds 27 within a byte to everything below 27. */
function headerOf(byte: number): number {
  const signed = (byte << 24) >> 24;
  return signed < 27 ? ((signed + 27) << 24) >> 24 : signed;
}

function recoverKey(hash: Uint8Array, signature: Uint8Array, recovery: number): Uint8Array {
  try {
    return secp256k1.ecdsaRecover(signature.subarray(0, 64), recovery, hash, false);
  } catch (error) {
    if (recovery < 2) throw unchecked('IllegalArgumentException', 'Invalid point compression');
    throw new ChainError('SignatureException', 'Could not recover public key from signature', { cause: error });
  }
}
