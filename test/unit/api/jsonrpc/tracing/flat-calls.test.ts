import t from 'tap';
import { logsWithTransfers } from '../../../../../src/api/jsonrpc/simulation/transfer-logs.js';
import { type FlatOptions, flatCalls } from '../../../../../src/api/jsonrpc/tracing/flat-calls.js';
import type { SeenCall } from '../../../../../src/api/jsonrpc/tracing/seen-call.js';
import { EMPTY_BYTES, fromHex, toHex } from '../../../../../src/primitives/bytes.js';

const [ONE, OTHER] = [`0x${'11'.repeat(20)}`, `0x${'22'.repeat(20)}`];
const CALL: SeenCall = {
  type: 'CALL',
  from: ONE,
  to: OTHER,
  value: 0n,
  token: undefined,
  gas: 9,
  gasUsed: 5n,
  input: EMPTY_BYTES,
  output: EMPTY_BYTES,
  error: undefined,
  failure: undefined,
  isRevert: false,
  isPrecompile: false,
  calls: [],
  logs: [],
};
const ERIGON: FlatOptions = { convertsErrors: true, includesPrecompiles: false, showsNoResult: true };
const GETH: FlatOptions = { convertsErrors: false, includesPrecompiles: true, showsNoResult: false };
const flat = (call: Partial<SeenCall>, options = ERIGON) => flatCalls({ ...CALL, ...call }, undefined, options);

t.test('returns type, addresses and value of each kind of call', (t) => {
  t.same(flat({}), [
    {
      action: { callType: 'call', from: ONE, gas: '0x9', input: '0x', to: OTHER, value: '0x0' },
      result: { gasUsed: '0x5', output: '0x' },
      subtraces: 0,
      traceAddress: [],
      type: 'call',
    },
  ]);
  t.match(flat({ type: 'STATICCALL', value: undefined }), [{ action: { callType: 'staticcall', value: '0x0' } }]);
  t.match(flat({ type: 'CALLTOKEN', token: [1_000_001n, 3n] }), [
    { action: { callType: 'call', tokenId: '0xf4241', tokenValue: '0x3' } },
  ]);
  t.match(flat({ type: 'CREATE2', input: fromHex('5f'), output: fromHex('60') }), [
    { type: 'create', action: { creationMethod: 'create2', init: '0x5f' }, result: { address: OTHER, code: '0x60' } },
  ]);
  t.same(flat({ type: 'SELFDESTRUCT', value: 4n }), [
    {
      action: { address: ONE, balance: '0x4', refundAddress: OTHER },
      result: null,
      subtraces: 0,
      traceAddress: [],
      type: 'suicide',
    },
  ]);
  t.end();
});

t.test('reports a failed call in the formats of Erigon and geth', (t) => {
  const revert = { error: 'execution reverted', isRevert: true, output: fromHex('01') };
  t.match(flat(revert), [{ error: 'Reverted', result: { output: '0x01' } }]);
  t.match(flat(revert, GETH), [{ error: 'execution reverted', result: { output: '0x01' } }]);
  // geth names no address for a failed creation, because no contract exists there. Erigon names the address if the
  // creation reverted.
  const creation = { ...revert, type: 'CREATE' };
  t.match(flat(creation), [{ result: { address: OTHER, code: '0x01', gasUsed: '0x5' } }]);
  t.same(
    flat(creation, GETH).map(({ result }) => result),
    [{ code: '0x01', gasUsed: '0x5' }],
  );
  const cases = { OUT_OF_ENERGY: 'Out of gas', ILLEGAL_OPERATION: 'Bad instruction', TRANSFER_FAILED: 'another text' };
  for (const [failure, text] of Object.entries(cases)) {
    const failed = { error: 'another text', failure: failure as SeenCall['failure'] };
    t.match(flat(failed), [{ error: text, result: null }], failure);
    t.match(flat(failed, GETH), [{ error: 'another text', result: undefined }], failure);
  }
  t.end();
});

t.test('shows precompiled contracts on request, or if they receive value', (t) => {
  const inner = { ...CALL, isPrecompile: true };
  const calls = [inner, { ...inner, value: 3n }, { ...CALL, calls: [inner] }];
  const places = (options: FlatOptions) =>
    flat({ calls }, options).map(({ traceAddress, subtraces }) => [traceAddress.join('.'), subtraces]);
  t.same(places(ERIGON), [
    ['', 2],
    ['0', 0],
    ['1', 0],
  ]);
  t.same(places(GETH), [
    ['', 3],
    ['0', 0],
    ['1', 0],
    ['2', 1],
    ['2.0', 0],
  ]);
  t.end();
});

t.test('orders logs and transfers by the calls that made them', (t) => {
  const log = (at: number, position: number) => ({ address: ONE, topics: [], data: `0x0${at}`, position });
  const gives = { ...CALL, value: 7n };
  const calls = [
    { ...gives, logs: [log(1, 0)] },
    { ...gives, type: 'DELEGATECALL', logs: [log(2, 0)] },
    { ...gives, error: 'no', logs: [] },
    { ...gives, type: 'SELFDESTRUCT' },
  ];
  const withTransfers = logsWithTransfers({ ...gives, calls, logs: [log(3, 0), log(4, 1), log(5, 4)] });
  const shown = withTransfers.map(({ address, data, topics }) => (topics.length === 3 ? toHex(address) : toHex(data)));
  const coin = 'ee'.repeat(20);
  t.same(shown, [coin, '03', coin, '01', '04', '02', coin, '05']);
  t.same(
    withTransfers[0]!.topics.slice(1).map(toHex),
    ['11', '22'].map((byte) => byte.repeat(20).padStart(64, '0')),
  );
  t.end();
});
