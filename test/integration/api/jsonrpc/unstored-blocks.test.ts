import { join } from 'node:path';
import t from 'tap';
import { NO_FLAGS } from '../../../../src/config/flags.js';
import { loadConfig, type NodeConfig } from '../../../../src/config/load-config.js';
import { bootstrap } from '../../../../src/node/bootstrap/bootstrap.js';
import { chainRules, genesisOf } from '../../../../src/node/chain-config.js';
import { openChain } from '../../../../src/node/open-chain.js';
import { createRpcServers } from '../../../../src/node/serving/serve-jsonrpc.js';
import { servedLocally } from '../../../../src/node/serving/served-node.js';
import { silent } from '../../../support/projections/chain.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { golden } from '../../../support/tronicle.js';

// A lite snapshot that the Toolkit of java-tron 4.7.2 has created. It has some 250 blocks, of which two are imported.
const lite = join(golden, 'java-data', 'lite-tour');
const CALL = { to: `0x${'11'.repeat(20)}`, data: '0x' };
const NO_BLOCK = { code: 4444, message: /^pruned history unavailable: this node does not store block \d+/ };
const NO_STATE = { code: -32000, message: /^the state at block \d+ is not stored/ };

interface Reply {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

/** Returns the configuration with all JSON-RPC features enabled. */
function allFeatures(config: NodeConfig): NodeConfig {
  const { node, tronicle } = config;
  const jsonrpc = Object.fromEntries(
    Object.entries(tronicle.jsonrpc).map(([name, value]) => [name, typeof value === 'boolean' ? true : value]),
  ) as NodeConfig['tronicle']['jsonrpc'];
  return {
    ...config,
    node: { ...node, jsonrpc: { ...node.jsonrpc, httpFullNodeEnable: true } },
    tronicle: { ...tronicle, jsonrpc },
  };
}

t.test('names the block or state that a bootstrapped node has not stored', async (t) => {
  const dataDir = join(temporaryFolder(t), 'data');
  const config = allFeatures(loadConfig({ file: join(lite, 'config.conf'), flags: NO_FLAGS }).config);
  const genesisId = genesisOf(config, chainRules(config)).id;
  const source = join(lite, 'output-directory.tgz');
  const { head } = await bootstrap({ source, dataDir, genesisId, history: 'none' });
  const chain = await openChain({ config, dataDir, log: silent });
  const { servers, close } = createRpcServers(
    servedLocally({ chain, producers: [], config, log: silent, now: Date.now, dataDir }),
  );
  t.teardown(async () => {
    await close();
    await chain.ledger.close();
  });
  const [app] = servers.values();
  const request = async (method: string, params: readonly unknown[]): Promise<Reply> => {
    const payload = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    return (await app!.inject({ method: 'POST', url: '/jsonrpc', payload })).json<Reply>();
  };
  for (const number of [1, head.number - 100]) {
    const tag = `0x${number.toString(16)}`;
    for (const [method, params] of [
      ['eth_getBalance', [CALL.to, tag]],
      ['eth_getCode', [CALL.to, tag]],
      ['eth_getStorageAt', [CALL.to, '0x0', tag]],
      ['eth_call', [CALL, tag]],
      ['eth_estimateGas', [CALL, tag]],
      ['eth_createAccessList', [CALL, tag]],
      ['eth_simulateV1', [{ blockStateCalls: [{}] }, tag]],
      ['debug_traceCall', [CALL, tag, {}]],
    ] as const)
      t.match((await request(method, params)).error, NO_STATE, `${method} at ${tag}`);
    for (const [method, params] of [
      ['eth_feeHistory', ['0x1', tag, []]],
      ['eth_feeHistory', ['0x400', tag, [10]]],
      ['debug_traceBlockByNumber', [tag, {}]],
      ['trace_block', [tag]],
      ['trace_filter', [{ fromBlock: tag, toBlock: tag }]],
      ['trace_replayBlockTransactions', [tag, ['trace']]],
    ] as const)
      t.match((await request(method, params)).error, NO_BLOCK, `${method} at ${tag}`);
    for (const [method, params] of [
      ['eth_getBlockByNumber', [tag, true]],
      ['eth_getBlockTransactionCountByNumber', [tag]],
      ['eth_getTransactionByBlockNumberAndIndex', [tag, '0x0']],
      ['eth_getBlockReceipts', [tag]],
    ] as const)
      t.equal((await request(method, params)).result, null, `${method} at ${tag}`);
  }
  const { result } = await request('eth_feeHistory', ['0x400', 'latest', []]);
  const oldestBlock = `0x${chain.ledger.position.solidifiedNumber.toString(16)}`;
  t.match(result, { oldestBlock }, 'starts with the lowest stored block');
});
