import { numberMessage } from '../../../src/api/grpc/methods/reply-messages.js';
import { NumberMessage } from '../../../src/codec/generated/messages.js';
import { toHex } from '../../../src/primitives/bytes.js';
import type { Jobs } from './interface-jobs.js';

/** Number of different requests. All replies together exceed the size of the reply cache. */
const DIFFERENT_REQUESTS = 50_000;
/** Tag of field number 1000 with a value of 4 bytes. No message has this field. */
const MARK_TAG = 'c53e';

/** Blocks, transactions and accounts of a chain that requests refer to. Ids and addresses are in hex. */
interface NamedItems {
  readonly numbers: readonly number[];
  readonly ids: readonly string[];
  readonly owners: readonly string[];
}

/**
 * Returns the most frequent gRPC requests of wallets and indexers. Servers ignore an unknown field, which makes
 * requests for the same item different.
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

/** Repeats the requests until there are enough. Adds a different unknown field to each, so that no two are equal. */
function marked(requests: readonly string[]): string[] {
  return Array.from({ length: DIFFERENT_REQUESTS }, (_, at) => {
    const mark = at.toString(16).padStart(8, '0');
    return `${requests[at % requests.length]}${MARK_TAG}${mark}`;
  });
}
