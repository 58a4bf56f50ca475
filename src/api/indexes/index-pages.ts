import { itemAt } from '../../primitives/assert.js';
import type { AccountHistory } from '../../projections/indexes/account-history.js';
import type { HistoryPosition } from '../../projections/indexes/history-key.js';
import {
  decodeIndexValues,
  type IndexDefinition,
  type IndexValues,
} from '../../projections/indexes/index-definition.js';
import { type BlockReader, blockAt } from '../context/read-block.js';

/** An item of an index, in the form that all interfaces show. */
export interface IndexItem {
  readonly blockNumber: number;
  readonly transactionIndex: number;
  readonly transactionId: Uint8Array;
  readonly values: IndexValues;
}

export interface IndexPage {
  /** Items of the page, newest first. */
  readonly items: readonly IndexItem[];
  /** Start of the next page: the position of the last item of this page. Undefined on the last page. */
  readonly next: HistoryPosition | undefined;
  /** Position of the last item; undefined if the page is empty. */
  readonly last: HistoryPosition | undefined;
  /** Height up to which the index contains all blocks; −1 if it contains none. */
  readonly upTo: number;
}

/** Data sources of index pages. */
export interface IndexSource {
  readonly histories: AccountHistory;
  readonly blocks: Pick<BlockReader, 'byNumber'>;
}

/**
 * Returns a page of an index. All interfaces use this function, so they return the same items.
 * @param before position after which the page starts; the item at this position is excluded
 * @throws {TronError} PROJECTION_OFF: the index is not enabled; HISTORY_NOT_KEPT: a block of the page is pruned
 */
export function readIndexPage(
  { histories, blocks }: IndexSource,
  index: IndexDefinition,
  address: Uint8Array,
  { limit, before }: { readonly limit: number; readonly before?: HistoryPosition | undefined },
): IndexPage {
  const { rows, hasMore, upTo } = histories.page(index.name, address, limit, before);
  const items = rows.map(({ position: [blockNumber, transactionIndex = 0], value }) => {
    const { id } = itemAt(blockAt({ blocks }, blockNumber).transactions, transactionIndex);
    return { blockNumber, transactionIndex, transactionId: id, values: decodeIndexValues(index, value) };
  });
  const last = rows.at(-1)?.position;
  return { items, last, next: hasMore ? last : undefined, upTo };
}
