import t from 'tap';
import { addressOfKey } from '../../../src/crypto/key-address.js';
import { secp256k1 } from '../../../src/crypto/secp256k1.js';
import { fromHex, toHex } from '../../../src/primitives/bytes.js';

// Private key 1. Its address without the prefix byte is known from other chains.
t.test('derives an address from the prefix and the end of the key hash without its first byte', async (t) => {
  const key = secp256k1.publicKeyOf(fromHex('01'.padStart(64, '0')));
  t.equal(toHex(addressOfKey(key, 0x41)), '417e5f4552091a69125d5dfcb7b8c2659029395bdf');
  t.equal(toHex(addressOfKey(key, 0xa0)), 'a07e5f4552091a69125d5dfcb7b8c2659029395bdf');
});
