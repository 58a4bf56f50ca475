import { JsonRpcProvider } from 'ethers';
import t from 'tap';
import { createPublicClient, encodeFunctionData, type Hex, http, parseAbi } from 'viem';
import type { Json } from '../../../../src/api/jsonrpc/json-text.js';
import { readSimulation } from '../../../../src/api/jsonrpc/simulation/read-simulation.js';
import { simulateBlocks } from '../../../../src/api/jsonrpc/simulation/simulate-blocks.js';
import { TraceLimits } from '../../../../src/api/jsonrpc/tracing/trace-limits.js';
import { keccak256 } from '../../../../src/crypto/hash.js';
import { servedLocally } from '../../../../src/node/serving/served-node.js';
import { fromHex, toHex } from '../../../../src/primitives/bytes.js';
import { decodeBlock } from '../../../../src/state-transition/block/decoded-block.js';
import { serveRpc } from '../../../support/jsonrpc/served-rpc.js';
import { silent } from '../../../support/projections/chain.js';

// Recorded from java-tron 4.7.2. All tests of this file use one node.
const rpc = await serveRpc(t, 'tvm-forks-14-shanghai', { features: { ethereum: true }, until: 92 });
const PLACE = `0x${'c0'.repeat(20)}` as const;
const OTHER = `0x${'c1'.repeat(20)}` as const;
const SENDER = `0x${'11'.repeat(20)}` as const;
const COIN = `0x${'ee'.repeat(20)}`;
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const word = (value: bigint | number | string): Hex => `0x${BigInt(value).toString(16).padStart(64, '0')}`;
/**
 * Code that returns the value of slot 1, and stores the first word of the arguments in this slot: SLOAD, CALLDATALOAD,
 * SSTORE, MSTORE, RETURN.
 */
const SWAPS = '0x6001545f356001555f5260205ff3' as Hex;
/** Code that returns NUMBER, TIMESTAMP, BLOCKHASH of the previous block, and BALANCE of the caller. */
const SEES = '0x435f52426020526001430340604052333160605260805ff3' as Hex;
/** Code that reverts with Error("no"). */
const REVERTS =
  `0x7f08c379a0${'00'.repeat(28)}5f5260206004526002602452${`7f6e6f${'00'.repeat(30)}`}60445260645ffd` as Hex;
/** Code that destroys the contract. The caller is the recipient. */
const ENDS = '0x33ff' as Hex;

interface Log {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
  readonly logIndex: string;
  readonly blockHash: string;
  readonly transactionHash: string;
}
interface CallResult {
  readonly returnData: string;
  readonly gasUsed: string;
  readonly status: string;
  readonly logs: readonly Log[];
  readonly error?: { readonly code: number; readonly message: string; readonly data?: string };
}
interface SimulatedBlock {
  readonly number: string;
  readonly hash: string;
  readonly parentHash: string;
  readonly timestamp: string;
  readonly gasUsed: string;
  readonly baseFeePerGas: string;
  readonly logsBloom: string;
  readonly transactions: readonly (string & { readonly hash: string; readonly from: string })[];
  readonly calls: readonly CallResult[];
}
type Blocks = readonly SimulatedBlock[];

const simulate = (blockStateCalls: readonly object[], more: object = {}, at: unknown = 'latest'): Promise<Blocks> =>
  rpc.get('eth_simulateV1', [{ blockStateCalls, ...more }, at]);
const words = (data: string): bigint[] =>
  data
    .slice(2)
    .match(/.{64}/g)!
    .map((digits) => BigInt(`0x${digits}`));
const head = await rpc.get<SimulatedBlock>('eth_getBlockByNumber', ['0x5c', false]);
const owner = `0x${decodeBlock(rpc.chain.ledger.block(87)!.block).transactions[0]!.owner.slice(2)}`;

t.test('simulates consecutive blocks with the state of earlier calls', async (t) => {
  const digest = rpc.chain.ledger.position.headId;
  const stateOverrides = { [PLACE]: { code: SWAPS }, [OTHER]: { code: SEES }, [SENDER]: { balance: '0x64' } };
  const store = (value: number) => ({ from: SENDER, to: PLACE, data: word(value) });
  const read = { from: SENDER, to: OTHER };
  const [first, second] = await simulate([
    { stateOverrides, calls: [store(7), store(8), read] },
    { blockOverrides: { time: 2_000_000_000 }, calls: [store(9), { ...read, value: '0x1' }] },
  ]);
  t.same(
    [...first!.calls.slice(0, 2), second!.calls[0]!].map(({ returnData }) => Number(returnData)),
    [0, 7, 8],
    'values of the slots',
  );
  const time = Number(head.timestamp) + 3;
  t.match(first, { number: '0x5d', timestamp: `0x${time.toString(16)}`, parentHash: head.hash, baseFeePerGas: '0x0' });
  t.match(second, { number: '0x5e', timestamp: '0x77359400', parentHash: first!.hash });
  t.same(words(first!.calls[2]!.returnData), [0x5dn, BigInt(time), BigInt(head.hash), 100n]);
  t.same(words(second!.calls[1]!.returnData), [0x5en, 2_000_000_000n, BigInt(first!.hash), 99n]);
  const used = first!.calls.reduce((sum, { gasUsed }) => sum + Number(gasUsed), 0);
  t.equal(Number(first!.gasUsed), used);
  t.ok(first!.calls.every(({ status }) => status === '0x1'));
  t.equal(new Set(first!.transactions).size, 3);
  t.same(
    await simulate([{ stateOverrides, calls: [store(7), store(8), read] }]),
    [first],
    'the same call has the same result, because no state was stored',
  );
  t.equal(await rpc.get('eth_getCode', [PLACE]), '0x');
  t.same(rpc.chain.ledger.position.headId, digest);
});

t.test('reports call results, and created and destroyed contracts', async (t) => {
  // Init code that deploys SEES.
  const size = (SEES.length - 2) / 2;
  const init = `0x60${size.toString(16)}600a5f3960${size.toString(16)}5ff3${SEES.slice(2)}`;
  const from = SENDER;
  const [block] = await simulate([
    {
      stateOverrides: {
        [PLACE]: { code: REVERTS },
        [OTHER]: { code: ENDS, balance: '0x5' },
        [from]: { balance: '0x9' },
      },
      calls: [
        { from, data: init },
        { from, data: init },
        { from, to: PLACE },
        { from, data: '0x01' },
        { from, data: init, gas: '0x5' },
        { from, to: OTHER },
        { from, to: OTHER },
      ],
    },
  ]);
  const { calls, transactions } = block!;
  t.same(
    calls.map(({ status }) => status),
    ['0x1', '0x1', '0x0', '0x0', '0x0', '0x1', '0x1'],
  );
  t.equal(calls[0]!.returnData, SEES);
  t.match(calls[2], { error: { code: 3, message: 'execution reverted: no', data: /^0x08c379a0/ } });
  t.match(calls[3], { returnData: '0x', logs: [], error: { code: -32015, message: /stack size/ } });
  t.match(calls[4], { error: { code: -32015, message: /energy/ } });
  t.equal(calls[6]!.gasUsed, '0x0', 'the contract does not exist any more');
  t.equal(new Set(transactions).size, transactions.length);
  const makes = { calls: [{ from, data: init }] };
  const [making] = await simulate([makes], { returnFullTransactions: true });
  const { hash } = making!.transactions[0]!;
  t.match(making!.transactions[0], { from, to: null, input: '0x', nonce: '0x0' });
  // The address of a contract that CREATE creates depends on the transaction id.
  const made = `0x${toHex(keccak256(fromHex(`${hash.slice(2)}41${from.slice(2)}`)).subarray(12))}`;
  const far = { blockOverrides: { number: '0x60' }, calls: [{ from, to: made }] };
  const all = await simulate([makes, far]);
  t.same(
    all.map(({ number, calls: { length } }) => [Number(number), length]),
    [
      [93, 1],
      [94, 0],
      [95, 0],
      [96, 1],
    ],
    'the blocks between are empty',
  );
  t.same(words(all[3]!.calls[0]!.returnData).slice(0, 3), [96n, BigInt(head.timestamp) + 12n, BigInt(all[2]!.hash)]);
});

t.test('reports TRX movements as Transfer logs, without those of a reverted call', async (t) => {
  const push = (address: string): string => `73${address.slice(2)}`;
  // Code that sends 2 SUN to OTHER, emits a log with LOG0, and sends 3 SUN to a contract that reverts.
  const gives = (to: string, amount: string): string => `5f5f5f5f60${amount}${push(to)}5af150`;
  const failing = `0x${'c2'.repeat(20)}`;
  const code = `0x${gives(OTHER, '02')}5f5fa0${gives(failing, '03')}`;
  const request = {
    stateOverrides: { [PLACE]: { code }, [failing]: { code: REVERTS }, [SENDER]: { balance: '0x64' } },
    calls: [
      { from: SENDER, to: PLACE, value: '0xa' },
      { from: SENDER, to: OTHER, value: '0x1' },
    ],
  };
  const [traced] = await simulate([request], { traceTransfers: true });
  const transfer = (from: string, to: string, amount: number) => ({
    address: COIN,
    topics: [TRANSFER, word(from), word(to)],
    data: word(amount),
  });
  const shown = traced!.calls.map(({ logs }) => logs.map(({ address, topics, data }) => ({ address, topics, data })));
  t.same(shown, [
    [transfer(SENDER, PLACE, 10), transfer(PLACE, OTHER, 2), { address: PLACE, topics: [], data: '0x' }],
    [transfer(SENDER, OTHER, 1)],
  ]);
  const logs = traced!.calls.flatMap((call) => call.logs);
  t.same(
    logs.map(({ logIndex }) => Number(logIndex)),
    [0, 1, 2, 3],
  );
  t.ok(logs.every(({ blockHash }) => blockHash === traced!.hash));
  t.same([logs[0]!.transactionHash, logs[3]!.transactionHash], traced!.transactions);
  const [plain] = await simulate([request]);
  t.same(
    plain!.calls.map((call) => call.logs.length),
    [1, 0],
  );
  t.equal(plain!.hash, traced!.hash);
  t.equal(plain!.logsBloom, traced!.logsBloom);
});

t.test('charges the caller for energy only with validation', async (t) => {
  const price = BigInt(await rpc.get<string>('eth_gasPrice', []));
  const stateOverrides = { [OTHER]: { code: SEES }, [owner]: { balance: '0x3b9aca00' } };
  const read = { from: owner, to: OTHER };
  const balances = async (validation: boolean): Promise<bigint[]> => {
    const [block] = await simulate([{ stateOverrides, calls: [read, read] }], { validation });
    t.equal(BigInt(block!.baseFeePerGas), validation ? price : 0n);
    t.equal(block!.calls[0]!.gasUsed, block!.calls[1]!.gasUsed);
    const after = block!.calls.map(({ returnData }) => words(returnData)[3]!);
    const used = BigInt(block!.calls[0]!.gasUsed);
    t.ok(after[0]! - after[1]! <= used * price);
    return after;
  };
  t.same(await balances(false), [1_000_000_000n, 1_000_000_000n]);
  const [before, after] = await balances(true);
  t.ok(before === 1_000_000_000n && after! < before, `${before} ${after}`);
  const poor = { ...stateOverrides, [owner]: { balance: '0x64' } };
  const [block] = await simulate([{ stateOverrides: poor, calls: [read] }], { validation: true });
  t.match(block!.calls[0], { status: '0x0', error: { code: -32015, message: /energy/ } });
  const unknown = { from: `0x${'ab'.repeat(20)}`, to: OTHER };
  const refused = await rpc.request('eth_simulateV1', [{ blockStateCalls: [{ calls: [unknown] }], validation: true }]);
  t.match(refused.error, { code: -38014, message: /account does not exist/ });
  t.ok(await simulate([{ calls: [unknown] }]));
});

t.test('applies limits, rejects invalid calls, and starts from a past block', async (t) => {
  const [block] = await simulate([{ calls: [] }], {}, '0x50');
  t.match(block, { number: '0x51', calls: [] });
  const blocks = (count: number) => Array.from({ length: count }, () => ({}));
  t.equal((await simulate(blocks(256))).length, 256);
  const at = (blockOverrides: object) => [{ blockStateCalls: [{ blockOverrides }] }];
  const calls = Array(5_001).fill({});
  const refusals: readonly (readonly [params: readonly unknown[], code: number, text: RegExp])[] = [
    [[{ blockStateCalls: [] }], -32602, /empty input/],
    [[{ blockStateCalls: blocks(257) }], -38026, /too many blocks/],
    [at({ number: '0x15d' }), -38026, /too many blocks/],
    [[{ blockStateCalls: [{ calls }] }], -38026, /too many calls/],
    [at({ number: '0x5c' }), -38020, /block numbers must be in order: 92 <= 92/],
    [at({ time: head.timestamp }), -38021, /block timestamps must be in order/],
    [[{ blockStateCalls: [{ calls: [{ from: SENDER, to: OTHER, value: '0x1' }] }] }], -38014, /have 0 want 1/],
    [[{ blockStateCalls: [{ calls: {} }] }], -32602, /calls must be a list/],
    [[{ blockStateCalls: [7] }], -32602, /a block must be an object/],
    [[7], -32602, /a simulation must be an object/],
  ];
  for (const [params, code, text] of refusals)
    t.match((await rpc.request('eth_simulateV1', params)).error, { code, message: text }, String(text));
});

t.test('limits all calls together to the time and size of one trace', (t) => {
  const { api } = servedLocally({ chain: rpc.chain, config: rpc.config, log: silent, now: Date.now });
  const view = api.view('head');
  const run = (members: Readonly<Record<string, Json>>, count: number, limits: TraceLimits) => {
    const call: Json = new Map<string, Json>([['to', PLACE]]);
    const block = new Map<string, Json>([...Object.entries(members), ['calls', Array<Json>(count).fill(call)]]);
    const base = { number: 92, timeMs: 0, slotMs: 3000 };
    const request = readSimulation(new Map([['blockStateCalls', [block]]]), base, api.settings);
    return simulateBlocks(api, view, request, limits);
  };
  // Endless loop: JUMPDEST, PUSH0, JUMP.
  const endless = new Map([[PLACE, new Map([['code', '0x5b5f56']])]]);
  t.throws(() => run({ stateOverrides: endless }, 5_000, new TraceLimits({ timeMs: 20, what: 'simulation' })), {
    message: 'simulation exceeds its time limit',
  });
  const short = () => new TraceLimits({ charactersMax: 20_000, what: 'simulation' });
  t.equal(run({}, 10, short())[0]!.calls.length, 10);
  t.throws(() => run({}, 30, short()), { message: 'simulation exceeds 20000 characters' });
  t.equal(view.state.code.has(`41${PLACE.slice(2)}`), false, 'the state is unchanged');
  t.end();
});

t.test('lists the addresses and slots that a call reads', async (t) => {
  // Code that reads slot 7, stores 9 in slot 1, and reads the balance of SENDER and the code size of OTHER.
  const code = `0x60075450600960015573${SENDER.slice(2)}315073${OTHER.slice(2)}3b50`;
  const list = (call: object, overrides: object) =>
    rpc.get<object>('eth_createAccessList', [{ from: SENDER, to: PLACE, ...call }, 'latest', overrides]);
  const found = await list({}, { [PLACE]: { code } });
  t.match(found, {
    accessList: [
      { address: PLACE, storageKeys: [word(1), word(7)] },
      { address: OTHER, storageKeys: [] },
    ],
    gasUsed: /^0x[1-9a-f]/,
  });
  t.match(await list({}, { [PLACE]: { code: REVERTS } }), { accessList: [], error: 'execution reverted' });
  t.same(await list({}, {}), { accessList: [], gasUsed: '0x0' });
});

t.test('viem and ethers simulate blocks and read their results', async (t) => {
  const url = `http://127.0.0.1:${rpc.ports.fullnode}/jsonrpc`;
  const client = createPublicClient({ transport: http(url) });
  const abi = parseAbi(['function look() view returns (uint256, uint256, uint256, uint256)', 'error Error(string)']);
  const stateOverrides = [
    { address: OTHER, code: SEES },
    { address: PLACE, code: REVERTS },
    { address: SENDER, balance: 5n },
  ];
  const [block] = await client.simulateBlocks({
    blocks: [
      {
        blockOverrides: { time: 2_000_000_000n },
        stateOverrides,
        calls: [
          { account: SENDER, to: OTHER, abi, functionName: 'look' },
          { account: SENDER, to: OTHER, value: 5n },
          { account: SENDER, to: PLACE, data: encodeFunctionData({ abi, functionName: 'look' }) },
        ],
      },
    ],
    traceTransfers: true,
  });
  t.equal(block!.number, 93n);
  t.same(block!.calls[0]!.result, [93n, 2_000_000_000n, BigInt(head.hash), 5n]);
  t.same([block!.calls[1]!.status, block!.calls[1]!.logs![0]!.address], ['success', COIN]);
  t.equal(block!.calls[2]!.status, 'failure');
  const { results } = await client.simulateCalls({
    account: SENDER,
    stateOverrides,
    calls: [{ to: OTHER, abi, functionName: 'look' }],
  });
  t.match(results, [{ status: 'success', result: [93n] }]);
  const [sender, holder] = [SENDER, PLACE];
  // Code that reads slot 1, as a token does, and returns 9 for any call.
  const token = { address: holder, code: '0x6001545060095f5260205ff3' as Hex };
  const changes = await client.simulateCalls({
    account: sender,
    stateOverrides: [token, { address: sender, balance: 5n }],
    calls: [
      { to: holder, data: '0x12345678' },
      { to: OTHER, value: 3n },
    ],
    traceAssetChanges: true,
  });
  t.match(changes.results, [{ status: 'success' }, { status: 'success' }]);
  t.match(changes.assetChanges[0], { value: { pre: 5n, post: 2n, diff: -3n } });
  const provider = new JsonRpcProvider(url);
  t.teardown(() => provider.destroy());
  const sent = (await provider.send('eth_simulateV1', [{ blockStateCalls: [{}] }, 'latest'])) as Blocks;
  t.equal(sent[0]!.parentHash, head.hash);
});
