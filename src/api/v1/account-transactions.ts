import { itemAt } from '../../primitives/assert.js';
import { EMPTY_BYTES, equalBytes } from '../../primitives/bytes.js';
import { type HistoryRow, projectionOff } from '../../projections/indexes/account-history.js';
import { addressHistoryIndex } from '../../projections/indexes/address-history.js';
import { namedAddresses } from '../../projections/indexes/history-block.js';
import { internalTransactionsIndex } from '../../projections/indexes/internal-transactions.js';
import type { ReadBlock, ReadTransaction } from '../context/read-block.js';
import { blockAt, transactionIn } from '../context/read-block.js';
import { type HeightRange, heightRange } from './height-range.js';
import { OneChain } from './one-chain.js';
import {
  type Candidate,
  decodeFingerprint,
  firstOf,
  isAfter,
  type PagePosition,
  takePage,
  type V1Page,
} from './page.js';
import type { Query } from './query.js';
import { readPathAddress } from './read-path.js';
import type { V1Answer } from './route.js';
import { internalRow, transactionRow } from './transaction-row.js';
import type { V1Source } from './v1-source.js';

const HISTORY = addressHistoryIndex.name;
const INTERNAL = internalTransactionsIndex.name;
/**
 * Factor for the maximum number of transactions that a page examines: `limit` × this number. The maximum is necessary,
 * because a block must be read for each transaction.
 */
const CANDIDATES = 4;

/** Roles of the account in the transactions to return: sender, receiver. */
interface Ends {
  readonly from: boolean;
  readonly to: boolean;
}

/**
 * Returns the transactions of an account: transactions that name the account, and transactions with internal
 * transactions from or to the account. By default, the newest transaction is first. Excludes transactions that only
 * moved TRC20 tokens of the account. The list of TRC20 transfers contains them.
 * @throws {V1Error} the request is invalid
 * @throws {TronError} PROJECTION_OFF: the projection is not enabled
 */
export const accountTransactions: V1Answer = (source, query, path) => {
  const [to, from] = [query.flag('only_to') === true, query.flag('only_from') === true];
  const wantsInternal = query.flag('search_internal');
  if (wantsInternal === true && !source.histories.keeps(INTERNAL)) throw projectionOff(INTERNAL);
  const hasInternal = wantsInternal ?? source.histories.keeps(INTERNAL);
  // Together, `only_to` and `only_from` do not restrict the result.
  return pageOf(source, query, itemAt(path, 0), { ends: { from: from || !to, to: to || !from }, hasInternal });
};

/**
 * Returns the transactions that name a contract.
 * @throws {V1Error} the request is invalid
 * @throws {TronError} PROJECTION_OFF: the projection is not enabled
 */
export const contractTransactions: V1Answer = (source, query, path) =>
  pageOf(source, query, itemAt(path, 0), { ends: { from: true, to: true }, hasInternal: false });

interface Choice {
  readonly ends: Ends;
  readonly hasInternal: boolean;
}

function pageOf(source: V1Source, query: Query, text: string, { ends, hasInternal }: Choice): Promise<V1Page> {
  const address = readPathAddress(source, text);
  const { isAscending, limit } = query;
  const after = decodeFingerprint(HISTORY, query.text('fingerprint'));
  const range: HeightRange = heightRange(source, query);
  const start: PagePosition | undefined = after && [after[0], ...after.slice(1, 2)];
  const candidatesMax = limit * CANDIDATES;
  const rows = firstOf(source.histories.rows(HISTORY, address, { ...range, isAscending, start }), candidatesMax + 2);
  function* all(): Iterable<Candidate> {
    for (const row of rows) {
      const found = [ownCandidate(source, row, address, ends)];
      if (hasInternal) found.push(...internalCandidates(source, row, address, ends));
      yield* isAscending ? found : found.reverse();
    }
  }
  const candidates = isAfter(after, isAscending, all());
  return takePage(
    { list: HISTORY, candidates, limit, candidatesMax: candidatesMax, candidateWork: 1 },
    new OneChain(source),
  );
}

function ownCandidate(source: V1Source, { position }: HistoryRow, address: Uint8Array, ends: Ends): Candidate {
  const { block, transaction } = transactionAt(source, position);
  const [number, index = 0] = position;
  const [sender, ...others] = namedAddresses(transaction.parameter);
  const isFrom = sender !== undefined && equalBytes(sender, address);
  const named = [...others, transaction.info?.contractAddress ?? EMPTY_BYTES];
  const isTo = named.some((one) => equalBytes(one, address));
  const isShown = (ends.from && isFrom) || (ends.to && isTo);
  const item = () => transactionRow(block, transaction, source.api.settings);
  return { position: [number, index, 0], item: isShown ? item : undefined };
}

function internalCandidates(source: V1Source, { position }: HistoryRow, address: Uint8Array, ends: Ends): Candidate[] {
  const [number, index = 0] = position;
  return source.histories.rowsAt(INTERNAL, address, position).map((row) => {
    const internal = internalTransactionsIndex.decode(row.value);
    const isFrom = equalBytes(internal.callerAddress, address);
    const isTo = equalBytes(internal.transferToAddress, address);
    const isShown = (ends.from && isFrom) || (ends.to && isTo);
    const item = () => {
      const { block, transaction } = transactionAt(source, position);
      return internalRow(block, transaction, internal);
    };
    return { position: [number, index, 1 + (row.position[2] ?? 0)], item: isShown ? item : undefined };
  });
}

function transactionAt(
  source: V1Source,
  [number, index = 0]: PagePosition,
): {
  readonly block: ReadBlock;
  readonly transaction: ReadTransaction;
} {
  const block = blockAt(source, number);
  return { block, transaction: transactionIn(block, index) };
}
