import { serverNames } from '../../../src/api/servers.js';
import { toHex } from '../../../src/primitives/bytes.js';
import type { RandomChoices } from '../differential/random-choices.js';
import type { Question } from './question.js';

const TAGS = ['latest', 'earliest', 'finalized', 'pending', 'safe'];
const RANGE_BLOCKS = 60;

/** Parts of a chain that JSON-RPC requests can contain. */
interface RpcSubjects {
  readonly blocks: readonly Uint8Array[];
  readonly transactions: readonly Uint8Array[];
  readonly addresses: readonly Uint8Array[];
}

/** Creates a well-formed JSON-RPC request about a part of a chain. @param contract address of a contract */
export function rpcQuestion(
  random: RandomChoices,
  { blocks, transactions, addresses }: RpcSubjects,
  contract = random.pick(addresses),
): Question {
  const hex = (value: number): string => `0x${value.toString(16)}`;
  const bare = (bytes: Uint8Array): string => `0x${toHex(bytes.subarray(1))}`;
  const id = (of: readonly Uint8Array[]): string => `0x${toHex(random.pick(of))}`;
  const block = (): string => (random.chance(0.2) ? random.pick(TAGS) : hex(random.below(blocks.length + 2)));
  const tag = (): string => (random.chance(0.8) ? 'latest' : block());
  const start = random.below(blocks.length);
  const range = { fromBlock: hex(start), toBlock: hex(start + random.below(RANGE_BLOCKS)) };
  const [method, params] = random.pick<readonly [method: string, params: readonly unknown[]]>([
    ['eth_getBalance', [bare(random.pick(addresses)), tag()]],
    ['eth_getCode', [bare(contract), tag()]],
    ['eth_getStorageAt', [bare(contract), hex(random.below(6)), tag()]],
    ['eth_getTransactionByHash', [id(transactions)]],
    ['eth_getTransactionReceipt', [id(transactions)]],
    ['eth_getBlockByNumber', [block(), random.chance(0.5)]],
    ['eth_getBlockByHash', [id(blocks), random.chance(0.5)]],
    ['eth_getBlockTransactionCountByNumber', [block()]],
    ['eth_getBlockTransactionCountByHash', [id(blocks)]],
    ['eth_getTransactionByBlockNumberAndIndex', [block(), hex(random.below(5))]],
    ['eth_getTransactionByBlockHashAndIndex', [id(blocks), hex(random.below(5))]],
    ['eth_getBlockReceipts', [block()]],
    ['eth_getLogs', [random.chance(0.5) ? { ...range, address: bare(contract) } : range]],
    ['eth_getLogs', [{ blockHash: id(blocks) }]],
    ['eth_gasPrice', []],
  ]);
  const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
  const server = random.pick(serverNames);
  return { protocol: 'jsonrpc', server, method: 'POST', path: '/jsonrpc', contentType: 'application/json', body };
}
