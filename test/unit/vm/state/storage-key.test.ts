import t from 'tap';
import { SmartContract } from '../../../../src/codec/generated/messages.js';
import { toAddress } from '../../../../src/domain/address.js';
import { concatBytes, fromHex, toHex } from '../../../../src/domain/bytes.js';
import { keccak256 } from '../../../../src/domain/hash.js';
import { storagePrefixOf, storageRowKey } from '../../../../src/vm/state/storage-key.js';

const address = fromHex(`41${'ab'.repeat(20)}`);
const slot = fromHex('01'.padStart(64, '0'));
const key = toAddress(address);
const contract = (fields: Partial<SmartContract>): SmartContract => Object.assign(new SmartContract(), fields);

t.test('rows of old contracts end with the second half of the slot, new ones with that of its hash', async (t) => {
  const prefix = toHex(keccak256(address)).slice(0, 32);
  t.equal(storageRowKey(key, contract({ version: 0 }), slot), prefix + '01'.padStart(32, '0'));
  t.equal(storageRowKey(key, contract({ version: 1 }), slot), prefix + toHex(keccak256(slot)).slice(32));
});

t.test('a contract made by CREATE2 has rows of the transaction that made it', async (t) => {
  const id = fromHex('cd'.repeat(32));
  t.equal(storagePrefixOf(key, contract({ trxHash: id })), toHex(keccak256(concatBytes(address, id))).slice(0, 32));
});
