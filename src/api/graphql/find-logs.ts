import type { TransactionInfoLog } from '../../codec/generated/messages.js';
import { itemAt } from '../../primitives/assert.js';
import { concatBytes, EMPTY_BYTES } from '../../primitives/bytes.js';
import { memberTest } from '../../primitives/member-test.js';
import { lowestBlock } from '../../projections/ledger/lowest-block.js';
import { blockAt, type ReadBlock, type ReadTransaction } from '../context/read-block.js';
import type { GraphqlSource } from './graphql-source.js';
import { decodeListCursor, encodeListCursor, type GraphqlPage, type PageArguments, pageSize } from './page.js';

/** A log and its position in the chain. */
export interface FoundLog {
  /** Contract address, 21 bytes. */
  readonly address: Uint8Array;
  readonly topics: readonly Uint8Array[];
  readonly data: Uint8Array;
  /** Index of the log among the logs of its transaction. */
  readonly index: number;
  readonly transaction: ReadTransaction;
}

/** Conditions for logs, with the field names of the schema's `LogFilter`. */
export interface GraphqlLogFilter {
  readonly fromBlock?: bigint | null;
  readonly toBlock?: bigint | null;
  readonly addresses?: readonly Uint8Array[] | null;
  readonly topics?: readonly (readonly Uint8Array[])[] | null;
}

/** Maximum number of blocks read per page, so that a filter without matches does not read the whole chain. */
const BLOCKS_MAX = 2_000;
/** Cost of reading a block. The unit is the cost of searching the logs of one transaction. */
const BLOCK_WORK = 5;

/**
 * Returns a page of logs, oldest first.
 * @throws {GraphQLError} PAGE_TOO_LARGE: the page size is invalid; BAD_CURSOR: the cursor is malformed
 * @throws {TronError} HISTORY_NOT_KEPT: a block is pruned
 */
export async function findLogs(
  source: GraphqlSource,
  filter: GraphqlLogFilter,
  { first, after }: PageArguments,
): Promise<GraphqlPage<FoundLog>> {
  const { ledger, searches, api } = source;
  const count = pageSize(first);
  const matches = logMatcher(filter);
  const [from, skip] = after
    ? (decodeListCursor('logs', 2, after) as [number, number])
    : [bound(filter.fromBlock, lowestBlock(ledger)), 0];
  const last = Math.min(bound(filter.toBlock, ledger.position.headNumber), ledger.position.headNumber);
  const nodes: FoundLog[] = [];
  let position: [number, number] = [from, skip];
  for (let number = from; number <= last; number++) {
    if (number - from >= BLOCKS_MAX) return pageOf(nodes, position, true);
    // A reorg to a lower head during the search has removed the block.
    if (number > ledger.position.headNumber) break;
    const block = blockAt(source, number);
    await searches.take(BLOCK_WORK + block.transactionCount);
    const found = logsOfBlock(block, api.settings.addressPrefix).filter(matches);
    for (let at = number === from ? skip : 0; at < found.length; at++) {
      if (nodes.length === count) return pageOf(nodes, position, true);
      nodes.push(itemAt(found, at));
      position = [number, at + 1];
    }
    if (nodes.length < count) position = [number + 1, 0];
  }
  return pageOf(nodes, position, false);
}

/** Returns the logs of an executed transaction. */
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

/** Returns all logs of a block, in order. */
export function logsOfBlock(block: ReadBlock, addressPrefix: number): FoundLog[] {
  return block.transactions.flatMap((transaction) => logsOf(transaction, addressPrefix));
}

/**
 * Returns a function that tests a log. The contract address must be one of `addresses`. The topic at each position must
 * be one of the topics for that position.
 */
export function logMatcher({ addresses, topics }: GraphqlLogFilter): (log: FoundLog) => boolean {
  const isSelected = testOf(addresses);
  const tests = (topics ?? []).map(testOf);
  return (log) => isSelected(log.address) && tests.every((isAccepted, at) => isAccepted(log.topics[at] ?? EMPTY_BYTES));
}

/**
 * Returns a function that returns true if its argument is one of the values. Without values, the function always
 * returns true.
 */
function testOf(values: readonly Uint8Array[] | null | undefined): (bytes: Uint8Array) => boolean {
  return values?.length ? memberTest(values) : () => true;
}

function bound(value: bigint | null | undefined, absent: number): number {
  return value === null || value === undefined ? absent : Math.max(0, Number(value));
}

function pageOf(
  nodes: readonly FoundLog[],
  position: readonly [number, number],
  hasNextPage: boolean,
): GraphqlPage<FoundLog> {
  return { nodes, pageInfo: { hasNextPage, endCursor: encodeListCursor('logs', ...position) } };
}
