import t from 'tap';
import { type KnownKey, KnownKeys } from '../../../../../src/node/threads/signatures/known-keys.js';

const key = (byte: number): KnownKey => ({
  key: new Uint8Array(65).fill(byte),
  address: new Uint8Array(21).fill(byte),
});

t.test('expects the key that last signed for an owner', async (t) => {
  const keys = new KnownKeys();
  t.equal(keys.of('a'), undefined);
  const first = key(1);
  keys.note('a', first);
  keys.note('a', key(1));
  t.equal(keys.of('a'), first);
});

t.test('expects no key for an owner whose key changed', async (t) => {
  const keys = new KnownKeys(2);
  keys.note('a', key(1));
  keys.note('a', key(2));
  t.equal(keys.of('a'), undefined);
  keys.note('a', key(1));
  t.equal(keys.of('a'), undefined, 'the owner is never expected again');
  keys.note('b', key(1));
  t.equal(keys.of('a'), undefined, 'also after the owner has become part of the older generation');
});

t.test('evicts owners that did not sign during a generation of new owners', async (t) => {
  const keys = new KnownKeys(2);
  for (const claimant of ['a', 'b', 'c']) keys.note(claimant, key(1));
  t.ok(keys.of('a'), 'used again in this generation');
  keys.note('d', key(1));
  t.ok(keys.of('a'));
  t.equal(keys.of('b'), undefined);
});
