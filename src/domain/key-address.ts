import { ADDRESS_BYTES } from './address.js';
import { keccak256 } from './hash.js';

/** Address (21 bytes) of a public key. Reference: ECKey.computeAddress. @param key uncompressed, 65 bytes */
export function addressOfKey(key: Uint8Array, addressPrefix: number): Uint8Array {
  const address = new Uint8Array(ADDRESS_BYTES);
  address[0] = addressPrefix;
  address.set(keccak256(key.subarray(1)).subarray(12), 1);
  return address;
}
