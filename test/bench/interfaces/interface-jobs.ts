import type { DecodedBlock } from '../../../src/state-transition/block/decoded-block.js';
import type { Ports } from '../../reliability/answers/question.js';
import type { LoadJob } from '../load-client.js';
import { grpcJobs } from './grpc-jobs.js';
import type { HttpRequest } from './wrk.js';

/** Requests of one kind to one port. No two of them are equal, so no answer is cached. */
export type InterfaceJob = HttpJob | GrpcJob;

export interface HttpJob extends Broadcast {
  readonly port: number;
  readonly requests: readonly HttpRequest[];
}

/** Requests (hex) to one gRPC method. */
export type GrpcJob = Required<Pick<LoadJob, 'port' | 'method' | 'requests'>> & Broadcast;

interface Broadcast {
  /**
   * Port of the HTTP interface that reports the number of pending transactions. Present if each request adds one and is
   * valid only once.
   */
  readonly pendingPort?: number;
}

/** Jobs by their name in the output of the benchmark. */
export type Jobs = Readonly<Record<string, InterfaceJob>>;

const DIFFERENT_ACCOUNTS = 50_000;

const hex = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString('hex');
export const rpc = (method: string, params: unknown[]): HttpRequest => ({
  path: '/jsonrpc',
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
});
const wallet = (name: string, body: object): HttpRequest => ({ path: `/wallet/${name}`, body: JSON.stringify(body) });

/**
 * Reorders items so that adjacent items were far apart before, for example in different blocks. Their distance was 7,
 * or a fortieth of a list with more than 280 items.
 */
export function spread<T>(items: readonly T[]): readonly T[] {
  const step = Math.max(7, Math.floor(items.length / 40));
  return Array.from({ length: step }, (_, from) => items.filter((_item, at) => at % step === from)).flat();
}

/** Returns the blocks with more than 20 transactions, which are typical of a busy chain. */
export function fullBlocks(blocks: readonly DecodedBlock[]): readonly DecodedBlock[] {
  return blocks.filter(({ transactions }) => transactions.length > 20);
}

/** Returns the contract calls of a chain, with the accounts that occur in them. */
export function contractCalls(blocks: readonly DecodedBlock[]): { owner: string; contract: string; data: string }[] {
  const calls = blocks.flatMap(({ transactions }) => transactions).filter(({ contractType }) => contractType === 31);
  return calls.map(({ parameter }) => {
    const { ownerAddress, contractAddress, data } = parameter as unknown as Record<string, Uint8Array>;
    return { owner: hex(ownerAddress), contract: hex(contractAddress), data: hex(data) };
  });
}

/** Returns the most frequent requests of wallets and indexers. */
export function interfaceJobs(blocks: readonly DecodedBlock[], ports: Ports): Jobs {
  const [http, json] = [ports.http.fullnode, ports.jsonrpc.fullnode];
  const full = fullBlocks(blocks);
  const ids = spread(full.flatMap(({ transactions }) => transactions.map(({ idHex }) => idHex)));
  const numbers = full.map(({ number }) => number);
  const calls = spread(contractCalls(blocks));
  const quantity = (number: number): string => `0x${number.toString(16)}`;
  // Adds accounts that do not exist, to get enough different requests. Both nodes must look up each of them.
  const accounts = Array.from({ length: DIFFERENT_ACCOUNTS }, (_, at) => {
    const known = calls[at % calls.length];
    return at % 2 === 0 && known !== undefined ? known.owner : `41${(at + 1).toString(16).padStart(40, '0')}`;
  });
  const evm = (address: string): string => `0x${address.slice(2)}`;
  const jobs: Record<string, [port: number, requests: readonly HttpRequest[]]> = {
    'eth_getBlockByNumber, ids': [json, numbers.map((at) => rpc('eth_getBlockByNumber', [quantity(at), false]))],
    'eth_getBlockByNumber, full': [json, numbers.map((at) => rpc('eth_getBlockByNumber', [quantity(at), true]))],
    eth_getTransactionByHash: [json, ids.map((id) => rpc('eth_getTransactionByHash', [`0x${id}`]))],
    eth_getTransactionReceipt: [json, ids.map((id) => rpc('eth_getTransactionReceipt', [`0x${id}`]))],
    eth_blockNumber: [json, [rpc('eth_blockNumber', [])]],
    eth_getBalance: [json, accounts.map((address) => rpc('eth_getBalance', [evm(address), 'latest']))],
    eth_call: [
      json,
      calls.map(({ owner, contract, data }) =>
        rpc('eth_call', [{ from: evm(owner), to: evm(contract), data: `0x${data}` }, 'latest']),
      ),
    ],
    gettransactionbyid: [http, ids.map((value) => wallet('gettransactionbyid', { value }))],
    gettransactioninfobyid: [http, ids.map((value) => wallet('gettransactioninfobyid', { value }))],
    'getblock, header only': [http, numbers.map((at) => wallet('getblock', { id_or_num: `${at}` }))],
    getblockbynum: [http, numbers.map((num) => wallet('getblockbynum', { num }))],
    gettransactioninfobyblocknum: [http, numbers.map((num) => wallet('gettransactioninfobyblocknum', { num }))],
    getaccount: [http, accounts.map((address) => wallet('getaccount', { address }))],
    getaccountresource: [http, accounts.map((address) => wallet('getaccountresource', { address }))],
    triggerconstantcontract: [
      http,
      calls.map(({ owner, contract, data }) =>
        wallet('triggerconstantcontract', { owner_address: owner, contract_address: contract, data }),
      ),
    ],
  };
  return {
    ...Object.fromEntries(Object.entries(jobs).map(([name, [port, requests]]) => [name, { port, requests }])),
    ...grpcJobs({ numbers, ids, owners: calls.map(({ owner }) => owner) }, ports.grpc.fullnode),
  };
}
