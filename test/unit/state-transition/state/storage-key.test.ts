import t from 'tap';
import { SmartContract } from '../../../../src/codec/generated/messages.js';
import { keccak256 } from '../../../../src/crypto/hash.js';
import { toAddress } from '../../../../src/primitives/address.js';
import { concatBytes, fromHex, toHex } from '../../../../src/primitives/bytes.js';
import { storagePrefixOf, storageRowKeys, storedWord } from '../../../../src/state-transition/state/storage-key.js';
import { stateWith } from '../../../support/vm/state-with.js';

const address = fromHex(`41${'ab'.repeat(20)}`);
const slot = fromHex('01'.padStart(64, '0'));
const key = toAddress(address);
const contract = (fields: Partial<SmartContract>): SmartContract => Object.assign(new SmartContract(), fields);

t.test('appends the second half of the slot for old contracts, or of its hash for new ones', async (t) => {
  const prefix = toHex(keccak256(address)).slice(0, 32);
  const state = stateWith({});
  t.same(storageRowKeys(state, key, contract({ version: 0 }), slot), [prefix + '01'.padStart(32, '0')]);
  t.same(storageRowKeys(state, key, contract({ version: 1 }), slot), [prefix + toHex(keccak256(slot)).slice(32)]);
});

t.test('prefers the row of the slot over the shared row since proposal 99, also for zero', async (t) => {
  const state = stateWith({ ALLOW_OPTIMIZE_TVM_STORAGE: 1n });
  const [own, shared] = storageRowKeys(state, key, undefined, slot);
  const hash = keccak256(address);
  t.equal(own, toHex(hash).slice(0, 32) + toHex(keccak256(concatBytes(hash, slot))));
  t.equal(storedWord(state, key, undefined, slot), undefined);
  state.storage.put(shared ?? '', fromHex('07'.padStart(64, '0')));
  t.same(storedWord(state, key, undefined, slot), fromHex('07'.padStart(64, '0')));
  state.storage.put(own, new Uint8Array(32));
  t.same(storedWord(state, key, undefined, slot), new Uint8Array(32));
});

t.test('uses rows of the creating transaction for a CREATE2 contract', async (t) => {
  const id = fromHex('cd'.repeat(32));
  t.equal(storagePrefixOf(key, contract({ trxHash: id })), toHex(keccak256(concatBytes(address, id))).slice(0, 32));
});
