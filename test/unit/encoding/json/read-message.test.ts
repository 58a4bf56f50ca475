import t from 'tap';
import { apiRelease } from '../../../../src/api/releases/releases.js';
import {
  AccountBalanceRequest,
  AccountCreateContract,
  AssetIssueContract,
  AssetIssueContractFrozenSupply,
  AssetIssueList,
  DelegateResourceContract,
  ProposalCreateContract,
  Transaction,
  TransferContract,
} from '../../../../src/codec/generated/messages.js';
import { printJson } from '../../../../src/encoding/json/json-value.js';
import { messageToJson, printMessage } from '../../../../src/encoding/json/print-message.js';
import { readMessage } from '../../../../src/encoding/json/read-message.js';
import { refusal } from '../../../support/json/refusal.js';

const plain = { visible: false, release: apiRelease('4.7.2'), addressPrefix: 0x41 };
const visible = { visible: true, release: apiRelease('4.7.2'), addressPrefix: 0x41 };
const OWNER = '41694000dbdbacfd106dadfbd31d1ec84dd752dcb4';

t.test('accepts bare names, comments, octal and hexadecimal numbers, and missing commas', async (t) => {
  const message = readMessage(`{owner_address: '${OWNER}' # me\n "amount": 0x10}`, TransferContract, plain);
  t.equal(printMessage(message, false, 'fastjson'), `{"owner_address": "${OWNER}","amount": 16}`);
  t.equal(readMessage('{"amount": 010}', TransferContract, plain).amount, 8n);
});

t.test('skips unknown members and leaves a null field unset', async (t) => {
  const text = '{"x": {"y": [1, "two", true, null]}, "amount": null, "to_address": "1"}';
  t.equal(printMessage(readMessage(text, TransferContract, plain), false, 'fastjson'), '{"to_address": "01"}');
});

t.test('reads maps as lists of pairs', async (t) => {
  const message = readMessage('{"parameters": [{"key": 6, "value": 1000}]}', ProposalCreateContract, plain);
  t.same([...message.parameters], [[6n, 1000n]]);
  t.equal(printMessage(message, false, 'fastjson'), '{"parameters": [{"key": 6,"value": 1000}]}');
  const odd = readMessage(
    '{"parameters": [{"key": [6, 7], "value": []}, {"1": 8, "2": [9]}]}',
    ProposalCreateContract,
    plain,
  );
  t.same(
    [...odd.parameters],
    [
      [7n, 0n],
      [8n, 9n],
    ],
    'the last value of a repeated key counts; fields by number',
  );
  const bytes = readMessage('{"2": "08071001"}', ProposalCreateContract, plain);
  t.same([...bytes.parameters], [[7n, 1n]], 'a map that is named by number contains encoded entries');
  t.match(
    refusal(() => readMessage('{"2": "08"}', ProposalCreateContract, plain)).text,
    /Failed to build protocol.ProposalCreateContract.parameters from <ByteString@\w+ size=1 contents="\\b">/,
  );
});

t.test('reads names as text and addresses as Base58Check with visible', async (t) => {
  const message = readMessage('{"name": "tökén", "num": 1}', AssetIssueContract, visible);
  t.equal(printMessage(message, true, 'fastjson'), '{"name": "tökén","num": 1}');
  message.name = Buffer.from('tok"en');
  t.equal(printMessage(message, true, 'fastjson'), '{"name": "tok\\"en","num": 1}');
  // Escapes in a value are not decoded. A name that would make the JSON of the response invalid is printed as hex.
  const escaped = readMessage('{"name": "tok\\"en", "num": 1}', AssetIssueContract, visible);
  t.equal(printMessage(escaped, true, 'fastjson'), '{"name": "746f6b5c22656e","num": 1}');
});

t.test('prints a name as text only if the library of the release can parse the name', async (t) => {
  // Reference: JsonFormat.escapeBytesSelfType. Release 4.8.2 parses with Jackson, which knows fewer escapes.
  const cases = [
    { name: '\\0', fastjson: '\\0', jackson: '5c30' },
    { name: '\\v\\f', fastjson: '\\v\\f', jackson: '5c765c66' },
    { name: '\\n\\u0041\\/', fastjson: '\\n\\u0041\\/', jackson: '\\n\\u0041\\/' },
    { name: '\\', fastjson: '5c', jackson: '5c' },
    { name: '\t\u0001', fastjson: '\t\u0001', jackson: '\t\u0001' },
  ];
  for (const { name, ...expected } of cases) {
    const asset = Object.assign(new AssetIssueContract(), { name: Buffer.from(name) });
    for (const library of ['fastjson', 'jackson'] as const) {
      t.equal(printMessage(asset, true, library), `{"name": "${expected[library]}"}`, `${name} with ${library}`);
    }
  }
  const odd = Object.assign(new AssetIssueContract(), { name: Buffer.from('\\0') });
  t.equal(messageToJson(odd, true, 'fastjson').get('name'), '\0');
  t.equal(messageToJson(odd, true, 'jackson').get('name'), '5c30');
});

t.test('indents text after a line end by the nesting of messages and lists', async (t) => {
  // The format of the response of java-tron 4.7.2 to broadcasthex.
  const transaction = Transaction.decode(Buffer.from('0a114a061204610a620a4a0712050a78220a79', 'hex'));
  const [first, second] = ['a\nb\n    b\n    ', '\nx\\"\ny    x\\"\ny    y'];
  const auths = `[{"permission_name": "${first}"},{"permission_name": "${second}"}]`;
  t.equal(printMessage(transaction, true, 'fastjson'), `{"raw_data": {"auths": ${auths}}}`);
  t.match(printMessage(transaction, false, 'fastjson'), '"permission_name": "610a620a"');
  const asset = Object.assign(new AssetIssueContract(), { description: Buffer.from('a\nb') });
  asset.frozenSupply.push(new AssetIssueContractFrozenSupply());
  const assets = Object.assign(new AssetIssueList(), { assetIssue: [asset, asset] });
  const printed = printMessage(assets, true, 'fastjson');
  t.match(printed, '"a\nb    b"', 'the indentation in the first asset of the list');
  t.match(printed, '"a\nb      b"', 'the indentation in the second asset of the list');
  t.same(
    JSON.parse(printJson(messageToJson(assets, true, 'fastjson'), 'jackson')),
    JSON.parse(printed.replaceAll('\n', '\\n')),
  );
});

// Error texts recorded from the HTTP API of java-tron 4.7.2.
const refused: readonly (readonly [text: string, message: string])[] = [
  ['', '1:1: Expected "{".'],
  ["{'owner_address': 1}", "1:2: Expected identifier. -'"],
  ['{"owner_address": true}', '1:19: Expected string.'],
  ['{"owner_address": "zz"}', '1:19: INVALID hex String'],
  ['{"amount": 1.5}', '1:12: Couldn\'t parse integer: For input string: "1.5"'],
  ['{"amount": "1"}', '1:12: Couldn\'t parse integer: For input string: ""1""'],
  [
    '{"amount": 9223372036854775808}',
    "1:12: Couldn't parse integer: Number out of range for 64-bit signed integer: 9223372036854775808",
  ],
  ['{"x": {}}', '1:8: Expected identifier. -}'],
];

t.test('rejects invalid input with the error text of java-tron', async (t) => {
  for (const [text, message] of refused) {
    t.equal(refusal(() => readMessage(text, TransferContract, plain)).text, message, text);
  }
  const named = (name: string) => () => readMessage(`{"resource": ${name}}`, DelegateResourceContract, plain);
  t.equal(refusal(named('"energy"')).text, '1:14: Enum type "protocol.ResourceCode" has no value named "Energy".');
  t.equal(refusal(named('3')).text, '1:14: Enum type "protocol.ResourceCode" has no value with number 3.');
  t.equal(
    refusal(() => readMessage('{"type": "Active"}', AccountCreateContract, plain)).text,
    '1:10: Enum type "protocol.AccountType" has no value named "Active".',
  );
  const byNumber = refusal(() => readMessage('{"1": "31303030303131"}', AccountBalanceRequest, plain));
  t.equal(
    byNumber.text,
    '1:23: Failed to build protocol.AccountBalanceRequest.account_identifier from <ByteString@0 size=7 contents="1000011">',
  );
  const empty = refusal(() => readMessage('{"owner_address": ""}', TransferContract, visible));
  t.equal(empty.javaClass, 'java.lang.NullPointerException');
});

t.test('accepts 20 levels below the message in 4.8.2, and as many as the stack allows in 4.7.2', async (t) => {
  const later = { ...plain, release: apiRelease('4.8.2') };
  const nested = (levels: number): string => `${'{"x": '.repeat(levels)}1${'}'.repeat(levels)}`;
  readMessage(nested(21), TransferContract, later);
  t.match(refusal(() => readMessage(nested(22), TransferContract, later)).message, /Hit recursion limit\./);
  readMessage(nested(22), TransferContract, plain);
});
