import { createRequire } from 'node:module';
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import * as noble from '@noble/secp256k1';
import { present } from '../primitives/assert.js';
import { concatBytes } from '../primitives/bytes.js';
import { errorText } from '../primitives/errors.js';

/** Size of a signature in bytes: r, s and the recovery byte. */
export const SIGNATURE_BYTES = 65;

interface RecoverableSignature {
  /** Numbers r and s, 64 bytes. s is in the lower half of the group order. */
  readonly signature: Uint8Array;
  /** Recovery id, 0 to 3. */
  readonly recid: number;
}

/**
 * ECDSA over secp256k1. Nonces follow RFC 6979, so the native and the JavaScript implementation create the same
 * signatures.
 */
export interface Secp256k1 {
  readonly library: 'native' | 'noble';
  /** Reason why the native library could not be loaded. Undefined if it was loaded, or if no load was attempted. */
  readonly reason?: string;
  /** Returns true if a key is from 1 to the group order − 1. @param privateKey 32 bytes */
  isPrivateKey(privateKey: Uint8Array): boolean;
  /** Returns the uncompressed public key, 65 bytes. @throws {Error} the private key is invalid */
  publicKeyOf(privateKey: Uint8Array): Uint8Array;
  /** Signs a hash. @param hash 32 bytes @throws {Error} the private key is invalid */
  sign(hash: Uint8Array, privateKey: Uint8Array): RecoverableSignature;
  /**
   * Recovers the uncompressed public key, 65 bytes.
   * @param signature r and s, 64 bytes
   * @throws {Error} r or s is 0 or not below the group order, or no key matches the signature
   */
  recover(signature: Uint8Array, recid: number, hash: Uint8Array): Uint8Array;
}

/**
 * Loads libsecp256k1, which is 50 times as fast as JavaScript.
 * @throws {Error} the native addon does not load on this machine
 */
export function loadNative(): Secp256k1 {
  // Loads the native addon directly. If the addon does not load, the main file of the package would silently use a
  // JavaScript implementation.
  const addon = createRequire(import.meta.url)('secp256k1/bindings.js') as typeof import('secp256k1');
  return {
    library: 'native',
    isPrivateKey: (privateKey) => privateKey.length === 32 && addon.privateKeyVerify(privateKey),
    publicKeyOf: (privateKey) => addon.publicKeyCreate(privateKey, false),
    sign: (hash, privateKey) => addon.ecdsaSign(hash, privateKey),
    recover: (signature, recid, hash) => addon.ecdsaRecover(signature, recid, hash, false),
  };
}

const SIGNING = { prehash: false, format: 'recovered' } as const;
const RECOVERING = { prehash: false, isCompressed: false } as const;

/** Loads the JavaScript implementation. It is the fallback for the native library, and tests compare the two. */
export function loadNoble(): Secp256k1 {
  noble.hashes.sha256 = sha256;
  noble.hashes.hmacSha256 = (key, message) => hmac(sha256, key, message);
  return {
    library: 'noble',
    isPrivateKey: (privateKey) => noble.utils.isValidSecretKey(privateKey),
    publicKeyOf: (privateKey) => noble.getPublicKey(privateKey, false),
    sign: (hash, privateKey) => {
      const [recid, ...signature] = noble.sign(hash, privateKey, SIGNING);
      return {
        signature: Uint8Array.from(signature),
        recid: present(recid, 'a recoverable signature contains a recid'),
      };
    },
    recover: (signature, recid, hash) =>
      noble.recoverPublicKey(concatBytes(Uint8Array.of(recid), signature), hash, RECOVERING),
  };
}

/**
 * Returns the native library, or the JavaScript implementation if the native library does not load.
 * @param load replaceable for tests
 */
export function chooseSecp256k1(load: () => Secp256k1 = loadNative): Secp256k1 {
  try {
    return load();
  } catch (error) {
    return { ...loadNoble(), reason: errorText(error) };
  }
}

/** ECDSA library of this process. The log and a metric show the name of the library. */
export const secp256k1: Secp256k1 = chooseSecp256k1();
