import t from 'tap';
import { fromHex, toHex, utf8 } from '../../../../src/primitives/bytes.js';
import { decodeRlp, rlpList, rlpText } from '../../../../src/state-transition/account-trie/rlp.js';

// Examples of the Ethereum yellow paper, appendix B.
const texts: readonly (readonly [text: Uint8Array, encoded: string])[] = [
  [utf8(''), '80'],
  [Uint8Array.of(0), '00'],
  [Uint8Array.of(0x7f), '7f'],
  [Uint8Array.of(0x80), '8180'],
  [utf8('dog'), '83646f67'],
  [new Uint8Array(55), `b7${'00'.repeat(55)}`],
  [new Uint8Array(56), `b838${'00'.repeat(56)}`],
  [new Uint8Array(1024), `b90400${'00'.repeat(1024)}`],
];

t.test('encodes strings and lists by length and decodes them', async (t) => {
  for (const [text, encoded] of texts) {
    t.equal(toHex(rlpText(text)), encoded);
    const back = decodeRlp(fromHex(encoded));
    t.equal(back instanceof Uint8Array ? toHex(back) : 'a list', toHex(text));
  }
  const list = rlpList([rlpText(utf8('cat')), rlpList([]), rlpText(utf8('dog'))]);
  t.equal(toHex(list), 'c983636174c083646f67');
  t.same(decodeRlp(list), [utf8('cat'), [], utf8('dog')]);
});

t.test('rejects bytes that are not exactly one item', async (t) => {
  for (const hex of ['', '81', '8364', 'c2', '0000', 'b8', 'bf0000000000000000', 'c38364']) {
    t.throws(() => decodeRlp(fromHex(hex)), { message: 'RLP wrong encoding' }, hex);
  }
});
