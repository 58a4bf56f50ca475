import t from 'tap';
import { ownRows, sinkFromJson } from '../../../../src/config/rows/sink-rows.js';
import { encodeBase58Check } from '../../../../src/crypto/base58-check.js';
import { mainNetSink } from '../../../support/streams/main-net-sink.js';

t.test('shares one key between sink kinds with an option of the same name', async (t) => {
  const port = (fallback: string) => ['port', { type: 'int', doc: 'port of the target', fallback }] as const;
  const path = ['path', { type: 'string', doc: 'file', fallback: 'mandatory' }] as const;
  const shown = (...kinds: Parameters<typeof ownRows>[0]) =>
    ownRows(kinds).map(({ key, type, fallback, doc }) => [key, type, fallback, doc]);
  t.same(shown({ type: 'one', members: [path, port('1')] }, { type: 'other', members: [port('2')] }), [
    ['tronicle.sinks.path', 'string', 'mandatory', 'one: file'],
    ['tronicle.sinks.port', 'int', 'one 1, other 2', 'one: port of the target; other: port of the target'],
  ]);
  t.same(shown({ type: 'one', members: [port('1')] }, { type: 'other', members: [port('1')] })[0]?.[2], '1');
});

t.test('reads the options of the topic transfer, and reports invalid ones', async (t) => {
  const sink = (transfer: object, topics = ['transfer']) =>
    mainNetSink({ name: 'file', type: 'ndjson', path: 'events', topics, transfer });
  t.same(sink({ key: 'sender', token: ['TRX', '1000001'] }).transfer, {
    key: 'sender',
    genesis: false,
    account: [],
    token: ['TRX', '1000001'],
    contractType: [],
    result: [],
  });
  t.throws(() => sink({}, ['block']), /transfer, needs transfer in topics/);
  t.throws(() => sink({ key: 'block' }), /key, must be one of recipient, sender, token/);
  t.throws(() => sink({ account: ['TRX'] }), /account, has "TRX", which is not a Base58Check address/);
  t.throws(() => sink({ contractType: ['Transfer'] }), /contractType, has the unknown name "Transfer"/);
  t.throws(() => sink({ results: [] }), /results, is unknown; did you mean result\?/);
});

const HEX = 'a614f803b6fd780986a42c78ec9c7f77e6ded13c';
const MAIN = encodeBase58Check(Buffer.from(`41${HEX}`, 'hex'));
const TEST = encodeBase58Check(Buffer.from(`a0${HEX}`, 'hex'));
const SHORT = encodeBase58Check(Buffer.from(`41${HEX.slice(2)}`, 'hex'));
const LONG = encodeBase58Check(Buffer.from(`41${HEX}00`, 'hex'));
const NO_ADDRESS = 'which is not a Base58Check address such as T…';

for (const [what, text, message] of [
  ['of a network with another first byte', TEST, 'address of this network: its first byte is 0xa0, expected 0x41'],
  ['with a wrong checksum', `${MAIN.slice(0, -1)}u`, NO_ADDRESS],
  ['with one byte too few', SHORT, NO_ADDRESS],
  ['with one byte too many', LONG, NO_ADDRESS],
  ['of 20 bytes in hexadecimal', HEX, NO_ADDRESS],
  ['of Ethereum', `0x${HEX}`, NO_ADDRESS],
  ['of 21 bytes in hexadecimal', `41${HEX}`, NO_ADDRESS],
  ['of 21 bytes in hexadecimal with another first byte', `a0${HEX}`, NO_ADDRESS],
  ['of length 0', '', NO_ADDRESS],
] as const)
  t.test(`refuses an address ${what} in each option`, async (t) => {
    const sink = { name: 'file', type: 'ndjson', path: 'events', topics: ['transfer'] };
    for (const [options, member] of [
      [{ filter: { contractAddress: [MAIN, text] } }, 'filter.contractAddress'],
      [{ transfer: { account: [text] } }, 'transfer.account'],
      [{ transfer: { token: ['TRX', text] } }, 'transfer.token'],
    ] as const) {
      const found = t.throws(() => mainNetSink({ ...sink, ...options }), { name: 'UsageError' }, member) as Error;
      t.match(found.message, `sink.${member}, has "${text}", `);
      t.match(found.message, message);
    }
  });

t.test('accepts only addresses of the network of the node', async (t) => {
  const sink = { name: 'file', type: 'ndjson', path: 'events', topics: ['block'] };
  const read = (address: string, addressPrefix: number) =>
    sinkFromJson({ ...sink, filter: { contractAddress: [address] } }, { addressPrefix }).filter.contractAddress;
  t.same(read(MAIN, 0x41), [MAIN]);
  t.same(read(TEST, 0xa0), [TEST]);
  t.throws(() => read(MAIN, 0xa0), /its first byte is 0x41, expected 0xa0/);
});
