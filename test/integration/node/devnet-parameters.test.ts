import t from 'tap';
import { type Devnet, sendTransaction, startDevnet } from '../../support/devnet.js';
import { mainNetParameters } from '../../support/node/main-net-parameters.js';
import { untilServed } from '../../support/until.js';

// The private network of `npm start` has the rules and prices of the main net, starting with its first block.

const SLOT_MS = 500;
const BLOCKS = 8;
/** Names of parameters that the chain computes. The published table does not contain them. */
const COMPUTED = new Set([
  'getTotalEnergyTargetLimit',
  'getTotalEnergyAverageUsage',
  'getCreateNewAccountBandwidthRate',
]);

/**
 * Code that uses PUSH0, TSTORE, TLOAD and MCOPY. It stores 42 in transient storage, loads the word, copies the word in
 * memory and returns it.
 */
const RUNTIME = '602a5f5d5f5c5f5260205f60205e60206020f3';
/** Init code that returns the 19 bytes after its own nine bytes. */
const CREATION = `60138060095f395ff3${RUNTIME}`;

interface BlockAnswer {
  readonly block_header: { readonly raw_data: { readonly number?: number; readonly timestamp: number } };
}

let devnet: Devnet;
t.before(async () => {
  devnet = await startDevnet(t, { blockTimeMs: SLOT_MS });
});

t.test('shows the main net parameters except the listed ones', async (t) => {
  const { chainParameter } = await devnet.post<{ chainParameter: readonly { key: string; value?: number }[] }>(
    '/wallet/getchainparameters',
    {},
  );
  const { devnetValues } = mainNetParameters();
  for (const { key, value = 0 } of chainParameter)
    if (!COMPUTED.has(key)) t.equal(value, devnetValues.get(key) ?? 0, key);
  const shown = new Set(chainParameter.map(({ key }) => key));
  for (const name of devnetValues.keys()) t.ok(shown.has(name), name);
  t.same(await devnet.post('/wallet/getbandwidthprices', {}), { prices: '0:1000' });
});

t.test('produces a block in every slot from the first', async (t) => {
  await untilServed('blocks', async () => Number(await devnet.rpc<string>('eth_blockNumber')) >= BLOCKS);
  const times: number[] = [];
  for (let num = 0; num <= BLOCKS; num++) {
    const block = await devnet.post<BlockAnswer>('/wallet/getblockbynum', { num });
    times.push(block.block_header.raw_data.timestamp);
  }
  const gaps = times.slice(1).map((time, index) => time - times[index]!);
  t.same(
    gaps,
    gaps.map(() => SLOT_MS),
  );
});

t.test('runs a contract with PUSH0, TSTORE, TLOAD and MCOPY', async (t) => {
  const txID = await sendTransaction(devnet, '/wallet/deploycontract', {
    bytecode: CREATION,
    abi: '[]',
    fee_limit: 1_000_000_000,
    consume_user_resource_percent: 100,
    origin_energy_limit: 10_000_000,
    name: 'Copies',
  });
  const { contract_address, receipt } = await devnet.post<{ contract_address: string; receipt: { result: string } }>(
    '/wallet/gettransactioninfobyid',
    { value: txID },
  );
  t.equal(receipt.result, 'SUCCESS');
  const answer = await devnet.rpc<string>('eth_call', [{ to: `0x${contract_address.slice(2)}`, data: '0x' }, 'latest']);
  t.equal(BigInt(answer), 42n);
});

// Since proposal 99, the storage key of a slot does not depend on the row of its contract in the store `contract`. So a
// trace could find a slot of a contract that no longer exists.
t.test('traces no slot of a contract that destroyed itself in the transaction that created it', async (t) => {
  const caller = `0x${'c0'.repeat(20)}`;
  // Init code that stores 1 in slot 0, and deploys code that destroys the contract.
  const init = '60016000556133ff6000526002601ef3';
  // Code that creates the contract and calls it.
  const code = `0x6f${init}5f52601060105ff05f5f5f5f5f855af100`;
  const trace = { tracer: 'prestateTracer', tracerConfig: { diffMode: true }, stateOverrides: { [caller]: { code } } };
  const diff = await devnet.rpc<object>('debug_traceCall', [{ to: caller }, 'latest', trace]);
  t.same(diff, { post: {}, pre: {} });
});
