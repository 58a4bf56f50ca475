import t from 'tap';
import { serveRpc } from '../../../support/jsonrpc/served-rpc.js';

const ADDRESS = `0x${'11'.repeat(20)}`;
const call = { from: ADDRESS, to: ADDRESS, data: '0x' };

t.test('names a misspelt member of an argument', async (t) => {
  const rpc = await serveRpc(t, 'tvm-forks-14-shanghai', { features: { ethereum: true, debug: true }, until: 52 });
  const [id] = (await rpc.get<{ transactions: string[] }>('eth_getBlockByNumber', ['0x32', false])).transactions;
  const refused: readonly (readonly [method: string, params: readonly unknown[], text: string])[] = [
    ['eth_call', [{ ...call, too: ADDRESS }], 'a call has the unknown member "too"; did you mean to?'],
    ['eth_estimateGas', [{ ...call, dta: '0x' }], 'a call has the unknown member "dta"; did you mean data?'],
    ['eth_createAccessList', [{ ...call, accesList: [] }], 'a call has the unknown member "accesList"; did you mean'],
    [
      'eth_call',
      [call, 'latest', { [ADDRESS]: { stateDif: {} } }],
      `the override of ${ADDRESS} has the unknown member "stateDif"; did you mean stateDiff?`,
    ],
    [
      'eth_simulateV1',
      [{ blockStateCalls: [{ cals: [call] }] }],
      'a block has the unknown member "cals"; did you mean',
    ],
    [
      'eth_simulateV1',
      [{ blockStateCalls: [{ calls: [call] }], traceTransfer: true }],
      'a simulation has the unknown member "traceTransfer"; did you mean traceTransfers?',
    ],
    ['eth_simulateV1', [{ blockStateCalls: [{}], validation: 'true' }], 'validation must be true or false'],
    ['trace_filter', [{ fromBlok: '0x1' }], 'a filter has the unknown member "fromBlok"; did you mean fromBlock?'],
    ['debug_traceTransaction', [id, { tracr: 'callTracer' }], 'trace options has the unknown member "tracr"'],
    ['debug_traceTransaction', [id, { enableMemory: 'true' }], 'enableMemory must be true or false'],
    ['debug_traceTransaction', [id, { limit: 'many' }], 'invalid limit'],
    [
      'debug_traceTransaction',
      [id, { tracer: 'callTracer', tracerConfig: { withLogs: true } }],
      'tracerConfig of callTracer has the unknown member "withLogs"; did you mean withLog?',
    ],
    [
      'debug_traceCall',
      [call, 'latest', { tracer: 'muxTracer', tracerConfig: { prestateTracer: { difMode: true } } }],
      'tracerConfig of prestateTracer has the unknown member "difMode"; did you mean diffMode?',
    ],
    ['eth_feeHistory', ['0x1', 'latest', [75, 25]], 'invalid reward percentiles; use ascending numbers from 0 to 100'],
    ['eth_feeHistory', ['0x1', 'latest', [101]], 'invalid reward percentiles; use ascending numbers from 0 to 100'],
    ['eth_feeHistory', ['0x1', 'latest', ['5']], 'invalid reward percentiles; use ascending numbers from 0 to 100'],
  ];
  for (const [method, params, text] of refused) {
    const { error } = await rpc.request(method, params);
    t.match(error, { code: -32602 }, `${method} ${JSON.stringify(params)}`);
    t.equal(error?.message.slice(0, text.length), text);
  }
});

t.test('accepts the members that clients of other nodes send, also of a transaction', async (t) => {
  const rpc = await serveRpc(t, 'tvm-forks-14-shanghai', { features: { ethereum: true, debug: true }, until: 52 });
  const [id] = (await rpc.get<{ transactions: string[] }>('eth_getBlockByNumber', ['0x32', false])).transactions;
  const sent = {
    ...{ ...call, input: '0x', gas: '0x5208', gasPrice: '0x1', value: '0x0', nonce: '0x0', chainId: '0x1' },
    ...{ type: '0x2', maxFeePerGas: '0x1', maxPriorityFeePerGas: '0x0', accessList: [], authorizationList: [] },
    ...{ maxFeePerBlobGas: '0x1', chain: 'mainnet', hardfork: 'london', networkId: '0x1' },
    ...{ hash: '0x1', r: '0x1', s: '0x1', v: '0x0', yParity: '0x0', blockHash: '0x1', transactionIndex: '0x0' },
  };
  t.equal(await rpc.get('eth_call', [sent, 'latest', { [ADDRESS]: { nonce: '0x1' } }]), '0x');
  const options = { timeout: '10s', reexec: 5, debug: false, disableMemory: true, disableReturnData: true, limit: 1 };
  t.match(await rpc.get('debug_traceTransaction', [id, options]), { structLogs: Array });
  t.ok(await rpc.get('eth_feeHistory', ['0x1', 'latest', [0, 12.5, 12.5, 100]]));
});

t.test('accepts gasLimit as a limit of the energy of a call', async (t) => {
  const rpc = await serveRpc(t, 'tvm-forks-14-shanghai', { features: { ethereum: true }, until: 52 });
  const loop = { from: ADDRESS, data: '0x5b5f56', gasLimit: '0x64' };
  t.match((await rpc.request('eth_call', [loop])).error?.message, /curInvokeEnergyLimit\[100\]/);
});
