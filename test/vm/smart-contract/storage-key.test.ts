import t from 'tap';
import { concatBytes, fromHex, toHex } from '../../../src/log/domain/bytes.js';
import { keccak256 } from '../../../src/log/domain/hash.js';
import { storageKey, storagePrefix } from '../../../src/vm/smart-contract/storage-key.js';

const address = fromHex(`41${'ab'.repeat(20)}`);
const slot = fromHex('01'.padStart(64, '0'));
const NONE = new Uint8Array(0);

t.test('rows of old contracts end with the second half of the slot, new ones with that of its hash', async (t) => {
  const prefix = toHex(keccak256(address)).slice(0, 32);
  t.equal(toHex(storageKey(storagePrefix(address, NONE), slot, 0)), prefix + '01'.padStart(32, '0'));
  t.equal(toHex(storageKey(storagePrefix(address, NONE), slot, 1)), prefix + toHex(keccak256(slot)).slice(32));
});

t.test('a contract made by CREATE2 has rows of the transaction that made it', async (t) => {
  const id = fromHex('cd'.repeat(32));
  t.equal(toHex(storagePrefix(address, id)), toHex(keccak256(concatBytes(address, id))).slice(0, 32));
});
