import t from 'tap';
import { decodeBase58Check, encodeBase58Check } from '../../../src/crypto/base58-check.js';
import { fromHex, toHex } from '../../../src/primitives/bytes.js';

// Addresses in block 0 of the main net.
const pairs: readonly [string, string][] = [
  ['TLLM21wteSPs4hKjbxgmH1L6poyMjeTbHm', '4171b0af54e0a1182a5e0947d6a64f3b22740ef318'],
  ['TLsV52sRDL79HXGGm9yzwKibb6BeruhUzy', '4177944d19c052b73ee2286823aa83f8138cb7032f'],
  ['T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb', '410000000000000000000000000000000000000000'],
];
for (const [text, hex] of pairs)
  t.test(`encodes ${hex} as ${text}`, async (t) => {
    t.equal(encodeBase58Check(fromHex(hex)), text);
    t.equal(toHex(decodeBase58Check(text)!), hex);
  });

t.test('keeps leading zero bytes', async (t) => {
  for (const hex of ['000001', '00', '0000000000', '00ff'])
    t.equal(toHex(decodeBase58Check(encodeBase58Check(fromHex(hex)))!), hex);
  t.equal(encodeBase58Check(fromHex('00')), '1Wh4bh');
});

t.test('returns undefined for a wrong checksum, an invalid character or a wrong length', async (t) => {
  for (const text of [
    'TLLM21wteSPs4hKjbxgmH1L6poyMjeTbHn',
    'TLLM21wteSPs4hKjbxgmH1L6poyMjeTbH0',
    '',
    '1',
    'z'.repeat(5000),
  ])
    t.equal(decodeBase58Check(text), undefined, text.slice(0, 40));
});
