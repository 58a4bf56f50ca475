import t from 'tap';
import { parseAbi } from 'viem';
import { ContractAbis, declarationOf } from '../../../../src/api/abi/contract-abis.js';
import { decodeParameters } from '../../../../src/encoding/abi/decode-log.js';
import { EventDecoder } from '../../../../src/encoding/abi/event-decoder.js';
import { readAbi } from '../../../../src/encoding/abi/read-abi.js';
import { fromHex } from '../../../../src/primitives/bytes.js';
import {
  decodedOrder,
  encodedLog,
  eventOf,
  MAKER,
  orderCall,
  orderLog,
  PAIR,
  structAbi,
  structEvent,
} from '../../../support/struct-abi.js';

const word = (hex: string): string => hex.padStart(64, '0');
const contentOf = ({ topics, data }: ReturnType<typeof encodedLog>) => ({
  topics: topics.map(fromHex),
  data: fromHex(data),
});
const decoderOf = (...declarations: string[]) => EventDecoder.of(readAbi(declarations.map(eventOf)));
/** Returns the name and the values of a log. Undefined if no event matches, or if the match is ambiguous. */
const read = (decoder: EventDecoder, log: ReturnType<typeof encodedLog>) => {
  const named = decoder.decode(contentOf(log)) ?? decoder.decodeAnonymous(contentOf(log));
  return named && [named.event.name, ...named.parameters.map(({ value }) => value)];
};

t.test('decodes a struct into its members, with the names of the ABI', async (t) => {
  const bytes = fromHex(word('7') + word(MAKER));
  t.same(decodeParameters(['(uint256,address)'], bytes), [['7', `0x${MAKER}`]]);
  const named = (first: string, second: string) => {
    const log = { topics: [], data: word('7') + word(MAKER) };
    const components = [
      { name: first, type: 'uint256' },
      { name: second, type: 'address' },
    ];
    const inputs = [{ name: 's', type: 'tuple', components }];
    return read(EventDecoder.of(readAbi([{ type: 'event', name: 'E', anonymous: true, inputs }])), log)?.[1];
  };
  t.same(named('id', 'maker'), { id: '7', maker: `0x${MAKER}` });
  t.same(named('id', ''), { id: '7', 1: `0x${MAKER}` }, 'the index replaces a missing name');
  t.same(named('a', 'a'), { a: '7', 1: `0x${MAKER}` }, 'the index replaces a duplicate name');
  t.equal(JSON.stringify(named('__proto__', 'b')), `{"__proto__":"7","b":"0x${MAKER}"}`);
  t.same(named('', ''), ['7', `0x${MAKER}`]);
});

t.test('decodes nested structs, arrays of structs and fixed arrays of a compiler ABI', async (t) => {
  const decoder = EventDecoder.of(readAbi(structAbi));
  const named = decoder.decode(contentOf(orderLog()));
  t.same(named?.parameters, [
    { name: 'id', type: 'uint64', value: '7' },
    {
      name: 'order',
      type: '(uint64,address,(address,uint256[],bytes4)[],string)',
      value: decodedOrder((hex) => `0x${hex}`),
    },
    { name: 'pair', type: 'bytes32[2]', value: PAIR },
  ]);
  t.equal(
    named && declarationOf(named.event),
    'OrderPlaced(uint64 indexed id, (uint64 id, address maker, (address token, uint256[] amounts, bytes4 sel)[] legs, ' +
      'string memo) order, bytes32[2] pair)',
  );
  for (const cut of [26, 32, 64, 320]) {
    const { topics, data } = contentOf(orderLog());
    t.equal(decoder.decode({ topics, data: data.subarray(0, -cut) }), undefined, `${cut} bytes are missing`);
  }
  t.same(read(decoder, encodedLog(structEvent('NoArgs'), {})), ['NoArgs']);
  const strings = { hashed: 'h', plain: 'p', raw: '0x00ff', ok: true, neg: -1n };
  t.match(read(decoder, encodedLog(structEvent('Strings'), strings)), [
    'Strings',
    /^[0-9a-f]{64}$/,
    ...['p', '00ff', 'true', '-1'],
  ]);
  t.match(read(decoder, encodedLog(structEvent('Fixed'), { arr: [1n, 2n, 3n], who: [`0x${MAKER}`] })), [
    'Fixed',
    /^[0-9a-f]{64}$/,
    [`0x${MAKER}`],
  ]);
});

t.test('shows an indexed struct as the hash of its topic', async (t) => {
  const topic = 'cd'.repeat(32);
  const event = eventOf('event E((uint8 a, bool b) indexed s, (uint8, bool)[] indexed l, uint8 c)');
  const decoder = EventDecoder.of(readAbi([event]));
  const log = encodedLog(event, { s: { a: 1, b: true }, l: [], c: 5 });
  t.same(read(decoder, { ...log, topics: [log.topics[0]!, topic, topic] }), ['E', topic, topic, '5']);
});

t.test('decodes a function pointer as 24 bytes', async (t) => {
  const pointer = `${MAKER}01020304`;
  const bytes = fromHex(pointer.padEnd(64, '0'));
  t.same(decodeParameters(['function'], bytes), [pointer]);
});

t.test('finds an anonymous event by its number of topics and its data', async (t) => {
  const decoder = EventDecoder.of(readAbi(structAbi));
  const log = encodedLog(structEvent('Anon'), { a: 3n, b: 4n });
  t.equal(log.topics.length, 1);
  t.same(read(decoder, log), ['Anon', '3', '4']);
  t.equal(read(decoder, { ...log, data: `${log.data}00` }), undefined, 'one byte too many');
  t.equal(read(decoder, { ...log, data: log.data + word('') }), undefined, 'one word too many');
  t.equal(read(decoder, { ...log, topics: [] }), undefined, 'a missing topic');
  const strict = decoderOf('event A(bool indexed a, string b) anonymous');
  const text = encodedLog(eventOf('event A(bool indexed a, string b) anonymous'), { a: true, b: 'x' });
  t.same(read(strict, text), ['A', 'true', 'x']);
  t.equal(read(strict, { ...text, topics: [word('2')] }), undefined, 'an invalid boolean');
  t.equal(read(strict, { ...text, data: `${text.data.slice(0, -2)}01` }), undefined, 'padding other than zero');
});

t.test('returns no event for a log that matches two anonymous events', async (t) => {
  const decoder = decoderOf(
    'event A(uint256 a) anonymous',
    'event B(address b) anonymous',
    'event C(bytes4 c) anonymous',
  );
  t.equal(read(decoder, { topics: [], data: word('7') }), undefined, 'either a number or an address');
  t.same(read(decoder, { topics: [], data: 'f'.repeat(64) }), ['A', String(2n ** 256n - 1n)], 'only a number');
  const dirty = decoderOf('event B(address b) anonymous');
  t.equal(read(dirty, { topics: [], data: word(`41${MAKER}`) }), undefined, 'no compiler writes more than 20 bytes');
  const known = decoderOf('event A(uint256 indexed a) anonymous', 'event B()');
  const signature = encodedLog(eventOf('event B()'), {});
  t.same(read(known, signature), ['B'], 'the event whose signature hash matches is preferred');
});

t.test('distinguishes events with the same name or the same signature', async (t) => {
  const texts = ['event E(uint256 a)', 'event E(address a)', 'event E(uint256 indexed b)'];
  const decoder = decoderOf(...texts);
  t.equal(decoder.hashesOf('E').length, 2);
  const log = (text: string, value: unknown) => encodedLog(eventOf(text), { a: value, b: value });
  t.same(read(decoder, log(texts[0]!, 7n)), ['E', '7']);
  t.same(read(decoder, log(texts[1]!, `0x${MAKER}`)), ['E', `0x${MAKER}`]);
  t.match(decoder.decode(contentOf(log(texts[2]!, 8n)))?.parameters, [{ name: 'b', value: '8' }]);
});

t.test('decodes calls with structs and overloaded functions', async (t) => {
  const given = readAbi([...structAbi, ...parseAbi(['function x(uint8 a)', 'function x((uint8 a, bool b)[] s)'])]);
  const abis = new ContractAbis(() => ({ state: { abis: { get: () => given } } }) as never);
  const call = abis.decodeCall(new Uint8Array(21), fromHex(orderCall()));
  t.equal(call?.function.name, 'order');
  t.same(
    call?.parameters[0]?.value,
    decodedOrder((hex) => `0x${hex}`),
  );
  t.equal(abis.decodeCall(new Uint8Array(21), fromHex(orderCall().slice(0, -64))), undefined, 'cut');
});

/** ABIs that the decoder rejects, with the error text. */
const refused: readonly (readonly [abi: object[], reason: RegExp])[] = [
  [
    [{ type: 'event', name: 'E', inputs: [{ type: 'tuple' }] }],
    /entry 0 \(event E\): inputs 0: .*"tuple".* components/,
  ],
  [
    [...structAbi, { type: 'function', name: 'f', inputs: [{ type: 'bool' }, { type: 'tuple[2]', components: [] }] }],
    /entry 22 \(function f\): inputs 1: type "tuple\[2\]" has no components/,
  ],
  [[{ type: 'event', name: 'E', inputs: [{ type: 'uint7' }] }], /"uint7" is not an ABI type/],
  [[{ type: 'event', name: 'E', inputs: [{ type: 'bytes33' }] }], /"bytes33" is not an ABI type/],
  [[{ type: 'event', name: 'E', inputs: [{ type: 'fixed128x18' }] }], /"fixed128x18" is not an ABI type/],
  [[{ type: 'event', name: 'E', inputs: [{ type: '' }] }], /"" is not an ABI type/],
  [[{ type: 'event', name: 'E', inputs: [{ type: 'uint8[0]' }] }], /"uint8\[0\]" has an array length out of range/],
  [
    [{ type: 'function', name: 'f', inputs: [{ type: 'tuple', components: [{ type: 'mapping(a => b)' }] }] }],
    /entry 0 \(function f\): inputs 0: type "mapping\(a => b\)" is not an ABI type/,
  ],
  [[{ type: 'event', inputs: [] }], /entry 0 \(event\): it has no name/],
  [[{ type: 'event', name: ' E', inputs: [] }], /entry 0 \(event {2}E\): its name is not an identifier/],
  [[{ type: 'function', name: 'f()', inputs: [] }], /entry 0 \(function f\(\)\): its name is not an identifier/],
  [[{ type: 'event', name: 'E', inputs: [{ type: 'bool', indexed: 'true' }] }], /indexed is neither true nor false/],
  [[{ type: 'event', name: 'E', anonymous: 1, inputs: [] }], /anonymous is neither true nor false/],
  [
    [{ type: 'event', name: 'E', inputs: new Array(4).fill({ type: 'bool', indexed: true }) }],
    /4 inputs are indexed, but a log has topics for at most 3/,
  ],
  [
    [eventOf('event A(bool a) anonymous'), eventOf('event B(bool b) anonymous')],
    /entry 1 \(event B\): its logs cannot be distinguished from those of entry 0/,
  ],
  [
    parseAbi(['function f(bool a)', 'event E()', 'function f(bool b)']) as unknown as object[],
    /entry 2 \(function f\): its calls cannot be distinguished from those of entry 0/,
  ],
  [[nested(40)], /nested more than 32 times/],
];

function nested(depth: number): object {
  let parameter: object = { type: 'bool' };
  for (let at = 0; at < depth; at++) parameter = { type: 'tuple', components: [parameter] };
  return { type: 'event', name: 'E', inputs: [parameter] };
}

t.test('rejects a partly unusable ABI and names the entry', async (t) => {
  for (const [abi, reason] of refused) t.throws(() => readAbi(abi), { code: 'BAD_ABI', message: reason });
});

t.test('accepts fields that compilers omit or repeat', async (t) => {
  t.equal(readAbi([{ name: 'f', inputs: [] }]).entrys[0]?.name, 'f', 'an entry without a type is a function');
  const event = { type: 'event', name: 'A', anonymous: true, inputs: [{ type: 'uint', name: 'a' }] };
  const twice = EventDecoder.of(readAbi([event, event]));
  t.same(read(twice, { topics: [], data: word('7') }), ['A', '7']);
  t.equal(readAbi([event]).entrys[0]?.inputs[0]?.type, 'uint256', 'uint means uint256');
});

t.test('rejects on-chain types that are expensive to decode', async (t) => {
  const started = performance.now();
  for (const type of [
    '()[]',
    'uint8[0][]',
    `${'('.repeat(100_000)}`,
    `uint8${'[1]'.repeat(50_000)}`,
    'bool[999999999]',
  ])
    t.equal(decodeParameters([type], fromHex('f'.repeat(640))), undefined, type.slice(0, 20));
  t.ok(performance.now() - started < 2_000);
});
