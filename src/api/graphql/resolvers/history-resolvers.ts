import { InternalTransaction } from '../../../codec/generated/messages.js';
import { addressText } from '../../../encoding/address-text.js';
import { itemAt, present } from '../../../primitives/assert.js';
import { fromHex, toInt64 } from '../../../primitives/bytes.js';
import type { HistoryRow } from '../../../projections/indexes/account-history.js';
import type { HistoryPosition } from '../../../projections/indexes/history-key.js';
import type { StakeSummary } from '../../../projections/indexes/indexes.js';
import type { TokenTransfer } from '../../../projections/indexes/token-transfer.js';
import type { ReadTransaction } from '../../context/read-block.js';
import type { GraphqlSource } from '../graphql-source.js';
import { decodeListCursor, encodeListCursor, type PageArguments, pageSize } from '../page.js';
import type { AccountAt } from './account-at.js';

/** Number of key parts that follow the height, for each projection. A cursor contains the height and these parts. */
const PLACES = {
  'address-history': 1,
  'token-transfers': 2,
  'internal-transactions': 2,
  'balance-history': 0,
  'stake-history': 0,
} as const;

/** Returns resolvers of the account fields that read history projections. */
export function historyResolvers(source: GraphqlSource) {
  const field =
    <Node>(projection: keyof typeof PLACES, nodeOf: (row: HistoryRow) => Node) =>
    ({ address }: AccountAt, { first, after }: PageArguments) => {
      const before = after ? decodeListCursor(projection, 1 + PLACES[projection], after) : undefined;
      const { rows, hasMore, upTo } = source.histories.page(
        projection,
        address,
        pageSize(first),
        before as HistoryPosition | undefined,
      );
      const last = rows.at(-1);
      const endCursor = last === undefined ? null : encodeListCursor(projection, ...last.place);
      return { nodes: rows.map(nodeOf), upTo, pageInfo: { hasNextPage: hasMore, endCursor } };
    };
  const transactionAt = (number: number, index: number): ReadTransaction =>
    itemAt(present(source.blocks.byNumber(number), 'indexed blocks are stored').transactions, index);
  const placed = ([blockNumber, transactionIndex = 0]: HistoryPosition) => ({
    blockNumber,
    transactionIndex,
    transactionId: transactionAt(blockNumber, transactionIndex).id,
  });
  return {
    transactions: field('address-history', ({ place: [number, index = 0] }) => transactionAt(number, index)),
    transfers: field('token-transfers', ({ place, value }) =>
      transferNode(JSON.parse(Buffer.from(value).toString()) as TokenTransfer, placed(place)),
    ),
    internalTransactions: field('internal-transactions', ({ place, value }) => ({
      ...placed(place),
      internal: InternalTransaction.decode(value),
    })),
    balanceHistory: field('balance-history', ({ place: [blockNumber], value }) => ({
      blockNumber,
      before: toInt64(value.subarray(0, 8)),
      after: toInt64(value.subarray(8)),
    })),
    stakeHistory: field('stake-history', ({ place: [blockNumber], value }) => ({
      blockNumber,
      ...amountsOf(JSON.parse(Buffer.from(value).toString()) as StakeSummary),
    })),
  };
}

/**
 * Returns a transfer in the form of the schema.
 * @param place fields that identify its transaction: height, index and id
 */
export function transferNode({ kind, token, from, to, amount, id }: TokenTransfer, place: object) {
  const isContract = kind !== 'TRX' && kind !== 'TRC10';
  const tokenId = kind === 'TRC721' ? amount : id;
  const shown = isContract ? addressText(fromHex(token)) : token;
  return { kind, token: shown, from: fromHex(from), to: fromHex(to), amount, tokenId, ...place };
}

function amountsOf(summary: StakeSummary): Record<string, bigint> {
  return Object.fromEntries(Object.entries(summary).map(([name, amount]) => [name, BigInt(amount as string)]));
}
