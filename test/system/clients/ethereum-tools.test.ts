import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { decodeBlock } from '../../../src/state-transition/block/decoded-block.js';
import { type ServedRpc, serveRpc } from '../../support/jsonrpc/served-rpc.js';
import { prepareClients, runClient, runProgram } from './private-network.js';

// Runs tools that do not know TRON on a chain recorded from java-tron 4.7.2.
const RECORDING = 'tvm-forks-14-shanghai';
const HEIGHT = 87;
const PLACE = `0x${'c0'.repeat(20)}`;
/** Code that returns slot 7: PUSH1 7; SLOAD; PUSH0; MSTORE; PUSH1 32; PUSH0; RETURN. */
const CODE = '0x6007545f5260205ff3';
const SLOT = `0x${'7'.padStart(64, '0')}`;
const WORD = `0x${'2a'.padStart(64, '0')}`;
/** Code that reverts with Error("no"). */
const REVERTS = `0x7f08c379a0${'00'.repeat(28)}5f52602060045260026024527f6e6f${'00'.repeat(30)}60445260645ffd`;

interface Chain {
  readonly rpc: ServedRpc;
  readonly url: string;
  readonly hash: string;
  readonly transactions: readonly string[];
  readonly owner: string;
}

async function serve(t: Parameters<typeof serveRpc>[0]): Promise<Chain> {
  prepareClients();
  const rpc = await serveRpc(t, RECORDING, { features: { ethereum: true, debug: true }, until: 92 });
  const { hash, transactions } = await rpc.get<{ hash: string; transactions: string[] }>('eth_getBlockByNumber', [
    `0x${HEIGHT.toString(16)}`,
    false,
  ]);
  const { owner } = decodeBlock(rpc.chain.ledger.block(HEIGHT)!.block).transactions[0]!;
  const url = `http://127.0.0.1:${rpc.ports.fullnode}/jsonrpc`;
  return { rpc, url, hash, transactions, owner: `0x${owner.slice(2)}` };
}

t.test('web3.py reads blocks, receipts and state, and calls contracts', async (t) => {
  const { rpc, url, hash, transactions, owner } = await serve(t);
  const seen = await runClient<Record<string, unknown>>(
    'web3/bin/python',
    ['test/system/clients/python/web3_client.py'],
    {
      url,
      height: HEIGHT,
      transaction: transactions[0],
      owner,
      place: PLACE,
      code: CODE,
      stateDiff: { [SLOT]: WORD },
      reverts: REVERTS,
    },
  );
  const price = Number(await rpc.get<string>('eth_gasPrice', []));
  t.match(seen, {
    connected: true,
    chainId: Number(await rpc.get<string>('eth_chainId', [])),
    number: 92,
    block: { hash, stateRoot: `0x${'00'.repeat(32)}` },
    transactions: transactions.length,
    count: 0,
    history: 3,
    fees: [price, 0],
    call: WORD,
    storage: 32,
    reverted: ['ContractLogicError', /execution reverted: no/],
    missing: ['TransactionNotFound'],
  });
  const traced = await rpc.get<readonly { action: { from: string }; transactionHash: string }[]>('trace_block', [
    `0x${HEIGHT.toString(16)}`,
  ]);
  const own = traced.filter(({ transactionHash }) => transactionHash === transactions[0]);
  t.match(seen, {
    simulated: [93, WORD],
    traced: [HEIGHT, new RegExp(own[0]!.action.from, 'i'), 'call'],
    blockTraces: traced.length,
    filtered: 3,
    accessList: [`0x${'1'.padStart(64, '0')}`],
    called: 'create',
  });
  t.equal((seen['replayed'] as number[])[0], own.length);
  t.ok((seen['replayed'] as number[])[1]! > 0 && Number(seen['changed']) > 0);
  t.same(seen['receipt'], [1, HEIGHT, 256]);
  t.ok(Number(seen['estimate']) > 50 && Number(seen['logs']) > 0);
  t.same(
    seen['balances'],
    await Promise.all(
      [`0x${HEIGHT.toString(16)}`, 'latest'].map(async (at) => Number(await rpc.get('eth_getBalance', [owner, at]))),
    ),
  );
});

t.test('cast reads blocks and state, calls contracts and traces transactions', async (t) => {
  const { rpc, url, hash, transactions, owner } = await serve(t);
  const cast = (command: string, ...args: string[]): Promise<string> =>
    runProgram('ethereum/node_modules/.bin/cast', [command, '--rpc-url', url, ...args]).then((text) => text.trim());
  t.equal(await cast('block-number'), '92');
  t.equal(await cast('chain-id'), String(Number(await rpc.get<string>('eth_chainId', []))));
  t.equal(await cast('gas-price'), String(Number(await rpc.get<string>('eth_gasPrice', []))));
  t.equal(await cast('base-fee'), String(Number(await rpc.get<string>('eth_gasPrice', []))));
  t.match(JSON.parse(await cast('block', String(HEIGHT), '--full', '--json')), { hash });
  t.match(JSON.parse(await cast('tx', transactions[0]!, '--json')), { hash: transactions[0], nonce: '0x0' });
  t.match(JSON.parse(await cast('receipt', transactions[0]!, '--json')), {
    status: '0x1',
    transactionHash: transactions[0],
  });
  t.equal(await cast('nonce', owner), '0');
  t.equal(
    await cast('balance', owner, '--block', '60'),
    String(Number(await rpc.get('eth_getBalance', [owner, '0x3c']))),
  );
  t.equal(await cast('code', PLACE), '0x');
  t.match(await cast('storage', PLACE, '0'), /^0x0{64}$/);
  const override = ['--override-code', `${PLACE}:${CODE}`, '--override-state-diff', `${PLACE}:7:42`];
  t.equal(await cast('call', PLACE, 'value()(uint256)', ...override), '42');
  t.ok(Number(await cast('estimate', '--from', owner, '--create', '0x60015ff3')) > 0);
  t.ok((JSON.parse(await cast('logs', '--from-block', '1', '--to-block', 'latest', '--json')) as unknown[]).length > 0);
  const rpcCall = async <T>(method: string, ...params: unknown[]): Promise<T> =>
    JSON.parse(await cast('rpc', method, ...params.map((param) => JSON.stringify(param)))) as T;
  const tree = await rpcCall('debug_traceTransaction', transactions[0], { tracer: 'callTracer' });
  t.same(tree, await rpc.get('debug_traceTransaction', [transactions[0], { tracer: 'callTracer' }]));
  t.same(await rpcCall('trace_transaction', transactions[0]), await rpc.get('trace_transaction', [transactions[0]]));
  t.match(await rpcCall('eth_simulateV1', { blockStateCalls: [{}] }, 'latest'), [{ number: '0x5d', calls: [] }]);
  t.match(await cast('access-list', PLACE, 'value()', '--from', owner), /gas used: 0/);
  // The launcher of cast exits with 0 even after an error, and prints the error only to standard error. So its standard
  // output is empty.
  t.equal(await cast('call', PLACE, '--data', '0x', '--override-code', `${PLACE}:${REVERTS}`), '');
});

t.test('the provider of Hardhat reads blocks, receipts and traces', async (t) => {
  const { rpc, url, hash, transactions } = await serve(t);
  const root = fileURLToPath(new URL('../../..', import.meta.url));
  const seen = await runClient<Record<string, unknown>>(
    process.execPath,
    [join(root, 'test/system/clients/ethereum/hardhat.mjs')],
    {
      url,
      root: join(root, 'node_modules/.cache/tronicle-clients/ethereum'),
      transaction: transactions[0],
      height: `0x${HEIGHT.toString(16)}`,
    },
  );
  t.match(seen, {
    chainId: await rpc.get('eth_chainId', []),
    number: '0x5c',
    block: { hash, transactions: transactions.length },
    receipt: '0x1',
    fees: { reward: [['0x0']] },
    traces: (await rpc.get<unknown[]>('trace_transaction', [transactions[0]])).length,
    tree: 'CALL',
    simulated: 1,
    accounts: [],
    snapshots: /method not found/,
  });
});
