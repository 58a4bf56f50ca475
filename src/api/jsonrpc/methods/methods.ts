import { keccak256 } from '../../../crypto/hash.js';
import { bytesOfHex } from '../../../java-compat/hex.js';
import { JavaError, nullPointer } from '../../../java-compat/java-error.js';
import { present } from '../../../primitives/assert.js';
import { toHex } from '../../../primitives/bytes.js';
import { decodeTransaction } from '../../../state-transition/transactions/decode-transaction.js';
import type { ChainView } from '../../context/api-context.js';
import { BudgetExceededError } from '../../context/call-budget.js';
import { finalHeight, heightOfTag, namedHeight } from '../block-choice.js';
import { type BlockWithReceipts, contentOf, storedContent } from '../block-content.js';
import { blockReceipts, blockText, pendingText, transactionAt, transactionReceipt } from '../block-results.js';
import { RawJson, type RpcEntry, type RpcMethods, rpcMethod } from '../envelope.js';
import { ethereumMethods } from '../ethereum/ethereum-methods.js';
import type { Json } from '../json-text.js';
import type { LogQuery } from '../logs/log-filter.js';
import { checkBlockRange, readLogQuery, requireStored } from '../logs/read-log-query.js';
import {
  type ArgumentReaders,
  anyParameter,
  argumentReaders,
  ethereumFilter,
  type FilterRequest,
  filterRequest,
  flagParameter,
  type ReadParameter,
  textParameter,
} from '../parameters.js';
import { toPlain } from '../plain-json.js';
import { data, HEX_HASH, quantity, readHash, readIndex } from '../quantities.js';
import { invalidParams, RpcError, unavailable } from '../rpc-error.js';
import type { PrintContext } from '../transaction-text.js';
import { coinbase } from './coinbase.js';
import { controlMethods } from './control-methods.js';
import { debugMethods } from './debug-methods.js';
import { indexMethods } from './index-methods.js';
import { orInPool, printContext, type RpcContext } from './rpc-context.js';
import { stateMethods } from './state-methods.js';
import { syncStatus } from './sync-status.js';
import { traceMethods } from './trace-methods.js';

const HAS_BLOCK = 'every height up to the head has a block';

/** Returns all methods of one port. Reference: TronJsonRpc, TronJsonRpcImpl. */
export function rpcMethods(context: RpcContext): RpcMethods {
  return new Map([
    ...nodeMethods(context),
    ...blockMethods(context),
    ...stateMethods(context),
    ...filterMethods(context),
    ...(context.features.debug ? [...debugMethods(context), ...traceMethods(context)] : []),
    ...(context.control === undefined ? [] : controlMethods(context.control)),
    ...(context.indexes === undefined ? [] : indexMethods(context, context.indexes)),
    ...unavailableMethods(argumentReaders(context.api.settings.release)),
    ...(context.features.ethereum ? ethereumMethods(context) : []),
  ]);
}

function nodeMethods({ api, view: name, producers, accounts = [] }: RpcContext): RpcEntry[] {
  const view = (): ChainView => api.view(name);
  const { release, chainId: configured } = api.settings;
  const chainId = (): string =>
    configured === undefined ? data(present(view().blockIdAt(0), HAS_BLOCK).subarray(-4)) : quantity(configured);
  const head = (): BlockWithReceipts => contentOf(view(), view().headNumber);
  return [
    rpcMethod('web3_clientVersion', [], () => `TRON/v${release.name}/Linux/Java${release.javaVersion}`),
    rpcMethod<[string | null]>('web3_sha3', [textParameter], (input) => data(keccak256(readInput(input)))),
    rpcMethod('eth_blockNumber', [], () => quantity(view().headNumber)),
    rpcMethod('eth_chainId', [], chainId),
    rpcMethod('net_version', [], chainId),
    rpcMethod('net_listening', [], () => api.peers.active > 0),
    rpcMethod('net_peerCount', [], () => quantity(api.peers.active)),
    rpcMethod('eth_protocolVersion', [], () => quantity(head().block.raw.version)),
    rpcMethod('eth_syncing', [], () => syncStatus(api, view())),
    rpcMethod('eth_mining', [], () => producers.some((address) => isActive(view(), address))),
    rpcMethod('eth_hashrate', [], () => '0x0'),
    rpcMethod('eth_accounts', [], () => accounts.map((account) => data(account.subarray(-20)))),
    rpcMethod('eth_coinbase', [], () => data(coinbase(view(), producers))),
    rpcMethod('eth_gasPrice', [], () => quantity(view().state.properties.get('ENERGY_FEE'))),
    rpcMethod('eth_getWork', [], () => [data(present(view().blockIdAt(view().headNumber), HAS_BLOCK)), null, null]),
  ];
}

function readInput(input: string | null): Uint8Array {
  try {
    return bytesOfHex(input);
  } catch {
    throw invalidParams('invalid input value');
  }
}

function isActive({ state }: ChainView, address: Uint8Array): boolean {
  const schedule = state.witnessSchedule.get(toHex(Buffer.from('active_witnesses')));
  return schedule !== undefined && toHex(schedule).includes(toHex(address));
}

function blockMethods(context: RpcContext): RpcEntry[] {
  const { api, view: name, features } = context;
  const view = (): ChainView => api.view(name);
  const print = (): PrintContext => printContext(context);
  const byHash = (hash: string | null): BlockWithReceipts | undefined => {
    const number = view().numberOf(readHash(hash, api.settings.release));
    return number === undefined ? undefined : storedContent(view(), number);
  };
  const byNumber = (tag: string | null): BlockWithReceipts | undefined => {
    const number = heightOfTag(context, tag);
    return number === undefined ? undefined : storedContent(view(), number);
  };
  const count = (found: BlockWithReceipts | undefined): string | null =>
    found === undefined ? null : quantity(found.transactionCount);
  const entry = (found: BlockWithReceipts | undefined, index: string | null): object | null => {
    if (found === undefined) return null;
    const { release } = api.settings;
    const at = readIndex(index, release);
    if (at < 0 && release.checksRpcArguments) return null;
    if (at < 0) throw new JavaError('java.lang.ArrayIndexOutOfBoundsException', String(at));
    return transactionAt(found, at, print());
  };
  const byId = (
    id: string | null,
    show: (content: BlockWithReceipts, index: number) => object | null,
  ): object | null => {
    const place = view().transactionAt(readHash(id, api.settings.release));
    // As in java-tron, transactions of genesis cannot be found by id.
    const found = place === undefined || place.number === 0 ? undefined : storedContent(view(), place.number);
    return place === undefined || found === undefined ? null : show(found, place.index);
  };
  // Genesis transactions have no receipts.
  const receipts = (found: BlockWithReceipts | undefined): object[] | null =>
    found === undefined || found.block.number === 0 ? null : blockReceipts(found, print());
  const receiptsNamed = (block: string | null): object[] | null =>
    receipts(block !== null && HEX_HASH.test(block) ? byHash(block) : byNumber(block));
  const wholeBlock = (called: string, run: (named: string | null, isFull: boolean | null) => object | null): RpcEntry =>
    rpcMethod<[string | null, boolean | null]>(called, [textParameter, flagParameter], (named, isFull) =>
      orInPool(context, called, [named, isFull], () => run(named, isFull)),
    );
  /**
   * Returns the methods for block receipts. The methods accept a tag, a number or a hash of a block. With the feature
   * `blockReceipts`, they also accept an object that contains one of these.
   */
  const receiptsMethods = (): RpcEntry[] => {
    const [name, { release }] = ['eth_getBlockReceipts', api.settings];
    if (features.blockReceipts)
      return [
        rpcMethod<[Json]>(name, [anyParameter], (block) =>
          orInPool(context, name, [toPlain(block)], () =>
            typeof block === 'string'
              ? receiptsNamed(block)
              : receipts(storedContent(view(), namedHeight(view(), block, release))),
          ),
        ),
      ];
    const method = rpcMethod<[string | null]>(name, [textParameter], (block) =>
      orInPool(context, name, [block], () => receiptsNamed(block)),
    );
    return release.hasBlockReceipts ? [method] : [];
  };
  return [
    rpcMethod<[string | null]>('eth_getBlockTransactionCountByHash', [textParameter], (hash) => count(byHash(hash))),
    rpcMethod<[string | null]>('eth_getBlockTransactionCountByNumber', [textParameter], (tag) => count(byNumber(tag))),
    wholeBlock('eth_getBlockByHash', (hash, isFull) => {
      const found = byHash(hash);
      if (isFull === null) throw nullPointer();
      return found === undefined ? null : blockText(found, isFull, print());
    }),
    wholeBlock('eth_getBlockByNumber', (tag, isFull) => {
      const found = byNumber(tag);
      if (found === undefined) return null;
      if (isFull === null) throw nullPointer();
      return blockText(found, isFull, print());
    }),
    rpcMethod<[string | null]>('eth_getTransactionByHash', [textParameter], (id) => {
      // Searches the blocks first, because the list of pending transactions may be older than the newest block.
      const stored = byId(id, (content, index) => transactionAt(content, index, print()));
      if (stored !== null) return stored;
      const pending = view().pendingTransaction(readHash(id, api.settings.release));
      return pending === undefined ? null : pendingText(decodeTransaction(pending), print());
    }),
    rpcMethod<[string | null]>('eth_getTransactionReceipt', [textParameter], (id) =>
      byId(id, (content, index) => transactionReceipt(content, index, print())),
    ),
    rpcMethod<[string | null, string | null]>(
      'eth_getTransactionByBlockHashAndIndex',
      [textParameter, textParameter],
      (hash, index) => entry(byHash(hash), index),
    ),
    rpcMethod<[string | null, string | null]>(
      'eth_getTransactionByBlockNumberAndIndex',
      [textParameter, textParameter],
      (tag, index) => entry(byNumber(tag), index),
    ),
    rpcMethod<[string | null, string | null]>(
      'eth_getUncleByBlockHashAndIndex',
      [textParameter, textParameter],
      () => null,
    ),
    rpcMethod<[string | null, string | null]>(
      'eth_getUncleByBlockNumberAndIndex',
      [textParameter, textParameter],
      () => null,
    ),
    rpcMethod<[string | null]>('eth_getUncleCountByBlockHash', [textParameter], () => '0x0'),
    rpcMethod<[string | null]>('eth_getUncleCountByBlockNumber', [textParameter], () => '0x0'),
    ...receiptsMethods(),
  ];
}

function filterMethods(context: RpcContext): RpcEntry[] {
  const { api, view: name, filters, logs, pool, features } = context;
  const filterParameter = features.ethereum ? ethereumFilter : filterRequest;
  const view = (called: string): ChainView => {
    if (name === 'pbft') throw unavailable(called, ' in PBFT');
    return api.view(name);
  };
  const readQuery = (request: FilterRequest | null, at: ChainView): LogQuery => {
    if (request === null) throw nullPointer();
    return readLogQuery(request, at, { ...api.settings, findTag: (tag) => finalHeight(context, tag) });
  };
  const logsText = (at: ChainView, query: LogQuery): RawJson | Promise<RawJson> => {
    try {
      return logs.list(at, query, pool && api.callBudget?.ms);
    } catch (error) {
      if (!(error instanceof BudgetExceededError) || pool === undefined) throw error;
      return pool.logs(name, query);
    }
  };
  const inRange = (at: ChainView, query: LogQuery): LogQuery => {
    checkBlockRange(query, at, api.settings.rpcLimits);
    if (features.ethereum) requireStored(query, at);
    return query;
  };
  const guarded = <P extends unknown[]>(
    called: string,
    parameters: { readonly [K in keyof P]: ReadParameter<P[K]> },
    run: (at: ChainView, ...values: P) => unknown,
  ): RpcEntry => rpcMethod<P>(called, parameters, (...values) => run(view(called), ...values));
  return [
    guarded<[FilterRequest | null]>('eth_newFilter', [filterParameter], async (_, request) => {
      if (request === null) throw nullPointer();
      if (api.settings.release.knowsFinalityTags && isFromFinality(request))
        throw invalidParams('invalid block range params');
      await filters.requireBelowMaximum('log');
      return filters.add(readQuery(request, view('eth_newFilter')));
    }),
    guarded<[]>('eth_newBlockFilter', [], () => filters.add(undefined)),
    guarded<[string | null]>('eth_uninstallFilter', [textParameter], async (_, id) => {
      try {
        await filters.remove(id);
        return true;
      } catch (error) {
        // As in geth, false for an unknown filter. Clients remove filters that the node has already deleted.
        if (features.ethereum && error instanceof RpcError) return false;
        throw error;
      }
    }),
    guarded<[string | null]>(
      'eth_getFilterChanges',
      [textParameter],
      async (_, id) => new RawJson(await filters.take(id)),
    ),
    guarded<[string | null]>('eth_getFilterLogs', [textParameter], async (_, id) => {
      const query = await filters.queryOf(id);
      const at = view('eth_getFilterLogs');
      return logsText(at, inRange(at, query));
    }),
    guarded<[FilterRequest | null]>('eth_getLogs', [filterParameter], (at, request) =>
      logsText(at, inRange(at, readQuery(request, at))),
    ),
  ];
}

/**
 * Returns true if the range has the tag `finalized`, which is invalid in a filter on new blocks.
 * Reference: TronJsonRpcImpl.newFilter
 */
function isFromFinality({ fromBlock, toBlock }: FilterRequest): boolean {
  return [fromBlock, toBlock].some((tag) => tag?.toLowerCase() === 'finalized');
}

/**
 * Returns the methods that java-tron declares, but that always fail. Like java-tron, they still check their parameters.
 */
function unavailableMethods({ callArguments }: ArgumentReaders): RpcEntry[] {
  const texts = (count: number): ReadParameter<unknown>[] => Array.from({ length: count }, () => textParameter);
  const named: readonly (readonly [string, readonly ReadParameter<unknown>[]])[] = [
    ['eth_submitWork', texts(3)],
    ['eth_sendRawTransaction', texts(1)],
    ['eth_sendTransaction', [callArguments]],
    ['eth_sign', texts(2)],
    ['eth_signTransaction', [callArguments]],
    ['parity_nextNonce', texts(1)],
    ['eth_getTransactionCount', texts(2)],
    ['eth_getCompilers', []],
    ['eth_compileSolidity', texts(1)],
    ['eth_compileLLL', texts(1)],
    ['eth_compileSerpent', texts(1)],
    ['eth_submitHashrate', texts(2)],
  ];
  return named.map(([name, parameters]) => [
    name,
    {
      parameters,
      run: () => {
        throw unavailable(name);
      },
    },
  ]);
}
