import t from 'tap';
import { readPairs, readParameters } from '../../../../src/api/http/parameters.js';
import type { JavaError } from '../../../../src/java-compat/java-error.js';
import { refusal } from '../../../support/json/refusal.js';

const pairs = (text: string) => [...readPairs(text)];

t.test('keeps names and values in order', async (t) => {
  t.same(pairs('a=1&b&&=2&c=x=y&a=%c3%a9+%2B'), [
    ['a', '1'],
    ['b', ''],
    ['', '2'],
    ['c', 'x=y'],
    ['a', 'é +'],
  ]);
});

t.test('decodes a percent sign and any two characters as one byte', async (t) => {
  t.same(pairs('a=%3:'), [['a', ':']]);
  t.same(pairs('a%3=1&b=2'), [
    ['a=1', ''],
    ['b', '2'],
  ]);
  t.same(pairs('a=%c3'), [['a', '\ufffd']], 'a character truncated by the end of the query');
});

/** Malformed forms with the response of java-tron 4.8.2, which decodes forms itself. */
const REFUSED = [
  ['a=%ff', 'org.eclipse.jetty.util.Utf8Appendable$NotUtf8Exception', 'Not valid UTF8! byte Ff in state 0'],
  ['a=%c0%80', 'org.eclipse.jetty.util.Utf8Appendable$NotUtf8Exception', 'Not valid UTF8! byte C0 in state 0'],
  ['a=%c3%28', 'org.eclipse.jetty.util.Utf8Appendable$NotUtf8Exception', 'Not valid UTF8! byte 28 in state 2'],
  ['a=%ed%a0', 'org.eclipse.jetty.util.Utf8Appendable$NotUtf8Exception', 'Not valid UTF8! byte A0 in state 5'],
  ['a=%c3x', 'org.eclipse.jetty.util.Utf8Appendable$NotUtf8Exception', 'Not valid UTF8! char appended in state 24'],
  ['a=%4', 'org.eclipse.jetty.util.Utf8Appendable$NotUtf8Exception', 'Not valid UTF8! Incomplete % encoding'],
  ['a=tru%zz', 'java.lang.IllegalArgumentException', "Not valid encoding '%zz'"],
] as const;

const shown = ({ javaClass, text }: JavaError): string => `${javaClass} : ${text}`;
const UNREADABLE = 'org.eclipse.jetty.http.BadMessageException : 400: Unable to parse ';

t.test('reports the exact fault of a form that java-tron decodes, otherwise a general error', async (t) => {
  for (const [text, javaClass, message] of REFUSED) {
    t.equal(shown(refusal(() => pairs(text))), `${javaClass} : ${message}`);
    t.equal(shown(refusal(() => readParameters(text, undefined))), `${UNREADABLE}URI query`, text);
    t.equal(shown(refusal(() => readParameters('a=%zz', Buffer.from(text)))), `${UNREADABLE}form content`, text);
  }
});

t.test('limits the size of a form, and appends its parameters to those of the query', async (t) => {
  const form = (names: number) => Buffer.from(Array.from({ length: names }, (_, at) => `p${at}=1`).join('&'));
  t.equal(readParameters(undefined, form(1000)).size, 1000);
  for (const unread of [form(1001), Buffer.from('a'.repeat(200_001))]) {
    t.equal(shown(refusal(() => readParameters(undefined, unread))), `${UNREADABLE}form content`);
  }
  t.same(
    [...readParameters('a=1', Buffer.from('a=2&b=é'))],
    [
      ['a', ['1', '2']],
      ['b', ['é']],
    ],
  );
});
