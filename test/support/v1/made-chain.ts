import { join } from 'node:path';
import { BudgetExceededError, CallBudget } from '../../../src/api/context/call-budget.js';
import { BlockReader } from '../../../src/api/context/read-block.js';
import { createGraphqlServer } from '../../../src/api/graphql/graphql-server.js';
import { NO_PROGRESS } from '../../../src/api/graphql/node-progress.js';
import { Dispatcher } from '../../../src/api/http/dispatch.js';
import type { HttpServices } from '../../../src/api/http/http-call.js';
import type { HttpPool } from '../../../src/api/http/http-pool.js';
import { LIMITED } from '../../../src/api/http/server/rate-limited-handler.js';
import { RememberedIds } from '../../../src/api/operations/broadcast.js';
import {
  Any,
  Block,
  BlockHeader,
  BlockHeaderRaw,
  InternalTransaction,
  InternalTransactionCallValueInfo,
  SmartContract,
  SmartContractABI,
  SmartContractABIEntry,
  SmartContractABIEntryEntryType,
  SmartContractABIEntryParam,
  Transaction,
  TransactionContract,
  TransactionInfo,
  TransactionInfoLog,
  TransactionRaw,
  TransactionResult,
  TransactionRet,
  TransferContract,
  TriggerSmartContract,
} from '../../../src/codec/generated/messages.js';
import { NO_FLAGS } from '../../../src/config/flags.js';
import { loadConfig } from '../../../src/config/load-config.js';
import { encodeBase58Check } from '../../../src/crypto/base58-check.js';
import { keccak256, sha256 } from '../../../src/crypto/hash.js';
import { type OperatorAbis, openOperatorAbis } from '../../../src/encoding/abi/operator-abis.js';
import { chainRules, genesisOf } from '../../../src/node/chain-config.js';
import { createApiContext } from '../../../src/node/serving/api-context.js';
import { startProjections } from '../../../src/node/serving/secondary-projections.js';
import { createHttpServers } from '../../../src/node/serving/serve-http.js';
import { createRpcServers } from '../../../src/node/serving/serve-jsonrpc.js';
import type { ServedNode } from '../../../src/node/serving/served-node.js';
import { fromHex, toHex, utf8 } from '../../../src/primitives/bytes.js';
import type { WriterLedger } from '../../../src/projections/ledger/writer-ledger.js';
import type { RowChange } from '../../../src/projections/state/state-reader.js';
import { storeId } from '../../../src/projections/state/stores.js';
import { State } from '../../../src/state-transition/state/state.js';
import { blockId, open, silent } from '../projections/chain.js';
import { temporaryFolder } from '../temporary-folder.js';
import { golden } from '../tronicle.js';
import { until } from '../until.js';

/** An item of a page. Its fields depend on the list. */
export type Item = Readonly<Record<string, unknown>>;

export interface Reply {
  readonly status: number;
  readonly data: readonly Item[];
  readonly success: boolean;
  readonly error?: string;
  readonly meta: {
    readonly at: number;
    readonly page_size: number;
    readonly fingerprint?: string;
    readonly links?: { readonly next: string };
  };
}

/** An event log with topics and data in hex. */
export interface MadeLog {
  readonly contract: string;
  readonly topics: readonly string[];
  readonly data?: string;
}

/**
 * A transaction: a contract call if `logs` is set, otherwise a transfer. Addresses are given as names (see
 * `addressOf`).
 */
export interface MadeTransaction {
  readonly from: string;
  readonly to: string;
  readonly logs?: readonly MadeLog[];
  /** Call data for the contract, in hex. */
  readonly data?: string;
  readonly internal?: readonly { readonly from: string; readonly to: string; readonly amount: bigint }[];
}

export interface MadeChain {
  readonly ledger: WriterLedger;
  /** Appends a block. @returns ids of its transactions, in hex */
  append(transactions: readonly MadeTransaction[], options?: AppendOptions): readonly string[];
  revert(): void;
  /** ABIs that the operator adds, in addition to the ABIs that the contracts of the chain have. */
  readonly abis: OperatorAbis;
  get(path: string): Promise<Reply>;
  /** Sends a GraphQL query over the same chain. Returns the data of the answer. */
  query(query: string): Promise<Item>;
  /** Calls a JSON-RPC method over the same chain. */
  rpc(method: string, params: readonly unknown[]): Promise<{ readonly result?: Item; readonly error?: Item }>;
  /** Returns the items of all pages of a list, and the number of pages. */
  all(path: string): Promise<{ readonly items: readonly Item[]; readonly pages: number }>;
  /** Makes the appended blocks durable, and waits until the history indexes contain them. */
  settled(): Promise<void>;
}

interface AppendOptions {
  readonly changes?: readonly RowChange[];
  readonly solidified?: number;
  readonly salt?: string;
}

export const NOW = 1_700_000_000_000;
export const SLOT_MS = 3_000;
export const HISTORIES = [
  'address-history',
  'token-transfers',
  'token-contracts',
  'internal-transactions',
  'contract-events',
  'token-holders',
  'trc721-transfers',
];

/** Returns the address bytes of a name. */
export function addressOf(name: string): Uint8Array {
  return Buffer.concat([Uint8Array.of(0x41), sha256(utf8(name)).subarray(0, 20)]);
}

export const hexOf = (name: string): string => toHex(addressOf(name));
export const textOf = (name: string): string => encodeBase58Check(addressOf(name));
export const topicOf = (signature: string): string => toHex(keccak256(utf8(signature)));
export const wordOf = (name: string): string => hexOf(name).slice(2).padStart(64, '0');
export const numberWord = (value: number): string => value.toString(16).padStart(64, '0');

/**
 * Returns the rows of a contract with code and an ABI. The events of the ABI have the format `name(type name
 * indexed,…)`.
 */
export function contractRows(name: string, events: readonly string[], code = '00'): RowChange[] {
  const key = addressOf(name);
  const contract = Object.assign(new SmartContract(), { contractAddress: key, originAddress: key, name });
  const entrys = events.map((text) => {
    const [, label = '', inner = ''] = /^(\w+)\((.*)\)$/.exec(text) ?? [];
    const inputs = inner
      .split(',')
      .filter(Boolean)
      .map((part) => {
        const [type = '', input = '', indexed] = part.trim().split(' ');
        return Object.assign(new SmartContractABIEntryParam(), { type, name: input, indexed: indexed === 'indexed' });
      });
    const type = SmartContractABIEntryEntryType.Event;
    return Object.assign(new SmartContractABIEntry(), { type, name: label, inputs });
  });
  const abi = Object.assign(new SmartContractABI(), { entrys });
  const row = (store: 'contract' | 'abi' | 'code', after: Uint8Array): RowChange => ({
    store: storeId(store),
    key,
    before: undefined,
    after,
  });
  return [
    row('contract', SmartContract.encode(contract)),
    ...(events.length === 0 ? [] : [row('abi', SmartContractABI.encode(abi))]),
    row('code', fromHex(code)),
  ];
}

/** Serves `/v1` over a chain whose blocks are not executed. The services are connected as in the node. */
export async function makeChain(
  t: { teardown(run: () => void | Promise<void>): void },
  names: readonly string[] = HISTORIES,
  { callsArePooled = false, poolIsFull = false } = {},
): Promise<MadeChain> {
  const { config: read } = loadConfig({ file: join(golden, 'tvm-forks-14-shanghai/config.conf'), flags: NO_FLAGS });
  const jsonrpc = { ...read.node.jsonrpc, httpFullNodeEnable: true };
  const config = { ...read, node: { ...read.node, jsonrpc }, tronicle: { ...read.tronicle, v1: { enable: true } } };
  const rules = chainRules(config);
  const dataDir = temporaryFolder(t);
  const ledger = await open(dataDir, { genesis: genesisOf(config, rules), retention: 'all' });
  const { addressPrefix } = config;
  const projections = startProjections({
    ledger,
    retainChanges: (reader, seq) => ledger.retainChanges(reader, seq),
    dataDir,
    names,
    addressPrefix,
    log: silent,
  });
  const source = {
    ledger,
    rules,
    head: () => new State(ledger.head, rules),
    writtenKeys: () => [],
    pending: () => [],
    repushed: () => [],
  };
  const apiOf = (callBudget?: CallBudget) =>
    createApiContext({ source: source as never, config, now: () => NOW, ...(callBudget && { callBudget }) });
  const services = { api: apiOf(), remembered: new RememberedIds(), startedMs: NOW };
  const pool = poolIsFull ? { http: async () => LIMITED } : poolOf(services);
  const served = callsArePooled ? { api: apiOf(new NoBudget()), pool } : { api: apiOf() };
  const node = { ...served, ledger, projections, config, log: silent, now: () => NOW } as unknown as ServedNode;
  const abis = openOperatorAbis({ dataDir, log: silent });
  const server = createHttpServers({ ...node, abis }).get('fullnode')!;
  const progress = { ...NO_PROGRESS, projections: () => projections.progress() };
  const { histories } = projections;
  const blocks = new BlockReader(ledger);
  const rpcServers = createRpcServers({ ...node, producers: [], blocks });
  const graphql = await createGraphqlServer({ ledger, rules, api: apiOf(), histories, progress, abis, log: silent });
  t.teardown(async () => {
    await graphql.close();
    await rpcServers.close();
    await projections.close();
    await ledger.close();
  });
  const rpc: MadeChain['rpc'] = async (method, params) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const reply = await rpcServers.servers.get('fullnode')!.inject({ method: 'POST', url: '/jsonrpc', body });
    return reply.json() as Awaited<ReturnType<MadeChain['rpc']>>;
  };
  const send = async (query: string): Promise<Item> => {
    const reply = await graphql.inject({ method: 'POST', url: '/graphql', payload: { query } });
    const { data, errors } = reply.json<{ readonly data: Item; readonly errors?: object }>();
    if (errors !== undefined) throw new Error(JSON.stringify(errors));
    return data;
  };
  const get = async (path: string): Promise<Reply> => {
    const reply = await server.inject({ url: path, headers: { host: 'node:8090' } });
    return { ...(reply.json() as Reply), status: reply.statusCode };
  };
  return {
    ledger,
    append: (transactions, options) => append(ledger, transactions, options),
    revert: () => {
      ledger.revert();
    },
    abis,
    get,
    query: send,
    rpc,
    all: (path) => allPages(get, path),
    settled: async () => {
      await ledger.flush();
      const { storedSeq } = ledger;
      await until('the histories', () => projections.progress().every(({ seq }) => seq === storedSeq));
    },
  };
}

/** A time budget that is always exceeded, so that every call is sent to the pool. */
class NoBudget extends CallBudget {
  override check(key: string): never {
    throw new BudgetExceededError(key);
  }
}

/** Returns a pool that answers HTTP requests in this thread. */
function poolOf(services: HttpServices): HttpPool {
  const dispatchers = {
    fullnode: new Dispatcher('fullnode', services, []),
    solidity: new Dispatcher('solidity', services, []),
    pbft: new Dispatcher('pbft', services, []),
  };
  return { http: async (server, request) => dispatchers[server].answer(request) };
}

async function allPages(get: (path: string) => Promise<Reply>, path: string): ReturnType<MadeChain['all']> {
  const items: Item[] = [];
  let pages = 0;
  for (let next: string | undefined = path; next !== undefined; pages++) {
    const reply: Reply = await get(next);
    if (!reply.success) throw new Error(JSON.stringify(reply));
    items.push(...reply.data);
    next = reply.meta.links?.next.replace(/^http:\/\/node:8090/, '');
  }
  return { items, pages };
}

function append(
  ledger: WriterLedger,
  transactions: readonly MadeTransaction[],
  { changes = [], solidified, salt = '' }: AppendOptions = {},
): readonly string[] {
  const { headNumber, headId } = ledger.position;
  const number = headNumber + 1;
  const messages = transactions.map((made, at) => messageOf(made, `${number} ${salt} ${at}`));
  const raw = Object.assign(new BlockHeaderRaw(), { number: BigInt(number), timestamp: BigInt(number * SLOT_MS) });
  const block = new Block();
  block.blockHeader = Object.assign(new BlockHeader(), { rawData: raw });
  block.transactions = messages;
  const ids = messages.map(({ rawData }) => sha256(TransactionRaw.encode(rawData!)));
  const results = new TransactionRet();
  results.transactioninfo = transactions.map((made, at) => infoOf(made, ids[at]!, number));
  const id = blockId(number, salt);
  const solid = solidified === undefined ? undefined : ledger.blockIdAt(solidified);
  ledger.append({
    number,
    id,
    parentId: headId,
    bytes: Block.encode(block),
    results: TransactionRet.encode(results),
    transactionIds: ids,
    changes: [...changes],
    internalTransactions: TransactionRet.encode(results),
    ...(solidified !== undefined && solid && { solidified: { number: solidified, id: solid } }),
  });
  return ids.map(toHex);
}

function messageOf({ from, to, logs, data = '' }: MadeTransaction, salt: string): Transaction {
  const ownerAddress = addressOf(from);
  const contract = new TransactionContract();
  const isCall = logs !== undefined;
  contract.type = isCall ? 31 : 1;
  const value = isCall
    ? TriggerSmartContract.encode(
        Object.assign(new TriggerSmartContract(), {
          ownerAddress,
          contractAddress: addressOf(to),
          data: fromHex(data),
        }),
      )
    : TransferContract.encode(
        Object.assign(new TransferContract(), { ownerAddress, toAddress: addressOf(to), amount: 5n }),
      );
  const typeUrl = `type.googleapis.com/protocol.${isCall ? 'TriggerSmartContract' : 'TransferContract'}`;
  contract.parameter = Object.assign(new Any(), { typeUrl, value });
  const raw = Object.assign(new TransactionRaw(), { contract: [contract], data: utf8(salt) });
  const message = new Transaction();
  message.rawData = raw;
  message.ret = [Object.assign(new TransactionResult(), { contractRet: 1 })];
  return message;
}

function infoOf({ to, logs, internal = [] }: MadeTransaction, id: Uint8Array, number: number): TransactionInfo {
  const isCall = logs !== undefined;
  return Object.assign(new TransactionInfo(), {
    id,
    fee: 7n,
    blockNumber: BigInt(number),
    contractAddress: isCall ? addressOf(to) : new Uint8Array(0),
    log: (logs ?? []).map(({ contract, topics, data = '' }) =>
      Object.assign(new TransactionInfoLog(), {
        address: addressOf(contract).subarray(1),
        topics: topics.map(fromHex),
        data: fromHex(data),
      }),
    ),
    internalTransactions: internal.map((one, at) =>
      Object.assign(new InternalTransaction(), {
        hash: sha256(Buffer.concat([id, Uint8Array.of(at)])),
        callerAddress: addressOf(one.from),
        transferToAddress: addressOf(one.to),
        callValueInfo: [Object.assign(new InternalTransactionCallValueInfo(), { callValue: one.amount })],
        note: utf8('call'),
      }),
    ),
  });
}
