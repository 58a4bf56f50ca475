import t from 'tap';
import { decodeBase58Check, encodeBase58Check } from '../../../src/crypto/base58-check.js';
import { addressText } from '../../../src/encoding/address-text.js';
import { fromHex, toHex } from '../../../src/primitives/bytes.js';

// Addresses whose last two bytes are equal, so they have the same entry of the cache.
const SAME_PLACE = [
  '4171b0af54e0a1182a5e0947d6a64f3b22740ef318',
  '4171b0af54e0a1182a5e0947d6a64f3b22740ff318',
  'a071b0af54e0a1182a5e0947d6a64f3b22740ef318',
];

t.test('returns the text of each address independent of earlier calls', async (t) => {
  for (const hex of [...SAME_PLACE, ...SAME_PLACE.toReversed(), ...SAME_PLACE]) {
    const text = addressText(fromHex(hex));
    t.equal(text, encodeBase58Check(fromHex(hex)));
    t.equal(toHex(decodeBase58Check(text)!), hex);
  }
});

t.test('keeps the text of an address whose bytes are overwritten later', async (t) => {
  const bytes = Uint8Array.from(fromHex(SAME_PLACE[0]!));
  const before = addressText(bytes);
  bytes[5] = 0;
  t.not(addressText(bytes), before);
  t.equal(addressText(fromHex(SAME_PLACE[0]!)), before);
});

t.test('returns a text for bytes of any other length', async (t) => {
  for (const length of [0, 1, 20, 22, 200]) {
    const bytes = new Uint8Array(length).fill(7);
    t.equal(addressText(bytes), encodeBase58Check(bytes));
  }
});
