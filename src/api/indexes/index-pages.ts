import { fromHex, toHex } from '../../primitives/bytes.js';
import type { AccountHistory } from '../../projections/indexes/account-history.js';
import type { HistoryPosition } from '../../projections/indexes/history-key.js';
import {
  decodeDistinctRow,
  decodeIndexValues,
  INDEX_PLACES,
  type IndexDefinition,
  type IndexState,
  type IndexValues,
} from '../../projections/indexes/index-definition.js';
import { heightUnknown } from '../../projections/ledger/ledger-facts.js';
import { constantCall } from '../abi/constant-call.js';
import { balanceCall, decodeBalance } from '../abi/token-balance.js';
import type { ApiContext } from '../context/api-context.js';
import { type BlockReader, blockAt, transactionIn } from '../context/read-block.js';

/** An item of an index, in the form that all interfaces show. */
export interface IndexItem {
  readonly blockNumber: number;
  readonly transactionIndex: number;
  readonly transactionId: Uint8Array;
  readonly values: IndexValues;
}

/**
 * Position of an item in the list of an index: the position of its transaction in the chain. For an index with one item
 * per value of a column (`IndexDefinition.distinct`), the position is this value.
 */
export type IndexCursor = HistoryPosition | Uint8Array;

export interface IndexPage {
  /** Items of the page in the order of the list. Pages before the last one can also have fewer items than requested. */
  readonly items: readonly IndexItem[];
  /** Position after which the next page starts; undefined on the last page. */
  readonly next: IndexCursor | undefined;
  /** Position of the last item that was read; undefined if no item was read. */
  readonly last: IndexCursor | undefined;
  /** Height up to which the index contains all blocks; −1 if it contains no block. */
  readonly upTo: number;
}

/** Data sources of index pages. */
export interface IndexSource {
  readonly api: ApiContext;
  readonly histories: AccountHistory;
  readonly blocks: Pick<BlockReader, 'byNumber'>;
}

/** Page of an index to read. All members can be sent to another thread. */
export interface IndexRequest {
  /** Maximum number of items. */
  readonly limit: number;
  /** Position after which the page starts. Default: the start of the list. */
  readonly after?: IndexCursor | undefined;
  /**
   * Height of a block. The page contains the list as it was after this block. Default: the newest block of the index.
   */
  readonly height?: number | undefined;
}

/** Worker threads that read pages of those indexes that also contain values from the state. */
export interface IndexPool {
  /**
   * Reads a page in another thread. Rejects with the errors of {@link readIndexPage}.
   * @param name name of the index
   * @throws {TronError} TOO_COSTLY: the queue of the call pool is full; THREAD_ENDED: the thread ended
   */
  index(name: string, address: Uint8Array, request: IndexRequest): Promise<IndexPage>;
}

/**
 * Maximum number of distinct values that are read for a page. The page omits a value that has no row up to the
 * requested height.
 */
const VALUES_MAX = 1_000;
/** Time after which a page that reads the state ends, in ms. The balance calls of 100 items usually take less time. */
const STATE_MS_MAX = 20;

/**
 * Returns a page of an index, as {@link readIndexPage} does. If the index reads the state, a thread of the call pool
 * reads the page.
 */
export async function indexPage(
  source: IndexSource & { readonly pool: IndexPool | undefined },
  index: IndexDefinition,
  address: Uint8Array,
  request: IndexRequest,
): Promise<IndexPage> {
  if (index.state === undefined || source.pool === undefined) return readIndexPage(source, index, address, request);
  return source.pool.index(index.name, address, request);
}

/**
 * Returns a page of an index. All interfaces use this function, so they return the same items. If the index reads the
 * state, reading the page takes at most {@link STATE_MS_MAX} ms plus the time of one call.
 * @throws {TronError} PROJECTION_OFF: the index is not enabled; HISTORY_NOT_KEPT: a block or the state is pruned;
 * HEIGHT_UNKNOWN: the height is above the head
 * @throws {BudgetExceededError} a call of a contract exceeds the time budget of this thread
 */
export function readIndexPage(
  source: IndexSource,
  index: IndexDefinition,
  address: Uint8Array,
  request: IndexRequest,
): IndexPage {
  const { height } = request;
  const { headNumber } = source.api.view('head');
  if (height !== undefined && height > headNumber) throw heightUnknown(height, headNumber);
  return index.distinct === undefined
    ? chainOrderPage(source, index, address, request)
    : distinctPage(source, index, address, request);
}

/** Encodes a position as text without colons: numbers with hyphens, or an address in hex. */
export function encodeIndexCursor(cursor: IndexCursor): string {
  return cursor instanceof Uint8Array ? toHex(cursor) : cursor.join('-');
}

/** Decodes a position in an index. Returns undefined if the text is malformed. */
export function decodeIndexCursor({ distinct }: IndexDefinition, text: string): IndexCursor | undefined {
  if (distinct !== undefined) return decodeAddressCursor(text);
  if (!/^\d+(-\d+)*$/.test(text)) return undefined;
  const [number = -1, ...indexes] = text.split('-').map(Number);
  const isPosition =
    indexes.length === INDEX_PLACES - 1 && Number.isSafeInteger(number) && indexes.every((at) => at < 2 ** 32);
  return isPosition ? [number, ...indexes] : undefined;
}

/** Decodes a position in a list of distinct addresses. Returns undefined if the text is malformed. */
export function decodeAddressCursor(text: string): Uint8Array | undefined {
  return /^[0-9a-f]{42}$/.test(text) ? fromHex(text) : undefined;
}

function chainOrderPage(
  source: IndexSource,
  index: IndexDefinition,
  address: Uint8Array,
  { limit, after, height }: IndexRequest,
): IndexPage {
  const before = after instanceof Uint8Array ? undefined : after;
  const { rows, hasMore, upTo } = source.histories.page(index.name, address, limit, { before, to: height });
  const items = rows.map(({ position: [blockNumber, transactionIndex = 0], value }) =>
    itemOf(source, blockNumber, transactionIndex, decodeIndexValues(index, value)),
  );
  const last = rows.at(-1)?.position;
  return { items, last, next: hasMore ? last : undefined, upTo };
}

function distinctPage(
  source: IndexSource,
  index: IndexDefinition,
  address: Uint8Array,
  { limit, after, height }: IndexRequest,
): IndexPage {
  const { histories } = source;
  const state = index.state && stateAt(source.api, height);
  const endsAt = performance.now() + STATE_MS_MAX;
  const items: IndexItem[] = [];
  let last = after instanceof Uint8Array ? after : undefined;
  let read = 0;
  const { values: listed, upTo } = histories.distinctValues(index.name, address, { after: last, to: height });
  for (const { address: distinct, row } of listed) {
    const isLate = state !== undefined && read > 0 && performance.now() > endsAt;
    if (items.length === limit || read === VALUES_MAX || isLate) return { items, last, next: last, upTo };
    read++;
    if (row !== undefined) {
      const { transaction, values } = decodeDistinctRow(index, distinct, row.value);
      const shown = shownValues(index, state, address, values);
      if (shown !== undefined) items.push(itemOf(source, row.number, transaction, shown));
    }
    last = distinct;
  }
  return { items, last, next: undefined, upTo };
}

/**
 * Returns the stored values of an item together with its values from the state; undefined if the item must be omitted
 * from the list.
 */
function shownValues(
  index: IndexDefinition,
  state: IndexState | undefined,
  address: Uint8Array,
  values: IndexValues,
): IndexValues | undefined {
  if (index.state === undefined || state === undefined) return values;
  const fromState = index.state.read(state, address, values);
  return fromState && { ...values, ...fromState };
}

/**
 * Returns the functions with which an index reads values from the state after a block. Default: the newest block.
 * @throws {TronError} as {@link ApiContext.viewAt}
 */
function stateAt(api: ApiContext, height: number | undefined): IndexState {
  const view = height === undefined ? api.view('head') : api.viewAt(height);
  return {
    tokenBalance: (contract, account) => decodeBalance(constantCall(api, { view, contract, ...balanceCall(account) })),
  };
}

function itemOf(source: IndexSource, blockNumber: number, transactionIndex: number, values: IndexValues): IndexItem {
  const { id } = transactionIn(blockAt(source, blockNumber), transactionIndex);
  return { blockNumber, transactionIndex, transactionId: id, values };
}
