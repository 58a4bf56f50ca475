import { present } from '../../../domain/assert.js';
import { toHex } from '../../../domain/bytes.js';
import { keccak256 } from '../../../domain/hash.js';
import { JavaError, nullPointer } from '../../../java/error.js';
import { bytesOfHex } from '../../../java/hex.js';
import { decodeTransaction } from '../../../vm/transactions/decode-transaction.js';
import type { ChainView } from '../../api-context.js';
import { TooCostly } from '../../call-budget.js';
import { finalHeight, heightOf, namedHeight } from '../block-choice.js';
import {
  type BlockWithReceipts,
  blockReceipts,
  blockResult,
  contentOf,
  keptContent,
  type PrintContext,
  transactionAt,
  transactionReceipt,
  waitingResult,
} from '../block-results.js';
import { method, type RawJson, type RpcEntry, type RpcMethods } from '../envelope.js';
import { ethereumMethods } from '../ethereum/ethereum-methods.js';
import type { Json } from '../json-text.js';
import type { LogQuery } from '../logs/log-filter.js';
import { checkBlockRange, readLogQuery } from '../logs/read-log-query.js';
import {
  type ArgumentReaders,
  anything,
  argumentReaders,
  type FilterRequest,
  filterRequest,
  flag,
  type ReadParameter,
  text,
} from '../parameters.js';
import { data, HEX_HASH, quantity, readHash, readIndex } from '../quantities.js';
import { invalidParams, unavailable } from '../rpc-error.js';
import { coinbase } from './coinbase.js';
import { controlMethods } from './control-methods.js';
import { debugMethods } from './debug-methods.js';
import { printContext, type RpcContext } from './rpc-context.js';
import { stateMethods } from './state-methods.js';
import { syncStatus } from './sync-status.js';
import { traceMethods } from './trace-methods.js';

const HAS_BLOCK = 'every height up to the head has a block';

/** Every method of one port. Reference: TronJsonRpc, TronJsonRpcImpl. */
export function rpcMethods(context: RpcContext): RpcMethods {
  return new Map([
    ...nodeMethods(context),
    ...blockMethods(context),
    ...stateMethods(context),
    ...filterMethods(context),
    ...(context.features.debug ? [...debugMethods(context), ...traceMethods(context)] : []),
    ...(context.control === undefined ? [] : controlMethods(context.control)),
    ...unavailableMethods(argumentReaders(context.api.settings.release)),
    ...(context.features.ethereum ? ethereumMethods(context) : []),
  ]);
}

function nodeMethods({ api, view: name, producers }: RpcContext): RpcEntry[] {
  const view = (): ChainView => api.view(name);
  const { release } = api.settings;
  const chainId = (): string => data(present(view().blockIdAt(0), HAS_BLOCK).subarray(-4));
  const head = (): BlockWithReceipts => contentOf(view(), view().headNumber);
  return [
    method('web3_clientVersion', [], () => `TRON/v${release.name}/Linux/Java${release.javaVersion}`),
    method<[string | null]>('web3_sha3', [text], (input) => data(keccak256(readInput(input)))),
    method('eth_blockNumber', [], () => quantity(view().headNumber)),
    method('eth_chainId', [], chainId),
    method('net_version', [], chainId),
    method('net_listening', [], () => api.peers.active > 0),
    method('net_peerCount', [], () => quantity(api.peers.active)),
    method('eth_protocolVersion', [], () => quantity(head().block.raw.version)),
    method('eth_syncing', [], () => syncStatus(api, Number(head().block.raw.timestamp), view().headNumber)),
    method('eth_mining', [], () => producers.some((address) => isActive(view(), address))),
    method('eth_hashrate', [], () => '0x0'),
    method('eth_accounts', [], () => []),
    method('eth_coinbase', [], () => data(coinbase(view(), producers))),
    method('eth_gasPrice', [], () => quantity(view().state.properties.get('ENERGY_FEE'))),
    method('eth_getWork', [], () => [data(present(view().blockIdAt(view().headNumber), HAS_BLOCK)), null, null]),
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
    return number === undefined ? undefined : keptContent(view(), number);
  };
  const byNumber = (tag: string | null): BlockWithReceipts | undefined => {
    const number = heightOf(context, tag);
    return number === undefined ? undefined : keptContent(view(), number);
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
    // Genesis transactions are in no index of the reference.
    const found = place === undefined || place.number === 0 ? undefined : keptContent(view(), place.number);
    return place === undefined || found === undefined ? null : show(found, place.index);
  };
  // Genesis transactions have no receipts.
  const receipts = (found: BlockWithReceipts | undefined): object[] | null =>
    found === undefined || found.block.number === 0 ? null : blockReceipts(found, print());
  const receiptsNamed = (block: string | null): object[] | null =>
    receipts(block !== null && HEX_HASH.test(block) ? byHash(block) : byNumber(block));
  /** A tag, a number or a hash names the block; where the configuration says so, an object with one of them too. */
  const receiptsMethods = (): RpcEntry[] => {
    const [name, { release }] = ['eth_getBlockReceipts', api.settings];
    if (features.blockReceipts)
      return [
        method<[Json]>(name, [anything], (block) =>
          typeof block === 'string'
            ? receiptsNamed(block)
            : receipts(keptContent(view(), namedHeight(view(), block, release))),
        ),
      ];
    return release.hasBlockReceipts ? [method<[string | null]>(name, [text], receiptsNamed)] : [];
  };
  return [
    method<[string | null]>('eth_getBlockTransactionCountByHash', [text], (hash) => count(byHash(hash))),
    method<[string | null]>('eth_getBlockTransactionCountByNumber', [text], (tag) => count(byNumber(tag))),
    method<[string | null, boolean | null]>('eth_getBlockByHash', [text, flag], (hash, isFull) => {
      const found = byHash(hash);
      if (isFull === null) throw nullPointer();
      return found === undefined ? null : blockResult(found, isFull, print());
    }),
    method<[string | null, boolean | null]>('eth_getBlockByNumber', [text, flag], (tag, isFull) => {
      const found = byNumber(tag);
      if (found === undefined) return null;
      if (isFull === null) throw nullPointer();
      return blockResult(found, isFull, print());
    }),
    method<[string | null]>('eth_getTransactionByHash', [text], (id) => {
      const waiting = view().waiting(readHash(id, api.settings.release));
      if (waiting !== undefined) return waitingResult(decodeTransaction(waiting), print());
      return byId(id, (content, index) => transactionAt(content, index, print()));
    }),
    method<[string | null]>('eth_getTransactionReceipt', [text], (id) =>
      byId(id, (content, index) => transactionReceipt(content, index, print())),
    ),
    method<[string | null, string | null]>('eth_getTransactionByBlockHashAndIndex', [text, text], (hash, index) =>
      entry(byHash(hash), index),
    ),
    method<[string | null, string | null]>('eth_getTransactionByBlockNumberAndIndex', [text, text], (tag, index) =>
      entry(byNumber(tag), index),
    ),
    method<[string | null, string | null]>('eth_getUncleByBlockHashAndIndex', [text, text], () => null),
    method<[string | null, string | null]>('eth_getUncleByBlockNumberAndIndex', [text, text], () => null),
    method<[string | null]>('eth_getUncleCountByBlockHash', [text], () => '0x0'),
    method<[string | null]>('eth_getUncleCountByBlockNumber', [text], () => '0x0'),
    ...receiptsMethods(),
  ];
}

function filterMethods(context: RpcContext): RpcEntry[] {
  const { api, view: name, filters, logs, pool } = context;
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
      if (!(error instanceof TooCostly) || pool === undefined) throw error;
      return pool.logs(name, query);
    }
  };
  const inRange = (at: ChainView, query: LogQuery): LogQuery => {
    checkBlockRange(query, at, api.settings.rpcLimits);
    return query;
  };
  const guarded = <P extends unknown[]>(
    called: string,
    parameters: { readonly [K in keyof P]: ReadParameter<P[K]> },
    run: (at: ChainView, ...values: P) => unknown,
  ): RpcEntry => method<P>(called, parameters, (...values) => run(view(called), ...values));
  return [
    guarded<[FilterRequest | null]>('eth_newFilter', [filterRequest], (at, request) => {
      if (request === null) throw nullPointer();
      if (api.settings.release.knowsFinalityTags && isFromFinality(request))
        throw invalidParams('invalid block range params');
      filters.requireRoom('log');
      return filters.add(readQuery(request, at));
    }),
    guarded<[]>('eth_newBlockFilter', [], () => filters.add(undefined)),
    guarded<[string | null]>('eth_uninstallFilter', [text], (_, id) => {
      filters.remove(id);
      return true;
    }),
    guarded<[string | null]>('eth_getFilterChanges', [text], (_, id) => filters.take(id)),
    guarded<[string | null]>('eth_getFilterLogs', [text], (at, id) => logsText(at, inRange(at, filters.queryOf(id)))),
    guarded<[FilterRequest | null]>('eth_getLogs', [filterRequest], (at, request) =>
      logsText(at, inRange(at, readQuery(request, at))),
    ),
  ];
}

/** Filters wait for blocks that come, so that `finalized` says nothing. Reference: TronJsonRpcImpl.newFilter */
function isFromFinality({ fromBlock, toBlock }: FilterRequest): boolean {
  return [fromBlock, toBlock].some((tag) => tag?.toLowerCase() === 'finalized');
}

/** Methods that only refuse, with the parameters that they must be given. */
function unavailableMethods({ callArguments }: ArgumentReaders): RpcEntry[] {
  const texts = (count: number): ReadParameter<unknown>[] => Array.from({ length: count }, () => text);
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
