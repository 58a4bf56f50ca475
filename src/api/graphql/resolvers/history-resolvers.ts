import { addressText } from '../../../encoding/address-text.js';
import { itemAt, present } from '../../../primitives/assert.js';
import { fromHex } from '../../../primitives/bytes.js';
import { addressHistoryIndex } from '../../../projections/indexes/address-history.js';
import { balanceHistoryIndex } from '../../../projections/indexes/balance-history.js';
import type { HistoryIndex } from '../../../projections/indexes/history-index.js';
import type { HistoryPosition } from '../../../projections/indexes/history-key.js';
import { internalTransactionsIndex } from '../../../projections/indexes/internal-transactions.js';
import { stakeHistoryIndex } from '../../../projections/indexes/stake-history.js';
import type { TokenTransfer } from '../../../projections/indexes/token-transfer.js';
import { tokenTransfersIndex } from '../../../projections/indexes/token-transfers.js';
import type { ReadTransaction } from '../../context/read-block.js';
import type { GraphqlSource } from '../graphql-source.js';
import { decodeListCursor, encodeListCursor, type PageArguments, pageSize } from '../page.js';
import type { AccountAt } from './account-at.js';

/** Returns resolvers of the account fields that read history projections. */
export function historyResolvers(source: GraphqlSource) {
  const field =
    <Value, Node>(
      { name, partsAfterHeight, decode }: HistoryIndex<Value>,
      nodeOf: (position: HistoryPosition, value: Value) => Node,
    ) =>
    ({ address, height }: AccountAt, { first, after }: PageArguments) => {
      const before = after ? decodeListCursor(name, 1 + partsAfterHeight, after) : undefined;
      const { rows, hasMore, upTo } = source.histories.page(name, address, pageSize(first), { before, to: height });
      const last = rows.at(-1);
      const endCursor = last === undefined ? null : encodeListCursor(name, ...last.position);
      const nodes = rows.map(({ position, value }) => nodeOf(position, decode(value)));
      return { nodes, upTo, pageInfo: { hasNextPage: hasMore, endCursor } };
    };
  const transactionAt = (number: number, index: number): ReadTransaction =>
    itemAt(present(source.blocks.byNumber(number), 'indexed blocks are stored').transactions, index);
  const placed = ([blockNumber, transactionIndex = 0]: HistoryPosition) => ({
    blockNumber,
    transactionIndex,
    transactionId: transactionAt(blockNumber, transactionIndex).id,
  });
  return {
    transactions: field(addressHistoryIndex, ([number, index = 0]) => transactionAt(number, index)),
    transfers: field(tokenTransfersIndex, (position, transfer) => transferNode(transfer, placed(position))),
    internalTransactions: field(internalTransactionsIndex, (position, internal) => ({
      ...placed(position),
      internal,
    })),
    balanceHistory: field(balanceHistoryIndex, ([blockNumber], balances) => ({ blockNumber, ...balances })),
    stakeHistory: field(stakeHistoryIndex, ([blockNumber], summary) => ({ blockNumber, ...amountsOf(summary) })),
  };
}

/**
 * Returns a transfer with the field names of the schema.
 * @param position fields that identify the transaction: height, index and id
 */
export function transferNode({ kind, token, from, to, amount, id }: TokenTransfer, position: object) {
  const isContract = kind !== 'TRX' && kind !== 'TRC10';
  const tokenId = kind === 'TRC721' ? amount : id;
  const shown = isContract ? addressText(fromHex(token)) : token;
  return { kind, token: shown, from: fromHex(from), to: fromHex(to), amount, tokenId, ...position };
}

function amountsOf(summary: object): Record<string, bigint> {
  return Object.fromEntries(Object.entries(summary).map(([name, amount]) => [name, BigInt(amount)]));
}
