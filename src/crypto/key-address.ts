import { ADDRESS_BYTES } from '../primitives/address.js';
import { keccak256 } from './hash.js';
import { secp256k1 } from './secp256k1.js';

/**
 * Returns the address (21 bytes) of a public key. Reference: ECKey.computeAddress. @param key uncompressed, 65 bytes
 */
export function addressOfKey(key: Uint8Array, addressPrefix: number): Uint8Array {
  const address = new Uint8Array(ADDRESS_BYTES);
  address[0] = addressPrefix;
  address.set(keccak256(key.subarray(1)).subarray(12), 1);
  return address;
}

/** Returns the address (21 bytes) of a private key. @param privateKey 32 bytes */
export function keyAddress(privateKey: Uint8Array, prefix: number): Uint8Array {
  return addressOfKey(secp256k1.publicKeyOf(privateKey), prefix);
}
