import t from 'tap';
import type { ApiContext, ChainView } from '../../../../../src/api/context/api-context.js';
import { answerRequest } from '../../../../../src/api/jsonrpc/envelope.js';
import { LogSearch } from '../../../../../src/api/jsonrpc/logs/find-logs.js';
import { NO_FEATURES } from '../../../../../src/api/jsonrpc/methods/features.js';
import { rpcMethods } from '../../../../../src/api/jsonrpc/methods/methods.js';
import type { RpcContext } from '../../../../../src/api/jsonrpc/methods/rpc-context.js';
import { apiRelease } from '../../../../../src/api/releases/releases.js';

const HASH = `0x${'11'.repeat(32)}`;

/**
 * Calls a method of a node whose log starts above block 9, as after a lite snapshot. Returns the result or the error.
 */
async function request(method: string, params: readonly unknown[], features = NO_FEATURES): Promise<unknown> {
  const release = apiRelease('4.8.2');
  const view = {
    headNumber: 20,
    blockIdAt: () => undefined,
    block: (number: number) => (number > 9 ? { results: new Uint8Array(0) } : undefined),
    numberOf: () => 5,
    transactionAt: () => ({ number: 5, index: 0 }),
    pendingTransaction: () => undefined,
  } as unknown as ChainView;
  const form = { release, addressPrefix: 0x41, rpcLimits: release.rpcLimits };
  const api = { view: () => view, settings: form } as unknown as ApiContext;
  const context = { api, view: 'head', features, producers: [], logs: new LogSearch(release) };
  const methods = rpcMethods(context as unknown as RpcContext);
  const text = await answerRequest(methods, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), form);
  const { result, error } = JSON.parse(text) as { result?: unknown; error?: unknown };
  return error ?? result;
}

/** Responses of java-tron 4.7.2 on a lite snapshot. */
const ANSWERS: readonly (readonly [method: string, params: readonly unknown[], result: unknown])[] = [
  ['eth_getBlockByNumber', ['0x5', true], null],
  ['eth_getBlockByHash', [HASH, false], null],
  ['eth_getBlockTransactionCountByNumber', ['0x5'], null],
  ['eth_getBlockTransactionCountByHash', [HASH], null],
  ['eth_getTransactionByBlockNumberAndIndex', ['0x5', '0x0'], null],
  ['eth_getTransactionByHash', [HASH], null],
  ['eth_getTransactionReceipt', [HASH], null],
  ['eth_getBlockReceipts', ['0x5'], null],
  ['eth_getLogs', [{ fromBlock: '0x1', toBlock: '0x9' }], []],
];

t.test('returns the same answer for a pruned block as for a block that does not exist', async (t) => {
  for (const [method, params, result] of ANSWERS) t.same(await request(method, params), result, method);
});

// Reference: PrunedHistoryError of geth. An indexer would take an empty list for blocks without logs.
t.test('with Ethereum forms, a log query for a pruned block is an error', async (t) => {
  const logs = (fromBlock: string) =>
    request('eth_getLogs', [{ fromBlock, toBlock: 'latest' }], { ...NO_FEATURES, ethereum: true });
  for (const tag of ['earliest', '0x0', '0x9'])
    t.match(await logs(tag), { code: 4444, message: /^pruned history unavailable: this node does not store block/ });
  for (const tag of ['0xa', '0x14', '0x15', 'latest']) t.same(await logs(tag), [], tag);
  const byHash = await request('eth_getLogs', [{ blockHash: HASH }], { ...NO_FEATURES, ethereum: true });
  t.match(byHash, { code: 4444 });
});
