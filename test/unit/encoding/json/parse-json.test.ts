import t from 'tap';
import { printJson } from '../../../../src/encoding/json/json-value.js';
import { parseJson } from '../../../../src/encoding/json/parse-json.js';
import { refusal } from '../../../support/json/refusal.js';

// Recorded from the HTTP API of java-tron 4.7.2, which uses fastjson 1.2.83: error texts, and texts that fastjson
// accepts.
const accepted: readonly (readonly [text: string, printed: string])[] = [
  ['{a:1,\'b\':"x",,}', '{"a":1,"b":"x"}'],
  ['{"a":[1,,2,],"b":null}', '{"a":[1,2]}'],
  ['/* c */{"a":1.50 // end\n}', '{"a":1.50}'],
  ['{"a":9223372036854775808}', '{"a":9223372036854775808}'],
  [
    '{"number":1,"txTrieRoot":2,"witness_address":3,"parentHash":4,"version":5,"timestamp":6}',
    '{"number":1,"txTrieRoot":2,"witness_address":3,"parentHash":4,"version":5,"timestamp":6}',
  ],
  ['{"a":"\\x41\\u0042\\/"}', '{"a":"AB/"}'],
  ['{"a":"\u007f"}', '{"a":"\\u007F"}'],
  ['{"@type":"12","num":1}', '{"@type":"12","num":1}'],
  ['{"a":{"$ref":"..","b":1}}', '{"a":{"b":1,"$ref":".."}}'],
  ['{"a":{"b":1,"$ref":5}}', '{"a":{"b":1,"$ref":5}}'],
  ['{"$ref":5,"a":[{"$ref":"@"}]}', '{"a":[{}],"$ref":5}'],
];

const refused: readonly (readonly [text: string, message: string])[] = [
  ['hello', 'syntax error, pos 1, line 1, column 2hello'],
  ['{', 'syntax error'],
  ['{]', 'illegal identifier : ]pos 1, line 1, column 2{]'],
  ['{"a":', 'unterminated json string, pos 5, line 1, column 6{"a":'],
  ['{"a":1', 'syntax error, position at 0, name a'],
  ['{"num":1,"a":true,"b" 1}', "expect ':' at 17, name b"],
  ['{"a":[1],"b" 2}', "expect ':' at 6, name b"],
  ["{'a' 1}", "expect ':' at 0"],
  ['{a 1}', "expect ':' at 0, actual 1"],
  ['  {"a" 1}', "expect ':' at 2, name a"],
  ['{"a":{"$ref":[1]}}', 'illegal ref, ['],
  ['{"a":[{"$ref":null}]}', 'illegal ref, null'],
  ['{"a":{"$ref":""}}', 'json-path can not be null or empty'],
  ['{"id":1,"a":{"$ref":".." 1}}', 'syntax error, pos 26, line 1, column 27{"id":1,"a":{"$ref":".." 1}}'],
  ['{"@type":"x","num":1}', 'safeMode not support autoType : x'],
  ['{"@type":600000000,"a":""}', 'safeMode not support autoType : 00000000,'],
  ['{}{}', 'not close json text, token : {'],
  ['num=1', 'error parse null'],
  ['fromAddress=41', 'error parse false'],
  ['note=1', 'error parse new'],
  ['{"a":"41"} x', 'illegal state. \u001a'],
  ['{"a": 0xf4240}', 'syntax error, position at 0, name a'],
  [`${'['.repeat(600)}`, 'array level > 512'],
];

t.test('accepts the same input as java-tron', async (t) => {
  for (const [text, printed] of accepted) t.equal(printJson(parseJson(text, 'fastjson'), 'fastjson'), printed, text);
});

t.test('rejects invalid input with the error text of java-tron', async (t) => {
  for (const [text, message] of refused)
    t.equal(refusal(() => parseJson(text, 'fastjson')).text, message, text.slice(0, 40));
});

t.test('rejects JSON of any nesting depth without a stack overflow', async (t) => {
  t.equal(refusal(() => parseJson('{"a":'.repeat(500_000), 'fastjson')).javaClass, 'java.lang.StackOverflowError');
});
