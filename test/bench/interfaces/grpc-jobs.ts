import { numberMessage } from '../../../src/api/grpc/methods/reply-messages.js';
import { NumberMessage } from '../../../src/codec/generated/messages.js';
import { toHex } from '../../../src/primitives/bytes.js';
import type { Jobs } from './interface-jobs.js';

/** Number of different requests. Their replies together exceed the size of the reply cache. */
const DIFFERENT_REQUESTS = 50_000;
/** Tag of a field with 4 bytes and the number 1000, which no message has. */
const MARK_TAG = 'c53e';

/** Items of a chain that requests name. Ids and addresses are in hex. */
interface NamedItems {
  readonly numbers: readonly number[];
  readonly ids: readonly string[];
  readonly owners: readonly string[];
}

/**
 * Returns the most frequent gRPC requests of wallets and indexers. An unknown field makes requests for the same item
 * different. Servers ignore it.
 */
export function grpcJobs({ numbers, ids, owners }: NamedItems, port: number): Jobs {
  const heights = numbers.map((number) => toHex(NumberMessage.encode(numberMessage(BigInt(number)))));
  const hashes = ids.map((id) => `0a20${id}`);
  const requestsOf: Record<string, readonly string[]> = {
    GetBlockByNum2: heights,
    GetTransactionInfoByBlockNum: heights,
    GetTransactionById: hashes,
    GetTransactionInfoById: hashes,
    GetAccount: owners.map((owner) => `1a15${owner}`),
  };
  return Object.fromEntries(
    Object.entries(requestsOf).map(([method, requests]) => [
      `gRPC ${method}`,
      { port, method: `protocol.Wallet/${method}`, requests: marked(requests) },
    ]),
  );
}

/** Repeats requests until there are enough, each with a different mark. */
function marked(requests: readonly string[]): string[] {
  return Array.from({ length: DIFFERENT_REQUESTS }, (_, at) => {
    const mark = at.toString(16).padStart(8, '0');
    return `${requests[at % requests.length]}${MARK_TAG}${mark}`;
  });
}
