import t from 'tap';
import { bodyText } from '../../../../src/api/http/body-text.js';
import { refusal } from '../../../support/json/refusal.js';

const BODY = Buffer.from('é€');
const AS_LATIN = 'Ã©â\u0082¬';

/** Content types with the text that java-tron 4.7.2 decodes from the body. */
const ANSWERS: readonly (readonly [type: string, text: string])[] = [
  ['application/json', 'é€'],
  ['Application/JSON', 'é€'],
  ['text/json', 'é€'],
  ['application/json; charset= utf-8', 'é€'],
  ['application/json; charset="utf-8"', 'é€'],
  ['application/json;charset=UTF-8;x', 'é€'],
  ['text/html;charset=utf-8', 'é€'],
  ['', AS_LATIN],
  ['text/plain', AS_LATIN],
  ['text/xml', AS_LATIN],
  ['application/x-www-form-urlencoded', AS_LATIN],
  ['application/json; foo=bar', AS_LATIN],
  ['application/json; charset=', AS_LATIN],
  ['text/json;x=y', AS_LATIN],
  ['application/json;charset=ISO-8859-15', AS_LATIN],
  ['application/json; charset=iso-8859-1', AS_LATIN],
  ['application/json; charset=us-ascii', '\ufffd'.repeat(5)],
  ['application/json; charset=windows-1252', 'Ã©â‚¬'],
  ['application/json; charset=gbk', '茅鈧\ufffd'],
];

t.test('decodes a body with the charset of its content type', async (t) => {
  for (const [type, text] of ANSWERS) t.equal(bodyText(BODY, type), text, type);
});

t.test('reads UTF-16 without a byte order mark as big endian', async (t) => {
  t.equal(bodyText(Buffer.from('{}'), 'application/json; charset=utf-16'), '\u7b7d');
  t.equal(bodyText(Buffer.from('fffe7d7b', 'hex'), 'application/json; charset=utf-16'), '\u7b7d');
  t.equal(bodyText(Buffer.from('{}}'), 'application/json; charset=utf-16'), '\u7b7d\ufffd', 'a truncated character');
});

t.test('rejects an unknown encoding, and names it in the error', async (t) => {
  for (const name of ['nosuch', "'utf-8'"]) {
    const { javaClass, text } = refusal(() => bodyText(BODY, `application/json; charset=${name}`));
    t.same([javaClass, text], ['java.io.UnsupportedEncodingException', name]);
  }
});
