import { TransactionRet } from '../../log/codec/generated/messages.js';
import { toAddress } from '../../log/domain/address.js';
import { concatBytes, toHex } from '../../log/domain/bytes.js';
import { keccak256 } from '../../log/domain/hash.js';
import { decodeBlock } from '../../vm/block/decoded-block.js';
import { storageKey, storagePrefix } from '../../vm/smart-contract/storage-key.js';
import { decodeTransaction } from '../../vm/transactions/decode-transaction.js';
import type { ApiContext, ChainView, ViewName } from '../api-context.js';
import { JavaError, nullPointer } from '../java/java-error.js';
import { bytesOfHex } from '../java/java-hex.js';
import { contract } from '../operations/smart-contracts.js';
import {
  type BlockContent,
  blockResult,
  type PrintContext,
  transactionAt,
  transactionReceipt,
  waitingResult,
} from './block-results.js';
import { buildTransaction } from './build-transaction.js';
import { call, estimateGas } from './contract-calls.js';
import type { RpcMethod, RpcMethods } from './envelope.js';
import type { FilterStore } from './filter-store.js';
import { findLogs } from './find-logs.js';
import type { Json } from './json-text.js';
import { readLogQuery } from './log-filter.js';
import {
  anything,
  type BuildArguments,
  buildArguments,
  type CallArguments,
  callArguments,
  type FilterRequest,
  filterRequest,
  flag,
  type ReadParameter,
  text,
} from './parameters.js';
import {
  data,
  quantity,
  readAddress,
  readBlockNumber,
  readHash,
  readIndex,
  requireLatest,
  ZERO_HASH,
} from './quantities.js';
import { internalError, invalidParams, invalidRequest, unavailable } from './rpc-error.js';

/** What the methods of one port need of the node. */
export interface RpcContext {
  readonly api: ApiContext;
  /** State that the port answers from. */
  readonly view: ViewName;
  readonly filters: FilterStore;
  /** Addresses whose keys this node produces blocks with; none on other nodes. */
  readonly producers: readonly Uint8Array[];
}

/** What a released node names itself: it runs on Java 8. */
const CLIENT_VERSION = 'TRON/v4.7.2/Linux/Java1.8';
/** In every refusal of a port. */
const PORT_NAMES: Readonly<Record<ViewName, string>> = { head: 'FULLNODE', solidified: 'SOLIDITY', pbft: 'PBFT' };

/** Every method of one port. Reference: TronJsonRpc, TronJsonRpcImpl. */
export function rpcMethods(context: RpcContext): RpcMethods {
  return new Map([
    ...nodeMethods(context),
    ...blockMethods(context),
    ...stateMethods(context),
    ...filterMethods(context),
    ...unavailableMethods(),
  ]);
}

type Entry = readonly [name: string, method: RpcMethod];

/** Parameters of a method are of the kinds that its readers give. */
function method<P extends readonly unknown[]>(
  name: string,
  parameters: { readonly [K in keyof P]: ReadParameter<P[K]> },
  run: (...values: P) => unknown,
): Entry {
  return [name, { parameters, run: (...values) => run(...(values as unknown as P)) }];
}

function nodeMethods({ api, view: name, producers }: RpcContext): Entry[] {
  const view = (): ChainView => api.view(name);
  const chainId = (): string => data(view().blockIdAt(0)!.subarray(-4));
  const head = (): BlockContent => contentOf(view(), view().headNumber);
  return [
    method('web3_clientVersion', [], () => CLIENT_VERSION),
    method<[string | null]>('web3_sha3', [text], (input) => data(keccak256(readInput(input)))),
    method('eth_blockNumber', [], () => quantity(view().headNumber)),
    method('eth_chainId', [], chainId),
    method('net_version', [], chainId),
    method('net_listening', [], () => api.peers.active > 0),
    method('net_peerCount', [], () => quantity(api.peers.active)),
    method('eth_protocolVersion', [], () => quantity(head().block.raw.version)),
    method('eth_syncing', [], () => syncing(api, head().block.timeMs, view().headNumber)),
    method('eth_mining', [], () => producers.some((address) => isActive(view(), address))),
    method('eth_hashrate', [], () => '0x0'),
    method('eth_accounts', [], () => []),
    method('eth_coinbase', [], () => coinbase(view(), producers)),
    method('eth_gasPrice', [], () => quantity(view().state.properties.get('ENERGY_FEE'))),
    method('eth_getWork', [], () => [data(view().blockIdAt(view().headNumber)!), null, null]),
  ];
}

function readInput(input: string | null): Uint8Array {
  try {
    return bytesOfHex(input);
  } catch {
    throw invalidParams('invalid input value');
  }
}

/** Reference: TronJsonRpcImpl.getSyncingStatus. */
function syncing(api: ApiContext, headTimeMs: number, headNumber: number): object | false {
  if (api.peers.active === 0) return false;
  const behind = Math.max(0, Math.floor((api.now() - headTimeMs) / 3000));
  return {
    startingBlock: quantity(headNumber),
    currentBlock: quantity(headNumber),
    highestBlock: quantity(headNumber + behind),
  };
}

function isActive({ state }: ChainView, address: Uint8Array): boolean {
  const schedule = state.witnessSchedule.get(toHex(Buffer.from('active_witnesses')));
  return schedule !== undefined && toHex(schedule).includes(toHex(address));
}

function coinbase({ state }: ChainView, producers: readonly Uint8Array[]): string {
  const own = producers.find((address) => state.witnesses.has(toAddress(address)));
  if (own === undefined) throw internalError('etherbase must be explicitly specified');
  return data(own);
}

/** The decoded block of a height, with its receipts. */
export function contentOf(blocks: Pick<ChainView, 'block'>, number: number): BlockContent {
  const stored = blocks.block(number)!;
  const infos = stored.results.length === 0 ? [] : TransactionRet.decode(stored.results).transactioninfo;
  return { block: decodeBlock(stored.block), infos };
}

function blockMethods({ api, view: name }: RpcContext): Entry[] {
  const view = (): ChainView => api.view(name);
  const print = (): PrintContext => ({ view: view(), addressPrefix: api.settings.addressPrefix });
  const byHash = (hash: string | null): BlockContent | undefined => {
    const number = view().numberOf(readHash(hash));
    return number === undefined ? undefined : contentOf(view(), number);
  };
  const byNumber = (tag: string | null): BlockContent | undefined => {
    const number = numberOf(view(), tag);
    return number === undefined ? undefined : contentOf(view(), number);
  };
  const count = (found: BlockContent | undefined): string | null =>
    found === undefined ? null : quantity(found.block.transactions.length);
  const entry = (found: BlockContent | undefined, index: string | null): object | null => {
    if (found === undefined) return null;
    const at = readIndex(index);
    if (at < 0) throw new JavaError('java.lang.ArrayIndexOutOfBoundsException', String(at));
    return transactionAt(found, at, print());
  };
  const byId = (id: string | null, show: (content: BlockContent, index: number) => object | null): object | null => {
    const place = view().transactionAt(readHash(id));
    // Genesis transactions are in no index of the reference.
    return place === undefined || place.number === 0 ? null : show(contentOf(view(), place.number), place.index);
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
      const waiting = view().waiting(readHash(id));
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
  ];
}

/** Height of a tag or number; undefined when the view has no such block. Reference: Wallet.getByJsonBlockId. */
function numberOf(view: ChainView, tag: string | null): number | undefined {
  const name = tag?.toLowerCase();
  if (name === 'earliest') return 0;
  if (name === 'latest') return view.headNumber;
  if (name === 'pending') throw invalidParams('TAG pending not supported');
  const number = readBlockNumber(tag);
  return number < 0n || number > BigInt(view.headNumber) ? undefined : Number(number);
}

function stateMethods({ api, view: name }: RpcContext): Entry[] {
  const view = (): ChainView => api.view(name);
  const address = (value: string | null): Uint8Array => readAddress(value, api.settings.addressPrefix);
  return [
    method<[string | null, string | null]>('eth_getBalance', [text, text], (of, tag) => {
      requireLatest(tag);
      return quantity(view().state.account(toAddress(address(of)))?.balance ?? 0n);
    }),
    method<[string | null, string | null]>('eth_getCode', [text, text], (of, tag) => {
      requireLatest(tag);
      const key = address(of);
      return contract(view(), key) === undefined
        ? '0x'
        : data(view().state.code.get(toAddress(key)) ?? new Uint8Array(0));
    }),
    method<[string | null, string | null, string | null]>('eth_getStorageAt', [text, text, text], (of, slot, tag) => {
      requireLatest(tag);
      return storageAt(view(), address(of), slot);
    }),
    method<[CallArguments | null, Json]>('eth_call', [callArguments, anything], (args, block) => {
      requireCallBlock(view(), block);
      return call(api, view(), args ?? missing());
    }),
    method<[CallArguments | null]>('eth_estimateGas', [callArguments], (args) =>
      estimateGas(api, view(), args ?? missing()),
    ),
    method<[BuildArguments | null]>('buildTransaction', [buildArguments], (args) => {
      if (name !== 'head') throw unavailable('buildTransaction', ` in ${PORT_NAMES[name]}`);
      return buildTransaction(api, view(), args ?? missing());
    }),
  ];
}

function missing(): never {
  throw nullPointer();
}

function storageAt(view: ChainView, address: Uint8Array, slot: string | null): string {
  const found = contract(view, address);
  if (found === undefined) return ZERO_HASH;
  const bytes = bytesOfHex(slot);
  if (bytes.length > 32) {
    throw new JavaError('java.lang.RuntimeException', `Data word can't exceed 32 bytes: ${toHex(bytes)}`);
  }
  const word = concatBytes(new Uint8Array(32 - bytes.length), bytes);
  const key = storageKey(storagePrefix(address, found.trxHash), word, found.version);
  const value = view.state.storage.get(toHex(key));
  return value === undefined ? ZERO_HASH : data(value);
}

/** A tag, or an object that names a block which must exist; the newest state answers in any case. */
function requireCallBlock(view: ChainView, block: Json): void {
  if (typeof block === 'string') {
    requireLatest(block);
    return;
  }
  if (!(block instanceof Map)) throw invalidRequest();
  const named = block as ReadonlyMap<string, Json>;
  if (named.has('blockNumber')) {
    const number = readBlockNumber(textMember(named.get('blockNumber')!));
    if (number < 0n || number > BigInt(view.headNumber)) throw internalError('header not found');
  } else if (named.has('blockHash')) {
    const hash = readHash(textMember(named.get('blockHash')!));
    if (view.numberOf(hash) === undefined) throw internalError('header for hash not found');
  } else throw invalidRequest();
}

function textMember(value: Json): string | null {
  if (value === null || typeof value === 'string') return value;
  throw invalidParams('invalid json request');
}

function filterMethods({ api, view: name, filters }: RpcContext): Entry[] {
  const view = (called: string): ChainView => {
    if (name === 'pbft') throw unavailable(called, ' in PBFT');
    return api.view(name);
  };
  const guarded = <P extends readonly unknown[]>(
    called: string,
    parameters: { readonly [K in keyof P]: ReadParameter<P[K]> },
    run: (at: ChainView, ...values: P) => unknown,
  ): Entry => method<P>(called, parameters, (...values) => run(view(called), ...values));
  return [
    guarded<[FilterRequest | null]>('eth_newFilter', [filterRequest], (at, request) =>
      filters.add(readLogQuery(request ?? missing(), at)),
    ),
    guarded<[]>('eth_newBlockFilter', [], () => filters.add(undefined)),
    guarded<[string | null]>('eth_uninstallFilter', [text], (_, id) => {
      filters.remove(id);
      return true;
    }),
    guarded<[string | null]>('eth_getFilterChanges', [text], (_, id) => filters.take(id)),
    guarded<[string | null]>('eth_getFilterLogs', [text], (at, id) => findLogs(at, filters.queryOf(id))),
    guarded<[FilterRequest | null]>('eth_getLogs', [filterRequest], (at, request) =>
      findLogs(at, readLogQuery(request ?? missing(), at)),
    ),
  ];
}

/** Methods that only refuse, with the parameters that they must be given. */
function unavailableMethods(): Entry[] {
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
