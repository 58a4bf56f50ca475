import type { TransactionInfoLog } from '../../codec/generated/messages.js';
import { itemAt } from '../../primitives/assert.js';
import { concatBytes, toHex } from '../../primitives/bytes.js';
import type { ReadBlock, ReadTransaction } from '../context/read-block.js';
import type { GraphqlSource } from './graphql-source.js';
import { decodeListCursor, encodeListCursor, type GraphqlPage, type PageArguments, pageSize } from './page.js';

/** A log with its place. */
export interface FoundLog {
  /** 21 bytes. */
  readonly address: Uint8Array;
  readonly topics: readonly Uint8Array[];
  readonly data: Uint8Array;
  /** Place among the logs of the transaction. */
  readonly index: number;
  readonly transaction: ReadTransaction;
}

export interface GraphqlLogFilter {
  readonly fromBlock?: bigint | null;
  readonly toBlock?: bigint | null;
  readonly addresses?: readonly Uint8Array[] | null;
  readonly topics?: readonly (readonly Uint8Array[])[] | null;
}

/** Blocks that one page looks at: a filter that nothing matches must not read the whole chain for one answer. */
const BLOCKS_MAX = 2_000;
/** Work of a block beside its transactions, in transactions. */
const BLOCK_WORK = 5;

/** A page of the chain's logs, oldest first. @throws {GraphQLError} PAGE_TOO_LARGE, BAD_CURSOR */
export async function findLogs(
  { ledger, blocks, searches, api }: GraphqlSource,
  filter: GraphqlLogFilter,
  { first, after }: PageArguments,
): Promise<GraphqlPage<FoundLog>> {
  const count = pageSize(first);
  const matches = logMatcher(filter);
  const [from, skip] = after
    ? (decodeListCursor('logs', 2, after) as [number, number])
    : [bound(filter.fromBlock, 0), 0];
  const last = Math.min(bound(filter.toBlock, ledger.position.headNumber), ledger.position.headNumber);
  const nodes: FoundLog[] = [];
  let place: [number, number] = [from, skip];
  for (let number = from; number <= last; number++) {
    if (number - from >= BLOCKS_MAX) return pageOf(nodes, place, true);
    const block = blocks.byNumber(number);
    // A switch to a shorter branch came in between.
    if (block === undefined) break;
    await searches.take(BLOCK_WORK + block.transactionCount);
    const found = logsOfBlock(block, api.settings.addressPrefix).filter(matches);
    for (let at = number === from ? skip : 0; at < found.length; at++) {
      if (nodes.length === count) return pageOf(nodes, place, true);
      nodes.push(itemAt(found, at));
      place = [number, at + 1];
    }
    if (nodes.length < count) place = [number + 1, 0];
  }
  return pageOf(nodes, place, false);
}

/** Logs of a transaction that was executed. */
export function logsOf(transaction: ReadTransaction, addressPrefix: number): FoundLog[] {
  const { info } = transaction;
  return (info?.log ?? []).map((log: TransactionInfoLog, index) => ({
    address: log.address.length === 20 ? concatBytes(Uint8Array.of(addressPrefix), log.address) : log.address,
    topics: log.topics,
    data: log.data,
    index,
    transaction,
  }));
}

export function logsOfBlock(block: ReadBlock, addressPrefix: number): FoundLog[] {
  return block.transactions.flatMap((transaction) => logsOf(transaction, addressPrefix));
}

/** Whether a log has one of the addresses, and at each place one of the topics. */
export function logMatcher({ addresses, topics }: GraphqlLogFilter): (log: FoundLog) => boolean {
  const wanted = setOf(addresses);
  const words = (topics ?? []).map(setOf);
  return (log) =>
    (wanted === undefined || wanted.has(toHex(log.address))) &&
    words.every((accepted, at) => accepted === undefined || accepted.has(toHex(log.topics[at] ?? NO_TOPIC)));
}

const NO_TOPIC = new Uint8Array(0);

/** Undefined accepts everything. */
function setOf(values: readonly Uint8Array[] | null | undefined): ReadonlySet<string> | undefined {
  return values === null || values === undefined || values.length === 0 ? undefined : new Set(values.map(toHex));
}

function bound(value: bigint | null | undefined, absent: number): number {
  return value === null || value === undefined ? absent : Math.max(0, Number(value));
}

function pageOf(
  nodes: readonly FoundLog[],
  place: readonly [number, number],
  hasNextPage: boolean,
): GraphqlPage<FoundLog> {
  return { nodes, pageInfo: { hasNextPage, endCursor: encodeListCursor('logs', ...place) } };
}
