import { JsonRpcProvider } from 'ethers';
import t from 'tap';
import { createPublicClient, type Hex, http } from 'viem';
import { fromHex, toHex } from '../../../../src/primitives/bytes.js';
import { decodeBlock } from '../../../../src/state-transition/block/decoded-block.js';
import { type ServedRpc, serveRpc } from '../../../support/jsonrpc/served-rpc.js';

// Recorded from java-tron 4.7.2: 216 blocks with contract calls.
const RECORDING = 'tvm-forks-14-shanghai';
const SENDER = `0x${'11'.repeat(20)}`;
const PLACE = `0x${'c0'.repeat(20)}`;
/** Returns code that returns the value of a slot: PUSH1 slot; SLOAD; PUSH0; MSTORE; PUSH1 32; PUSH0; RETURN. */
const readsSlot = (slot: string): string => `0x60${slot}545f5260205ff3`;
/** Code that returns NUMBER, TIMESTAMP, COINBASE (with the address prefix of TRON), and BALANCE of the caller. */
const SEES = '0x435f524260205241604052333160605260805ff3';
/** Code that reverts with Error("no"). */
const REVERTS = `0x7f08c379a0${'00'.repeat(28)}5f5260206004526002602452${`7f6e6f${'00'.repeat(30)}`}60445260645ffd`;
const word = (value: bigint | number | string): string => `0x${BigInt(value).toString(16).padStart(64, '0')}`;
const urlOf = ({ ports }: ServedRpc): string => `http://127.0.0.1:${ports.fullnode}/jsonrpc`;

interface RpcBlock {
  readonly [name: string]: unknown;
  readonly transactions: readonly { readonly [name: string]: unknown }[];
}

t.test('answers like java-tron if the feature ethereum is disabled', async (t) => {
  const rpc = await serveRpc(t, RECORDING, { until: 60 });
  const block = await rpc.get<RpcBlock>('eth_getBlockByNumber', ['0x37', true]);
  t.equal(block['stateRoot'], '0x');
  t.equal(block['baseFeePerGas'], '0x0');
  t.equal(block['logsBloom'], `0x${'00'.repeat(256)}`);
  t.equal(block.transactions[0]!['nonce'], '0x0000000000000000');
  const call = { from: SENDER, data: REVERTS };
  const refusals: readonly (readonly [method: string, params: readonly unknown[], text: string])[] = [
    ['eth_feeHistory', ['0x1', 'latest', []], 'method not found'],
    ['eth_maxPriorityFeePerGas', [], 'method not found'],
    [
      'eth_getTransactionCount',
      [SENDER, 'latest'],
      'the method eth_getTransactionCount does not exist/is not available',
    ],
    ['eth_estimateGas', [call, 'latest'], 'method parameters invalid'],
    ['eth_call', [call, 'latest', {}], 'method parameters invalid'],
    ['eth_estimateGas', [{ ...call, input: '0x' }], 'JSON parse error'],
    ['eth_getBlockByNumber', ['pending', false], 'TAG pending not supported'],
    ['eth_getBalance', [SENDER], 'method parameters invalid'],
  ];
  for (const [method, params, text] of refusals)
    t.equal((await rpc.request(method, params)).error?.message, text, `${method} ${JSON.stringify(params)}`);
});

t.test('formats blocks, transactions and receipts', async (t) => {
  const rpc = await serveRpc(t, RECORDING, { features: { ethereum: true }, until: 92 });
  const price = BigInt(await rpc.get<string>('eth_gasPrice', []));
  let withLogs = 0;
  for (const number of [0, 1, 55, 87]) {
    const block = await rpc.get<RpcBlock>('eth_getBlockByNumber', [`0x${number.toString(16)}`, true]);
    for (const name of ['hash', 'parentHash', 'stateRoot', 'transactionsRoot', 'receiptsRoot', 'mixHash', 'sha3Uncles'])
      t.match(block[name], /^0x[0-9a-f]{64}$/, `${number} ${name}`);
    t.equal(BigInt(block['baseFeePerGas'] as string), price);
    t.ok(BigInt(block['gasLimit'] as string) >= BigInt(block['gasUsed'] as string));
    for (const { nonce, hash } of block.transactions) {
      t.equal(nonce, '0x0');
      const receipt = await rpc.get<{ logs: { address: string; topics: string[] }[]; logsBloom: string } | null>(
        'eth_getTransactionReceipt',
        [hash],
      );
      if (receipt === null || receipt.logs.length === 0) continue;
      withLogs++;
      t.not(BigInt(receipt.logsBloom), 0n);
      t.equal(BigInt(block['logsBloom'] as string) & BigInt(receipt.logsBloom), BigInt(receipt.logsBloom));
    }
  }
  t.ok(withLogs > 0);
  const history = await rpc.get<Record<string, unknown[]>>('eth_feeHistory', ['0x5', 'latest', [10, 90]]);
  t.same(history['baseFeePerGas'], Array(6).fill(`0x${price.toString(16)}`));
  t.same(history['reward'], Array(5).fill(['0x0', '0x0']));
  t.equal(history['oldestBlock'] as unknown, '0x58');
  t.ok(history['gasUsedRatio']!.every((ratio) => Number(ratio) >= 0 && Number(ratio) <= 1));
  const first = await rpc.get<Record<string, unknown[]>>('eth_feeHistory', [10, '0x2']);
  t.equal(first['oldestBlock'] as unknown, '0x0');
  t.equal(first['gasUsedRatio']!.length, 3);
  t.equal((await rpc.request('eth_feeHistory', ['0x1', '0x999'])).error?.message, 'request beyond head block');
});

t.test('finds past blocks by number and by EIP-1898 object, and reports missing ones', async (t) => {
  const rpc = await serveRpc(t, RECORDING, { features: { ethereum: true }, until: 90 });
  const { block } = rpc.chain.ledger.block(60)!;
  const owner = `0x${decodeBlock(block).transactions[0]!.owner.slice(2)}`;
  const { hash } = await rpc.get<RpcBlock>('eth_getBlockByNumber', ['0x3c', false]);
  const then = await rpc.get('eth_getBalance', [owner, '0x3c']);
  for (const named of [{ blockNumber: '0x3c' }, { blockHash: hash }, { blockHash: hash, requireCanonical: true }, 60])
    t.equal(await rpc.get('eth_getBalance', [owner, named]), then, JSON.stringify(named));
  const now = await rpc.get('eth_getBalance', [owner, 'latest']);
  t.not(now, then);
  t.equal(await rpc.get('eth_getBalance', [owner]), now);
  t.equal(await rpc.get('eth_getBalance', [owner, 'pending']), now);
  t.equal(await rpc.get('eth_getTransactionCount', [owner, { blockHash: hash }]), '0x0');
  t.equal(
    (await rpc.request('eth_getBalance', [owner, { blockHash: `0x${'00'.repeat(32)}` }])).error?.message,
    'header for hash not found',
  );
  t.equal((await rpc.request('eth_getTransactionCount', [owner, '0x999'])).error?.message, 'header not found');
  t.match((await rpc.request('eth_getTransactionCount', ['0x12', 'latest'])).error?.message, /invalid address/);
});

t.test('applies arguments and state overrides to calls and estimates', async (t) => {
  const rpc = await serveRpc(t, RECORDING, { features: { ethereum: true }, until: 60 });
  const digest = rpc.chain.ledger.position.headId;
  const call = (args: object, ...more: unknown[]) => rpc.get<string>('eth_call', [args, ...more]);
  const fees = {
    maxFeePerGas: '0x1',
    maxPriorityFeePerGas: '0x1',
    type: '0x2',
    accessList: [],
    chainId: '0x1',
    nonce: 0,
  };
  const overrides = { [PLACE]: { code: readsSlot('07'), stateDiff: { '0x7': word(42) } } };
  t.equal(await call({ to: PLACE, ...fees }, 'latest'), '0x', 'the address has no code');
  t.equal(await call({ to: PLACE, ...fees }, 'latest', overrides), word(42));
  t.equal(await call({ from: SENDER, to: PLACE, input: '0x01', data: '0x01' }, null, overrides), word(42));
  t.equal(await call({ to: PLACE }, 'latest'), '0x', 'the override does not change the state');
  const sees = { [PLACE]: { code: SEES }, [SENDER]: { balance: '0x3039', nonce: '0x5' } };
  const seen = { number: '0x100', time: '0x200', feeRecipient: SENDER };
  t.equal(
    await call({ from: SENDER, to: PLACE }, 'latest', sees, seen),
    `0x${[0x100, 0x200, `0x41${SENDER.slice(2)}`, 12345].map((value) => word(value).slice(2)).join('')}`,
  );
  const reverted = (await rpc.request('eth_call', [{ to: PLACE }, 'latest', { [PLACE]: { code: REVERTS } }])).error;
  t.match(reverted, { code: 3, message: 'execution reverted: no', data: /^0x08c379a0/ });
  const energy = await rpc.get<string>('eth_estimateGas', [{ to: PLACE, ...fees }, 'latest', overrides]);
  t.ok(Number(energy) > 50 && Number(energy) < 1_000, energy);
  t.equal(
    await rpc.get('eth_estimateGas', [{ from: SENDER, to: PLACE, value: '0x1' }]),
    '0x0',
    'a plain transfer needs no energy',
  );
  t.ok(Number(await rpc.get<string>('eth_estimateGas', [{ from: SENDER, data: '0x60015ff3' }])) > 0, 'a creation');
  t.match((await rpc.request('eth_call', [{ to: PLACE, gas: '0x3' }, 'latest', overrides])).error?.message, /energy/);
  const refusals: readonly (readonly [params: readonly unknown[], text: RegExp])[] = [
    [[{ to: PLACE, data: '0x1' }, 'latest'], /invalid hex string for "data"/],
    [[{ to: PLACE, data: '0x01', input: '0x02' }, 'latest'], /not equal/],
    [[{ to: PLACE, value: 'x' }, 'latest'], /invalid quantity for "value"/],
    [[{ to: PLACE, value: `0x${'f'.repeat(64)}` }, 'latest'], /invalid hex number/],
    [[{ to: PLACE, authorizationList: [{}] }, 'latest'], /authorizationList is not supported/],
    [['0x', 'latest'], /a call must be an object/],
    [[{ to: PLACE }, 'latest', { '0x12': {} }], /invalid address/],
    [[{ to: PLACE }, 'latest', { [PLACE]: { state: {}, stateDiff: {} } }], /both "state" and "stateDiff"/],
    [[{ to: PLACE }, 'latest', { [PLACE]: { stateDiff: { x: '0x1' } } }], /invalid slot/],
    [[{ to: PLACE }, 'latest', { [PLACE]: { movePrecompileToAddress: SENDER } }], /movePrecompileToAddress/],
    [[{ to: PLACE }, 'latest', null, { withdrawals: [] }], /block override withdrawals is not supported/],
  ];
  for (const [params, text] of refusals) t.match((await rpc.request('eth_call', params)).error?.message, text);
  t.same(rpc.chain.ledger.position.headId, digest);
});

t.test('replaces all slots with a full state override', async (t) => {
  const rpc = await serveRpc(t, RECORDING, { features: { ethereum: true }, until: 90 });
  let checked = 0;
  for (const [address, row] of rpc.chain.state.contracts.range()) {
    const slots: string[] = [];
    for (let slot = 0; slot < 8; slot++) {
      const of = `0x${address.slice(2)}`;
      const value = await rpc.get<string>('eth_getStorageAt', [of, `0x${slot}`, 'latest']);
      if (BigInt(value) === 0n) continue;
      slots.push(value);
      const read = (state: object) =>
        rpc.get<string>('eth_call', [{ to: of }, 'latest', { [of]: { code: readsSlot(`0${slot}`), ...state } }]);
      t.equal(await read({}), value);
      t.equal(await read({ state: {} }), word(0));
      t.equal(await read({ state: { [`0x${slot}`]: word(9) } }), word(9));
      t.equal(await read({ stateDiff: { '0x99': word(9) } }), value);
    }
    t.ok(row);
    if (slots.length > 0) checked++;
    if (checked >= 3) break;
  }
  t.ok(checked > 0);
});

t.test('ethers reads blocks, transactions and receipts, and calls contracts', async (t) => {
  const rpc = await serveRpc(t, RECORDING, { features: { ethereum: true }, until: 92 });
  const provider = new JsonRpcProvider(urlOf(rpc));
  t.teardown(() => provider.destroy());
  t.equal(await provider.getBlockNumber(), 92);
  t.equal((await provider.getNetwork()).chainId, BigInt(await rpc.get<string>('eth_chainId', [])));
  const block = (await provider.getBlock(87, true))!;
  t.equal(block.stateRoot, `0x${'00'.repeat(32)}`);
  t.equal(block.prefetchedTransactions.length, block.transactions.length);
  const [id] = block.transactions;
  const transaction = (await provider.getTransaction(id!))!;
  t.equal(transaction.nonce, 0);
  const receipt = (await transaction.wait())!;
  t.equal(receipt.blockNumber, 87);
  const owner = transaction.from;
  t.equal(await provider.getTransactionCount(owner), 0);
  t.type(await provider.getBalance(owner, 60), 'bigint');
  const { gasPrice, maxFeePerGas, maxPriorityFeePerGas } = await provider.getFeeData();
  t.same([maxFeePerGas, maxPriorityFeePerGas], [2n * gasPrice!, 0n]);
  t.ok((await provider.estimateGas({ from: owner, data: '0x60015ff3' })) > 0n);
  t.equal(await provider.call({ to: PLACE, data: '0x', blockTag: 87 }), '0x');
  t.ok((await provider.getLogs({ fromBlock: 1, toBlock: 92 })).length > 0);
  await t.rejects(provider.call({ from: owner, data: REVERTS }), { code: 'CALL_EXCEPTION', reason: 'no' });
});

t.test('viem reads blocks, receipts and fees, and calls with state overrides', async (t) => {
  const rpc = await serveRpc(t, RECORDING, { features: { ethereum: true }, until: 92 });
  const client = createPublicClient({ transport: http(urlOf(rpc)) });
  const place = PLACE as Hex;
  const code = readsSlot('07') as Hex;
  const stateOverride = [{ address: place, code, stateDiff: [{ slot: word(7) as Hex, value: word(42) as Hex }] }];
  t.equal((await client.call({ to: place, stateOverride })).data, word(42));
  t.ok((await client.estimateGas({ to: place, stateOverride })) > 0n);
  t.equal(await client.getTransactionCount({ address: place }), 0);
  const history = await client.getFeeHistory({ blockCount: 4, rewardPercentiles: [50] });
  t.equal(history.baseFeePerGas.length, 5);
  t.equal(await client.estimateMaxPriorityFeePerGas(), 0n);
  const { maxFeePerGas } = await client.estimateFeesPerGas();
  t.ok(maxFeePerGas! >= history.baseFeePerGas[0]!);
  const block = await client.getBlock({ blockNumber: 87n });
  t.equal(block.stateRoot, `0x${'00'.repeat(32)}`);
  t.equal(fromHex(block.logsBloom!.slice(2)).length, 256);
  t.equal((await client.getTransactionReceipt({ hash: block.transactions[0]! })).blockNumber, 87n);
  t.equal(toHex(rpc.chain.ledger.blockIdAt(87)!), block.hash!.slice(2));
});

t.test('answers invalid requests over HTTP as geth does, and a batch around them', async (t) => {
  const rpc = await serveRpc(t, RECORDING, { features: { ethereum: true }, until: 92 });
  t.equal(await rpc.get('eth_uninstallFilter', ['0x1']), false, 'an unknown filter');
  const filter = await rpc.get('eth_newFilter', [{ address: PLACE, limit: 5 }]);
  t.equal(await rpc.get('eth_uninstallFilter', [filter]), true);
  const calls = [
    ['eth_chainId', []],
    ['eth_getLogs', [{ adress: PLACE }]],
    ['eth_getLogs', 'latest'],
    ['eth_getBlockByNumber', ['latest', null]],
  ].map(([method, params], id) => ({ jsonrpc: '2.0', id, method, params }));
  const reply = await fetch(urlOf(rpc), { method: 'POST', body: JSON.stringify(calls) });
  t.match(await reply.json(), [
    { id: 0, result: /^0x/ },
    { id: 1, error: { code: -32602, message: 'unknown member "adress"; did you mean address?' } },
    { id: 2, error: { code: -32600, message: 'Invalid Request' } },
    { id: 3, error: { code: -32602, message: 'a required parameter is null' } },
  ]);
});
