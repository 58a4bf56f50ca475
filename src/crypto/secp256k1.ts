import { createRequire } from 'node:module';
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import * as noble from '@noble/secp256k1';
import { present } from '../primitives/assert.js';
import { concatBytes } from '../primitives/bytes.js';

/** Bytes of a signature: r, s and the recovery byte. */
export const SIGNATURE_BYTES = 65;

interface RecoverableSignature {
  /** r and s, 64 bytes, s in the lower half. */
  readonly signature: Uint8Array;
  /** 0 to 3. */
  readonly recid: number;
}

/**
 * Keys and signatures of the network: ECDSA over secp256k1, nonces by RFC 6979, so that both libraries give the same
 * bytes.
 */
export interface Secp256k1 {
  readonly library: 'native' | 'noble';
  /** Why it is not the native one, where that was tried. */
  readonly reason?: string;
  /** @param privateKey 32 bytes. Whether it lies between 1 and the order. */
  isPrivateKey(privateKey: Uint8Array): boolean;
  /** Uncompressed, 65 bytes. @throws {Error} no private key */
  publicKeyOf(privateKey: Uint8Array): Uint8Array;
  /** @param hash 32 bytes. @throws {Error} no private key */
  sign(hash: Uint8Array, privateKey: Uint8Array): RecoverableSignature;
  /**
   * The public key, uncompressed, 65 bytes.
   * @param signature r and s, 64 bytes
   * @throws {Error} r or s is 0 or not below the order, or there is no such key
   */
  recover(signature: Uint8Array, recid: number, hash: Uint8Array): Uint8Array;
}

/** libsecp256k1: what a node works with, 50 times as fast. @throws {Error} its addon does not load on this machine */
export function loadNative(): Secp256k1 {
  // The package's main file goes over to a third implementation without a word where the addon does not load.
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

/** The same in JavaScript: where the addon does not load, and to check it with. */
export function loadNoble(): Secp256k1 {
  noble.hashes.sha256 = sha256;
  noble.hashes.hmacSha256 = (key, message) => hmac(sha256, key, message);
  return {
    library: 'noble',
    isPrivateKey: (privateKey) => noble.utils.isValidSecretKey(privateKey),
    publicKeyOf: (privateKey) => noble.getPublicKey(privateKey, false),
    sign: (hash, privateKey) => {
      const [recid, ...signature] = noble.sign(hash, privateKey, SIGNING);
      return { signature: Uint8Array.from(signature), recid: present(recid, 'a recoverable signature says which key') };
    },
    recover: (signature, recid, hash) =>
      noble.recoverPublicKey(concatBytes(Uint8Array.of(recid), signature), hash, RECOVERING),
  };
}

/** The native library where it loads, else the other. @param load told apart for tests */
export function chooseSecp256k1(load: () => Secp256k1 = loadNative): Secp256k1 {
  try {
    return load();
  } catch (error) {
    return { ...loadNoble(), reason: error instanceof Error ? error.message : String(error) };
  }
}

/** What this process signs and recovers with; the log and a metric say which it is. */
export const secp256k1: Secp256k1 = chooseSecp256k1();
