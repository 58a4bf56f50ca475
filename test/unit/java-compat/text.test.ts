import t from 'tap';
import { isBlank, javaTrim } from '../../../src/java-compat/text.js';

/** Returns the character codes of a text in hex, as the name of an assertion. */
const codesOf = (text: string): string => [...text].map((char) => char.charCodeAt(0).toString(16)).join(' ');

// Recorded from Java 17, for each character.
t.test('recognises the white space of Java', async (t) => {
  const blank = [
    '',
    ' ',
    '\t\n\v\f\r',
    '\x1c\x1d\x1e\x1f',
    '\u1680\u2000\u2006\u2008\u200a',
    '\u2028\u2029\u205f\u3000',
  ];
  for (const text of blank) t.equal(isBlank(text), true, codesOf(text));
  for (const text of ['\0', '\x1b', '\x7f', '\xa0', '\u2007', '\u202f', '\u200b', '\ufeff', ' x '])
    t.equal(isBlank(text), false, codesOf(text));
});

t.test('trims only control characters and plain spaces', async (t) => {
  t.equal(javaTrim('\0\x1f \t a b \n'), 'a b');
  for (const text of ['\xa0a\xa0', '\ufeff{}', '\u2028', '\x7f']) t.equal(javaTrim(text), text, codesOf(text));
});
