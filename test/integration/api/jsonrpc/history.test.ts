import t from 'tap';
import { TransactionRet } from '../../../../src/codec/generated/messages.js';
import { toHex } from '../../../../src/primitives/bytes.js';
import { decodeBlock } from '../../../../src/state-transition/block/decoded-block.js';
import { type ServedRpc, serveRpc } from '../../../support/jsonrpc/served-rpc.js';

// Recorded from java-tron 4.7.2: 216 blocks with contract calls.
const RECORDING = 'tvm-forks-14-shanghai';
const ALL = { history: true, finalityTags: true, blockReceipts: true, revertData: true };
const hex = (number: number): string => `0x${number.toString(16)}`;

/** Returns the senders and the called contracts of a block, each with 20 bytes. */
function partiesOf({ chain }: ServedRpc, number: number): string[] {
  const { block, results } = chain.ledger.block(number)!;
  const owners = decodeBlock(block).transactions.map(({ owner }) => owner.slice(2));
  const contracts = TransactionRet.decode(results).transactioninfo.map(({ contractAddress }) =>
    toHex(contractAddress).slice(2),
  );
  return [...new Set([...owners, ...contracts])].filter((text) => text !== '').map((text) => `0x${text}`);
}

t.test('returns for a past height what the same call returned when that block was the head', async (t) => {
  const rpc = await serveRpc(t, RECORDING, { features: ALL, until: 60 });
  const questions = partiesOf(rpc, 60).flatMap((address) => [
    ['eth_getBalance', [address]] as const,
    ['eth_getCode', [address]] as const,
    ['eth_getStorageAt', [address, '0x0']] as const,
    ['eth_call', [{ to: address, data: '0x' }]] as const,
  ]);
  const then: unknown[] = [];
  for (const [method, params] of questions) then.push(await rpc.request(method, [...params, 'latest']));
  await rpc.pushTo(90);
  let changed = 0;
  for (const [at, [method, params]] of questions.entries()) {
    t.same(await rpc.request(method, [...params, hex(60)]), then[at], `${method} ${JSON.stringify(params)}`);
    const now = await rpc.request(method, [...params, 'latest']);
    if (JSON.stringify(now) !== JSON.stringify(then[at])) changed++;
  }
  t.ok(changed > 0, `${changed} answers differ from those of the head`);
  const [called] = partiesOf(rpc, 60);
  const id = await rpc.get<{ hash: string }>('eth_getBlockByNumber', [hex(60), false]);
  t.same(
    await rpc.request('eth_call', [{ to: called, data: '0x' }, { blockHash: id.hash }]),
    await rpc.request('eth_call', [{ to: called, data: '0x' }, { blockNumber: hex(60) }]),
  );
  t.same((await rpc.request('eth_getBalance', [called, hex(91)])).error?.message, 'header not found');
  t.ok(await rpc.get('eth_getBalance', [called, 'earliest']));
});

t.test('names the configuration key in the error for a height without stored state', async (t) => {
  const rpc = await serveRpc(t, RECORDING, { features: ALL, until: 60, retention: 10 });
  // Pushes one more block, because a pruned state stays readable until the next flush.
  await rpc.pushTo(61);
  const { error } = await rpc.request('eth_getBalance', [partiesOf(rpc, 60)[0], '0x5']);
  t.equal(error?.code, -32000);
  t.match(
    error?.message,
    /^the state at block 5 is not stored; the lowest block with a stored state is \d+; tronicle\.history\.retention /,
  );
});

t.test('answers like java-tron if history queries are disabled', async (t) => {
  const rpc = await serveRpc(t, RECORDING, { until: 60 });
  const [address] = partiesOf(rpc, 60);
  const refusals: readonly (readonly [method: string, params: readonly unknown[], text: string])[] = [
    ['eth_getBalance', [address, '0x5'], 'QUANTITY not supported, just support TAG as latest'],
    ['eth_getBalance', [address, 'finalized'], 'invalid block number'],
    ['eth_getBlockByNumber', ['safe', false], 'invalid block number'],
    ['eth_getBlockReceipts', ['latest'], 'method not found'],
    ['eth_getLogs', [{ fromBlock: 'finalized' }], 'Incorrect hex syntax'],
    ['debug_traceTransaction', [`0x${'00'.repeat(32)}`], 'method not found'],
    ['eth_subscribe', ['newHeads'], 'method not found'],
  ];
  for (const [method, params, text] of refusals) {
    t.equal((await rpc.request(method, params)).error?.message, text, method);
  }
});

t.test('resolves finalized and safe to the newest solidified block', async (t) => {
  const rpc = await serveRpc(t, RECORDING, { features: ALL, until: 80 });
  const { solidifiedNumber, headNumber } = rpc.chain.ledger.position;
  t.ok(solidifiedNumber < headNumber);
  for (const tag of ['finalized', 'safe', 'Finalized']) {
    const block = await rpc.get<{ number: string }>('eth_getBlockByNumber', [tag, false]);
    t.equal(Number(block.number), solidifiedNumber, tag);
  }
  const [address] = partiesOf(rpc, 60);
  t.equal(
    await rpc.get('eth_getBalance', [address, 'finalized']),
    await rpc.get('eth_getBalance', [address, hex(solidifiedNumber)]),
  );
  const logs = await rpc.get<{ blockNumber: string }[]>('eth_getLogs', [{ fromBlock: '0x1', toBlock: 'finalized' }]);
  t.ok(logs.every(({ blockNumber }) => Number(blockNumber) <= solidifiedNumber));
});

t.test('returns block receipts equal to those of its transactions', async (t) => {
  const rpc = await serveRpc(t, RECORDING, { features: ALL, until: 60 });
  const block = await rpc.get<{ hash: string; transactions: string[] }>('eth_getBlockByNumber', [hex(55), false]);
  const single: unknown[] = [];
  for (const id of block.transactions) single.push(await rpc.get('eth_getTransactionReceipt', [id]));
  t.ok(single.length > 0);
  for (const name of [hex(55), '55', block.hash, { blockHash: block.hash }, { blockNumber: hex(55) }]) {
    t.same(await rpc.get('eth_getBlockReceipts', [name]), single, JSON.stringify(name));
  }
  t.equal(await rpc.get('eth_getBlockReceipts', ['0x999']), null);
});

t.test('returns the revert data in the error', async (t) => {
  // Code that reverts with the four bytes deadbeef.
  const code = `0x63deadbeef5f526004601cfd`;
  const params = [{ from: `0x${'11'.repeat(20)}`, data: code }];
  const on = await serveRpc(t, RECORDING, { features: ALL, until: 60 });
  t.match((await on.request('eth_estimateGas', params)).error, {
    code: 3,
    message: 'REVERT opcode executed',
    data: '0xdeadbeef',
  });
  const off = await serveRpc(t, RECORDING, { until: 60 });
  t.match((await off.request('eth_estimateGas', params)).error, {
    code: -32000,
    message: 'REVERT opcode executed',
    data: '{}',
  });
});

t.test('returns the revert data of an estimate, whose energy is bounded by the maximum fee limit', async (t) => {
  // Code that reverts with the remaining energy.
  const code = '0x5a5f5260205ffd';
  const rpc = await serveRpc(t, RECORDING, { features: ALL, until: 60 });
  const { properties } = rpc.chain.state;
  const energy = 100_000n;
  properties.set('MAX_FEE_LIMIT', energy * properties.get('ENERGY_FEE'));
  const { error } = await rpc.request('eth_estimateGas', [{ from: `0x${'11'.repeat(20)}`, data: code }]);
  t.match(error, { code: 3, message: 'REVERT opcode executed' });
  t.ok(BigInt(error?.data as string) < energy, `${error?.data} remains`);
});
