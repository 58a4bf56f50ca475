import t from 'tap';
import { Account, NumberMessage, Proposal, Vote } from '../../../../src/codec/generated/messages.js';
import { quotingInt64 } from '../../../../src/encoding/json/int64-form.js';
import { printJson } from '../../../../src/encoding/json/json-value.js';
import { messageToJson, printMessage } from '../../../../src/encoding/json/print-message.js';

const account = Object.assign(new Account(), {
  balance: 9_007_199_254_740_993n,
  votes: [Object.assign(new Vote(), { voteCount: 5n })],
  assetV2: new Map([['1', 7n]]),
});

t.test('prints 64-bit integers as strings only while requested', async (t) => {
  const plain = printMessage(account, false, 'fastjson');
  const quoted = quotingInt64(() => printMessage(account, false, 'fastjson'));
  t.match(plain, '"balance": 9007199254740993');
  t.match(quoted, '"balance": "9007199254740993"');
  t.match(quoted, '"vote_count": "5"');
  t.match(quoted, '"value": "7"');
  t.equal(printMessage(account, false, 'fastjson'), plain);
  t.throws(
    () =>
      quotingInt64(() => {
        throw new Error('failed');
      }),
    /failed/,
  );
  t.equal(
    printMessage(Object.assign(new NumberMessage(), { num: 3n }), false, 'fastjson'),
    '{"num": 3}',
    'the form is also reset after an error',
  );
});

t.test('prints the same strings if a message is converted to an object first', async (t) => {
  const text = quotingInt64(() => printJson(messageToJson(account, false, 'fastjson'), 'jackson'));
  t.match(text, '"balance":"9007199254740993"');
  t.match(text, '"vote_count":"5"');
});

// The format of the response of 4.8.2 to getproposalbyid.
t.test('prints the 64-bit keys of a map in the same form', async (t) => {
  const proposal = Object.assign(new Proposal(), { parameters: new Map([[3n, 12n]]) });
  t.match(
    quotingInt64(() => printMessage(proposal, false, 'fastjson')),
    '"parameters": [{"key": "3","value": "12"}]',
  );
  t.match(
    quotingInt64(() => printJson(messageToJson(proposal, false, 'fastjson'), 'jackson')),
    '{"key":"3","value":"12"}',
  );
  t.match(printMessage(proposal, false, 'fastjson'), '"parameters": [{"key": 3,"value": 12}]');
});
