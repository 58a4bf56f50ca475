import t from 'tap';
import { jacksonText } from '../../../../src/api/jsonrpc/jackson-text.js';

/** JSON texts, each with the response of java-tron. */
const TEXTS: readonly (readonly [json: string, written: string])[] = [
  ['"plain é"', '"plain é"'],
  ['"🙂é"', String.raw`"\uD83D\uDE42é"`],
  [String.raw`"\ud83d"`, String.raw`"\uD83D"`],
  [
    String.raw`"a\u0000\u001f\u007f\u0080\u2028\b\f\n\t/\"\\"`,
    `"a${String.raw`\u0000\u001F`}\u007f\u0080\u2028${String.raw`\b\f\n\t/\"\\`}"`,
  ],
  [String.raw`"\\u001f\\\u001f"`, String.raw`"\\u001f\\\u001F"`],
];

t.test('escapes strings like Jackson', async (t) => {
  for (const [json, written] of TEXTS) {
    t.equal(jacksonText(json), written);
    t.same(JSON.parse(jacksonText(json)), JSON.parse(json));
  }
});
