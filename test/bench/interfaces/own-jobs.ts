import { encodeBase58Check } from '../../../src/crypto/base58-check.js';
import type { DecodedBlock } from '../../../src/state-transition/block/decoded-block.js';
import type { Ports } from '../../reliability/answers/question.js';
import { contractCalls, fullBlocks, type HttpJob, rpc, spread } from './interface-jobs.js';
import type { HttpRequest } from './wrk.js';

/** Names of the indexes (`tronicle.projections`) that the requests of this file need. */
export const OWN_INDEXES = ['address-history', 'contract-events'];

/** Returns a query with a cost just below the limit. @param skip number that makes the query different from others */
const blocksQuery = (skip: number): string =>
  `{ blocks(first: 90) { nodes { number id transactions(first: 5, skip: ${skip}) { id type owner to amount } } } }`;

const BLOCK = `query ($number: Long!, $skip: Int!) { block(number: $number) {
  id timestamp witnessAddress transactions(first: 100, skip: $skip) { id type owner to amount } } }`;
const ACCOUNT_AT = `query ($address: Address!, $at: Long!) { account(address: $address, at: $at) {
  height balance createTime isWitness } }`;
const HISTORY = `query ($address: Address!) { account(address: $address) {
  transactions(first: 20) { nodes { id blockNumber type owner to } pageInfo { endCursor } } } }`;

const graphql = (query: string, variables: object): HttpRequest => ({
  path: '/graphql',
  body: JSON.stringify({ query, variables }),
});

/**
 * Returns requests that java-tron does not support.
 * @param ports ports of this node's servers
 * @param graphqlPort value of `tronicle.http.port`
 */
export function ownJobs(
  blocks: readonly DecodedBlock[],
  ports: Ports,
  graphqlPort: number,
): Readonly<Record<string, HttpJob>> {
  const ids = blocks.flatMap(({ transactions }) => transactions.map(({ idHex }) => idHex));
  const calls = contractCalls(blocks);
  const addresses = [...new Set(calls.map(({ owner }) => owner))].map((hex) =>
    encodeBase58Check(Buffer.from(hex, 'hex')),
  );
  const contract = calls[0]?.contract;
  const newestFirst = fullBlocks(blocks).toReversed();
  /** Combines each account with the height or time of each block. */
  const accountBlocks = spread(newestFirst.flatMap((block) => addresses.map((address) => ({ address, block }))));
  const [http, json] = [ports.http.fullnode, ports.jsonrpc.fullnode];
  const jobs: Record<string, [port: number, requests: readonly HttpRequest[]]> = {
    'GraphQL, 90 blocks': [graphqlPort, Array.from({ length: 200 }, (_, skip) => graphql(blocksQuery(skip), {}))],
    'GraphQL, block with 100 transactions': [
      graphqlPort,
      [0, 50, 100, 150].flatMap((skip) => newestFirst.map(({ number }) => graphql(BLOCK, { number, skip }))),
    ],
    'GraphQL, account at a height': [
      graphqlPort,
      accountBlocks.map(({ address, block }) => graphql(ACCOUNT_AT, { address, at: block.number })),
    ],
    'GraphQL, 20 transactions of an account': [graphqlPort, addresses.map((address) => graphql(HISTORY, { address }))],
    '/v1, 20 transactions of an account': [
      http,
      accountBlocks.map(({ address, block }) => ({
        path: `/v1/accounts/${address}/transactions?limit=20&max_timestamp=${block.timeMs}`,
      })),
    ],
    '/v1, 20 events of a contract': [
      http,
      newestFirst.map(({ timeMs }) => ({ path: `/v1/contracts/${contract}/events?limit=20&max_timestamp=${timeMs}` })),
    ],
    '/v1, events of a transaction': [http, spread(ids).map((id) => ({ path: `/v1/transactions/${id}/events` }))],
    debug_traceTransaction: [json, spread(ids.slice(-5_000)).map((id) => rpc('debug_traceTransaction', [`0x${id}`]))],
  };
  return Object.fromEntries(Object.entries(jobs).map(([name, [port, requests]]) => [name, { port, requests }]));
}
