import { itemAt, present } from '../../primitives/assert.js';
import { fromHex } from '../../primitives/bytes.js';
import { contractEventsIndex, eventKey, logAddress } from '../../projections/indexes/contract-events.js';
import { ContractAbis } from '../abi/contract-abis.js';
import { blockAt, type ReadBlock, transactionIn } from '../context/read-block.js';
import { type EventForm, eventRow, type PositionedLog } from './event-row.js';
import { confirmedRange, heightRange } from './height-range.js';
import { OneChain } from './one-chain.js';
import {
  type Candidate,
  comparePositions,
  decodeFingerprint,
  firstOf,
  isAfter,
  type PagePosition,
  takePage,
} from './page.js';
import { readId, readPathAddress } from './read-path.js';
import type { V1Answer } from './route.js';
import { badParameter } from './v1-error.js';
import type { V1Source } from './v1-source.js';

const HISTORY = contractEventsIndex.name;
const BLOCK = 'block-events';

/**
 * Factor for the maximum number of index rows that a page reads if no index covers the event name: `limit` × this
 * number.
 */
const CANDIDATES = 5;

/**
 * Returns the events of a contract; by default, the newest event is first.
 * @throws {V1Error} the request is invalid
 * @throws {TronError} PROJECTION_OFF: the projection is not enabled
 */
export const contractEvents: V1Answer = (source, query, path) => {
  const contract = readPathAddress(source, itemAt(path, 0));
  const form = formOf(source);
  const { isAscending, limit } = query;
  const name = query.text('event_name');
  const start = decodeFingerprint(HISTORY, query.text('fingerprint'));
  const range = { ...heightRange(source, query), isAscending, start };
  const { abis } = form;
  // The keys of the index contain the first topic. The first topic of an anonymous event does not identify the event,
  // so rows are filtered by name.
  const isFiltered = name !== undefined && abis.hasAnonymous(contract, name);
  const candidatesMax = isFiltered ? limit * CANDIDATES : limit;
  const keys =
    name === undefined || isFiltered
      ? [contract]
      : abis.topicsOf(contract, name).map((hash) => eventKey(contract, fromHex(hash)));
  // Reads two additional rows: the last row of the previous page, and one row that shows if another page exists.
  const lists = keys.map((key) => firstOf(source.histories.rows(HISTORY, key, range), candidatesMax + 2));
  const positions = merge(lists, isAscending);
  const all = candidatesAt(source, positions, form, isFiltered ? name : undefined);
  const candidates = isAfter(start, isAscending, all);
  return takePage(
    { list: HISTORY, candidates, limit, candidatesMax: candidatesMax, candidateWork: isFiltered ? 1 : 0 },
    new OneChain(source),
  );
};

/**
 * Returns the events of a transaction. Returns an empty page if no block contains the transaction.
 * @throws {V1Error} the request is invalid
 */
export const transactionEvents: V1Answer = (source, query, path) => {
  const position = source.ledger.transactionAt(readId(itemAt(path, 0)));
  const { from, to } = confirmedRange(source.ledger, query);
  if (position === undefined || position.number < from || position.number > to)
    return { items: [], fingerprint: undefined };
  const logs = logsOf(blockAt(source, position.number), position.index);
  const form = formOf(source);
  return { items: logs.map((log) => eventRow(log, form)), fingerprint: undefined };
};

/**
 * Returns the events of a block. The path names the block by height, id or `latest`. Returns an empty page if the block
 * does not exist, or is outside the requested range.
 * @throws {V1Error} the request is invalid
 */
export const blockEvents: V1Answer = (source, query, path) => {
  const { from, to } = confirmedRange(source.ledger, query);
  const block = blockOf(source, itemAt(path, 0), to);
  if (block === undefined || block.number < from || block.number > to) return { items: [], fingerprint: undefined };
  const form = formOf(source);
  const candidates = block.transactions.flatMap((_, index) =>
    logsOf(block, index).map((log) => ({ position: positionOf(log), item: () => eventRow(log, form) })),
  );
  const after = decodeFingerprint(BLOCK, query.text('fingerprint'));
  const options = { list: BLOCK, candidates: isAfter(after, true, candidates), limit: query.limit, candidateWork: 0 };
  return takePage(options, new OneChain(source));
};

function blockOf({ blocks, ledger }: V1Source, text: string, newest: number): ReadBlock | undefined {
  if (text === 'latest') return blocks.byNumber(newest);
  if (/^[0-9a-fA-F]{64}$/.test(text)) {
    const number = ledger.numberOf(fromHex(text.toLowerCase()));
    return number === undefined ? undefined : blocks.byNumber(number);
  }
  const number = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(number)) return blocks.byNumber(number);
  throw badParameter('the block', 'must be latest, a height or an id');
}

function formOf({ api, ledger, abis }: V1Source): EventForm {
  return {
    abis: new ContractAbis(() => api.view('head'), abis),
    addressPrefix: api.settings.addressPrefix,
    solidifiedNumber: ledger.position.solidifiedNumber,
  };
}

/** Merges lists of rows into one list of positions, in chain order, or in reverse order if `isAscending` is false. */
function merge(
  lists: readonly (readonly { readonly position: PagePosition }[])[],
  isAscending: boolean,
): PagePosition[] {
  const positions = lists.flatMap((rows) => rows.map(({ position }) => position));
  return lists.length < 2
    ? positions
    : positions.sort((a, b) => (isAscending ? comparePositions(a, b) : comparePositions(b, a)));
}

/** Yields the events at the given positions of logs. */
function* candidatesAt(
  source: V1Source,
  positions: Iterable<PagePosition>,
  form: EventForm,
  name: string | undefined,
): Iterable<Candidate> {
  for (const position of positions) {
    const [number, transaction = 0, at = 0] = position;
    const logAt = (): PositionedLog => itemAt(logsOf(blockAt(source, number), transaction), at);
    const isShown = name === undefined || isEventOf(logAt(), name, form);
    yield { position, item: isShown ? () => eventRow(logAt(), form) : undefined };
  }
}

function isEventOf({ log }: PositionedLog, name: string, { abis, addressPrefix }: EventForm): boolean {
  return abis.decode(logAddress(log.address, addressPrefix), log)?.event.name === name;
}

function logsOf(block: ReadBlock, index: number): PositionedLog[] {
  const transaction = transactionIn(block, index);
  return (transaction.info?.log ?? []).map((log, at) => ({ block, transaction, index: at, log }));
}

function positionOf({ block, transaction, index }: PositionedLog): PagePosition {
  return [block.number, present(transaction.position, 'a log has a block').index, index];
}
