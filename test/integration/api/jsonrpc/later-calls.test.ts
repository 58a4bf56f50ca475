import t from 'tap';
import { FilterStore } from '../../../../src/api/jsonrpc/logs/filter-store.js';
import { apiRelease } from '../../../../src/api/releases/releases.js';
import { NO_RPC_LIMITS } from '../../../../src/api/releases/rpc-limits.js';
import { serveRpc } from '../../../support/jsonrpc/served-rpc.js';

const OWNER = `0x${'11'.repeat(20)}`;

t.test('reads numbers, tags and argument names as 4.8.2 does, in cases without a recording', async (t) => {
  const rpc = await serveRpc(t, 'release-4.8.2/system-tour48', { until: 60 });
  const head = `0x${rpc.chain.ledger.position.headNumber.toString(16)}`;
  const refusalOf = async (method: string, ...params: readonly unknown[]): Promise<string | undefined> =>
    (await rpc.request(method, params)).error?.message;

  await t.test('parses quantities', async (t) => {
    const build = (more: object): Promise<string | undefined> =>
      refusalOf('buildTransaction', { from: OWNER, data: '0x00', name: 'c', ...more });
    t.equal(await build({ gas: '0x-1' }), 'invalid param value: negative');
    t.equal(await build({ gas: '0x7fffffffffffffff' }), 'invalid gas: fee limit overflow');
    t.equal(await build({ gas: '0xzz' }), 'invalid param value: invalid hex number');
    t.equal(await build({ gas: '1' }), 'invalid param value: invalid hex number');
    for (const name of ['tokenId', 'tokenValue', 'consumeUserResourcePercent', 'originEnergyLimit', 'permissionId'])
      t.equal(await build({ [name]: '' }), null, `an empty ${name} is read as null, which Java cannot unbox`);
    t.equal(await refusalOf('buildTransaction', { from: OWNER, data: '0x00' }), undefined);
  });

  await t.test('finds blocks by tag', async (t) => {
    const number = async (tag: string): Promise<unknown> =>
      (await rpc.get<{ number: string }>('eth_getBlockByNumber', [tag, false])).number;
    t.equal(await number('latest'), head);
    t.equal(await number('earliest'), '0x0');
    const solidified = rpc.chain.state.properties.number('LATEST_SOLIDIFIED_BLOCK_NUM');
    t.equal(await number('finalized'), `0x${solidified.toString(16)}`);
    t.equal(await refusalOf('eth_getBlockByNumber', 'pending', false), 'TAG pending not supported');
    t.equal(await refusalOf('eth_getBlockByNumber', 'safe', false), 'TAG safe not supported');
  });

  await t.test('finds a transaction of a block by its index', async (t) => {
    t.equal(await rpc.get('eth_getTransactionByBlockNumberAndIndex', ['0x1', '0x-1']), null);
  });

  await t.test('finds blocks by number', async (t) => {
    const far = '0x7fffffffffffffff';
    t.equal(await rpc.get('eth_getBlockByNumber', [far, false]), null, 'the largest number, of 18 characters');
    t.equal(
      (await rpc.get<{ number: string }>('eth_getBlockByNumber', ['5', false])).number,
      '0x5',
      'a decimal number',
    );
    for (const wrong of ['0x', '-1', '0x8000000000000000', '0'.repeat(21), ''])
      t.equal(await refusalOf('eth_getBlockByNumber', wrong, false), 'invalid block number', wrong);
  });

  await t.test('identifies the client', async (t) => {
    t.equal(await rpc.get('web3_clientVersion', []), 'TRON/v4.8.2/Linux/Java17');
  });
});

t.test('counts filters of each kind separately', async (t) => {
  const release = apiRelease('4.8.2');
  const rpcLimits = { ...NO_RPC_LIMITS, maxBlockFilterNum: 2, maxLogFilterNum: 1 };
  const store = new FilterStore(() => 0, { release, rpcLimits });
  const logs = { filter: { addresses: [], topics: [] }, from: 0, to: undefined };
  for (const query of [undefined, undefined, logs]) store.add(query);
  const text = (kind: string, most: number): RegExp =>
    new RegExp(`^exceed max ${kind} filters: ${most}, try again later$`);
  t.throws(() => store.add(undefined), { number: -32005, message: text('block', 2) });
  t.throws(() => store.add(logs), { number: -32005, message: text('log', 1) });
});
