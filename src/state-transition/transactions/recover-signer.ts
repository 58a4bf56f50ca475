import { addressOfKey } from '../../crypto/key-address.js';
import { SIGNATURE_BYTES } from '../../crypto/secp256k1.js';
import { javaClassOf } from '../../java-compat/class-name.js';
import { itemAt } from '../../primitives/assert.js';
import { ChainError } from '../errors.js';
import type { ChainRules } from '../state/chain-rules.js';
import { recoverKey } from './recover-key.js';

/**
 * Returns the address (21 bytes) of the signer of a hash. Reference: SignUtils.signatureToAddress,
 * ECKey.signatureToKeyBytes.
 * @throws {ChainError} no key can be recovered; the exception and its text are java-tron's
 */
export function recoverSigner(hash: Uint8Array, signature: Uint8Array, addressPrefix: number): Uint8Array {
  return addressOfKey(recoverSignerKey(hash, signature), addressPrefix);
}

/**
 * Returns the signer's public key: 65 bytes (uncompressed), or the byte 0 for the point at infinity.
 * @throws {ChainError} no key can be recovered; the exception and its text are java-tron's
 */
export function recoverSignerKey(hash: Uint8Array, signature: Uint8Array): Uint8Array {
  return recoverKey(hash, signature, recoveryIdOf(signature));
}

/**
 * Returns the recovery id (0 to 3), which selects one of the four possible nonce points for the r of the signature.
 * @throws {ChainError} SignatureException: the header byte is invalid
 */
export function recoveryIdOf(signature: Uint8Array): number {
  const header = headerOf(itemAt(signature, SIGNATURE_BYTES - 1));
  if (header < 27 || header > 34) throw new ChainError('SignatureException', `Header byte out of range: ${header}`);
  return (header >= 31 ? header - 4 : header) - 27;
}

/**
 * Calls `find` to recover a signer, and converts errors to those of the emulated release.
 * @throws {ChainError} no signer can be recovered
 */
export function signerBy(
  { release, addressPrefix }: ChainRules,
  [hash, signature]: readonly [hash: Uint8Array, signature: Uint8Array],
  find = (of: Uint8Array, by: Uint8Array) => recoverSigner(of, by, addressPrefix),
): Uint8Array {
  try {
    return find(hash, signature);
  } catch (error) {
    if (!(error instanceof ChainError && release.rules.wrapsSignerFailures)) throw error;
    throw new ChainError('SignatureException', `${javaClassOf(error.exception)}: ${error.text}`, { cause: error });
  }
}

/**
 * Returns the header byte (v) as Java computes it: a signed byte. If it is below 27, Java adds 27, and the sum can
 * overflow.
 */
function headerOf(byte: number): number {
  const signed = (byte << 24) >> 24;
  return signed < 27 ? ((signed + 27) << 24) >> 24 : signed;
}
