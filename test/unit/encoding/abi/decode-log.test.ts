import t from 'tap';
import { encodeAbiParameters, encodeEventTopics, parseAbiItem, type AbiEvent as ViemEvent } from 'viem';
import { decodeLog, decodeParameters } from '../../../../src/encoding/abi/decode-log.js';
import { fromHex } from '../../../../src/primitives/bytes.js';

const ANN = '0x00000000000000000000000000000000000000aa';
const BOB = '0x00000000000000000000000000000000000000bb';

const word = (hex: string): string => hex.padStart(64, '0');

/** Returns a log of an event. The library viem encodes the log. */
function encoded(text: string, values: Readonly<Record<string, unknown>>) {
  const item = parseAbiItem(text) as ViemEvent;
  const topics = encodeEventTopics({ abi: [item], eventName: item.name, args: values } as never) as string[];
  const plain = item.inputs.filter(({ indexed }) => indexed !== true);
  const data = encodeAbiParameters(
    plain,
    plain.map(({ name }) => values[name!]),
  );
  const inputs = item.inputs.map(({ name = '', type, indexed = false }) => ({ name, type, indexed }));
  return { inputs, topics: topics.map((topic) => fromHex(topic.slice(2))), data: fromHex(data.slice(2)) };
}

const valuesOf = (text: string, values: Readonly<Record<string, unknown>>) => {
  const { inputs, topics, data } = encoded(text, values);
  return decodeLog({ inputs } as never, { topics, data })?.map(({ value }) => value);
};

t.test('decodes values of all types', async (t) => {
  t.same(valuesOf('event E(address indexed a, address b, uint256 c)', { a: ANN, b: BOB, c: 2n ** 255n }), [
    ANN,
    BOB,
    String(2n ** 255n),
  ]);
  t.same(
    valuesOf('event E(int8 a, int256 indexed b, bool c, bool indexed d)', {
      a: -5,
      b: -(10n ** 40n),
      c: true,
      d: false,
    }),
    ['-5', String(-(10n ** 40n)), 'true', 'false'],
  );
  t.same(valuesOf('event E(bytes4 a, bytes b, string c)', { a: '0x01020304', b: '0xabcdef', c: 'zwölf' }), [
    '01020304',
    'abcdef',
    'zwölf',
  ]);
  t.same(valuesOf('event E(uint8[] a, address[2][] b)', { a: [1, 2], b: [[ANN, BOB]] }), [['1', '2'], [[ANN, BOB]]]);
  const [hash] = valuesOf('event E(string indexed a)', { a: 'not in the log' })!;
  t.match(hash, /^[0-9a-f]{64}$/, 'an indexed string is decoded as its hash');
  t.same(decodeParameters(['trcToken', 'trcToken[]'], fromHex(['07', '40', '01', '09'].map(word).join(''))), [
    '7',
    ['9'],
  ]);
});

// Source: wallets write the address prefix 41 into calls, for example transaction
// 074da622d44ff303b756dc8a4a1bcc02944a28fcbdcadf350ec1376c4738daca of the main net. The TVM reads 20 bytes of the word.
t.test('decodes an address from the last 20 bytes of its word', async (t) => {
  const [value, bytes] = ['0x12afe011e48f1bb557b3f3305431b25325e841c9', '12afe011e48f1bb557b3f3305431b25325e841c9'];
  for (const high of ['41', 'ff'.repeat(12)]) {
    const dirty = word(high + bytes);
    t.same(decodeParameters(['address', 'uint256'], fromHex(dirty + word('02e630'))), [value, '190000']);
    t.same(decodeParameters(['address[]'], fromHex(word('20') + word('01') + dirty)), [[value]]);
    t.same(decodeParameters(['(address,uint8)'], fromHex(dirty + word('07'))), [[value, '7']]);
    const inputs = [{ name: 'to', type: 'address', indexed: true }];
    const topics = [new Uint8Array(32), fromHex(dirty)];
    t.same(decodeLog({ inputs }, { topics, data: new Uint8Array(0) }), [{ name: 'to', type: 'address', value }]);
  }
});

t.test('rejects logs that do not match the ABI', async (t) => {
  const { inputs, topics, data } = encoded('event E(address indexed a, uint8[] b)', { a: ANN, b: [1] });
  const event = { inputs } as never;
  t.ok(decodeLog(event, { topics, data }));
  t.equal(decodeLog(event, { topics: topics.slice(0, 1), data }), undefined, 'too few topics');
  t.equal(decodeLog(event, { topics: [...topics, topics[0]!], data }), undefined, 'too many topics');
  t.equal(decodeLog(event, { topics, data: data.subarray(0, 32) }), undefined, 'truncated data');
  t.equal(decodeLog(event, { topics, data: new Uint8Array(0) }), undefined, 'no data');
  t.equal(decodeParameters(['bool'], fromHex(word('02'))), undefined, 'an invalid boolean');
  t.equal(decodeParameters(['uint8'], fromHex(word('0100'))), undefined, 'a number above the range of its type');
  t.equal(decodeParameters(['tuple'], fromHex(word('01'))), undefined, 'the chain stores no members of tuples');
  t.equal(decodeParameters(['function(uint8)', 'x'], fromHex(word('01') + word('01'))), undefined);
});

t.test('bounds the decoding of lists with shared elements', async (t) => {
  // A list of 320 elements. All offsets refer to this list itself, five levels deep. So 16 kB represent 3 × 10^12
  // values.
  const hostile = word('20') + word('140').repeat(512);
  const started = performance.now();
  t.equal(decodeParameters(['uint8[][][][][]'], fromHex(hostile)), undefined);
  t.equal(decodeParameters(['uint256[]'], fromHex(word('20') + 'ff'.repeat(32))), undefined);
  t.ok(performance.now() - started < 2_000);
});
