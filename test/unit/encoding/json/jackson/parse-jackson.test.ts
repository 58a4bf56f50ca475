import t from 'tap';
import { parseJackson } from '../../../../../src/encoding/json/jackson/parse-jackson.js';
import { printJson } from '../../../../../src/encoding/json/json-value.js';
import { parseJsonObject } from '../../../../../src/encoding/json/parse-json.js';
import { refusal } from '../../../../support/json/refusal.js';

// Results recorded from Jackson 2.18.6 with the configuration of 4.8.2 (org.tron.json.JSON).

const AT = ' at [Source: REDACTED (`StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION` disabled); line: ';
const TOKENS = "(JSON String, Number, Array, Object or token 'null', 'true' or 'false')";

const accepted: readonly (readonly [text: string, printed: string])[] = [
  ['{1:2}', '{"1":2}'],
  ["{'a':'b\\'c'}", '{"a":"b\'c"}'],
  ['{a-b:1,}', '{"a-b":1}'],
  ['{"a":+.5,"b":5.,"c":-007.10,"d":1e5,"e":100.0}', '{"a":0.5,"b":5,"c":-7.1,"d":1E+5,"e":1E+2}'],
  ['{"a":1/**/,//x\n"b":null}', '{"a":1,"b":null}'],
  ['{"b":1,"a":2,"b":3} what follows', '{"b":3,"a":2}'],
  [`{"a":${'0'.repeat(2000)}1}`, '{"a":1}'],
  ['{"a":"\u0001\u007f\u2028é"}', '{"a":"\\u0001\u007f\u2028é"}'],
];

const refused: readonly (readonly [text: string, message: string])[] = [
  [
    '{',
    `Unexpected end-of-input: expected close marker for Object (start marker at${AT.slice(3)}1, column: 1])\n${AT}1, column: 2]`,
  ],
  ['{"a"', `Unexpected end-of-input within/between Object entries\n${AT}1, column: 5]`],
  [
    '{]',
    `Unexpected close marker ']': expected '}' (for Object starting at${AT.slice(3)}1, column: 1])\n${AT}1, column: 2]`,
  ],
  ['hello', `Unrecognized token 'hello': was expecting ${TOKENS}\n${AT}1, column: 6]`],
  ['[1,,2]', `Unexpected character (',' (code 44)): expected a valid value ${TOKENS}\n${AT}1, column: 4]`],
  [
    '{"a":1 x',
    `Unexpected character ('x' (code 120)): was expecting comma to separate Object entries\n${AT}1, column: 8]`,
  ],
  [
    '[12.345e+x]',
    `Unexpected character ('x' (code 120)) in numeric value: Exponent indicator not followed by a digit\n${AT}1, column: 4]`,
  ],
  ['{\n"a":\n x}', `Unrecognized token 'x': was expecting ${TOKENS}\n${AT}3, column: 3]`],
  ['"a\nb', `Unexpected end-of-input: was expecting closing quote for a string value\n${AT}1, column: 5]`],
  [
    '['.repeat(21),
    'Document nesting depth (21) exceeds the maximum allowed (20, from `StreamReadConstraints.getMaxNestingDepth()`)',
  ],
  [
    `[${'1,'.repeat(99_999)}1]`,
    'Token count (100001) exceeds the maximum allowed (100000, from `StreamReadConstraints.getMaxTokenCount()`)',
  ],
];

/**
 * Returns the name of an assertion: the start of a text in quotes. Characters that would break a line of the report are
 * replaced.
 */
function nameOf(text: string): string {
  return JSON.stringify(text.slice(0, 40)).replace(/[^ -~]/g, '?');
}

t.test('accepts the same input as Jackson', async (t) => {
  for (const [text, printed] of accepted) t.equal(printJson(parseJackson(text)!, 'jackson'), printed, nameOf(text));
  t.equal(parseJackson('//'), undefined, 'only a comment');
  for (const text of ['', '  ', ' null\n'])
    t.equal(parseJsonObject(text, 'jackson'), null, 'an empty text or null is no object');
});

t.test('rejects invalid input with the error text of Jackson', async (t) => {
  for (const [text, message] of refused) t.equal(refusal(() => parseJackson(text)).text, message, nameOf(text));
  t.equal(refusal(() => parseJsonObject('[]', 'jackson')).text, 'can not cast to JSONObject.');
});

t.test('counts a missing fraction or exponent as -1 if Jackson parses the number twice', async (t) => {
  const length = (text: string): number =>
    Number(/^Number value length \((\d+)\)/.exec(refusal(() => parseJackson(text)).text ?? '')?.[1]);
  const nines = '9'.repeat(1500);
  t.equal(length(`[${nines}]`), 1500);
  t.equal(length(nines), 1500);
  t.equal(length(`[${nines}.5]`), 1501);
  t.equal(length(`${nines}.5`), 1500, 'the number is at the end of the text');
  t.equal(length(`[0.${nines}]`), 1500, 'the number starts with 0');
  t.equal(length(`[${nines}e5]`), 1501);
  t.equal(length(`${nines}e5`), 1500);
  t.equal(length(`[000.${nines}e+05]`), 1503);
  const long = (before: number): string => `[${' '.repeat(before)}${nines}.5,${' '.repeat(0x8000)}]`;
  t.equal(length(long(1000)), 1501);
  t.equal(length(long(3000)), 1500, 'the number is split between two buffers');
});
