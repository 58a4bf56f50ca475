import {
  ChainParameters,
  ChainParametersChainParameter,
  type Exchange,
  ExchangeList,
  type Proposal,
  ProposalList,
  WitnessList,
} from '../../codec/generated/messages.js';
import { JavaError } from '../../java-compat/java-error.js';
import { javaSort } from '../../java-compat/sort.js';
import { toAddress } from '../../primitives/address.js';
import { wrap64 } from '../../primitives/int64.js';
import { voteChanges } from '../../state-transition/block/maintenance.js';
import { witnessOrder } from '../../state-transition/consensus/witness-order.js';
import { type ParameterRow, parameterRows } from '../../state-transition/parameters/parameter-table.js';
import type { State } from '../../state-transition/state/state.js';
import type { Table } from '../../state-transition/state/table.js';
import { proposalLifeMs } from '../../state-transition/system-contracts/governance/proposal-create.js';
import type { ChainView } from '../context/api-context.js';
import { numberKey } from './blocks.js';
import { LIST_PAGE_MAX, listedView, listValues } from './listing.js';

/** Returns all witnesses. Reference: Wallet.getWitnessList. */
export function witnesses(view: ChainView): WitnessList {
  return Object.assign(new WitnessList(), { witnesses: listValues(view, (state) => state.witnesses) });
}

/**
 * Returns a page of the witness candidates, in the order that the next maintenance would produce. Includes the votes
 * since the last maintenance. Returns undefined if the page is out of range. Reference:
 * Wallet.getPaginatedNowWitnessList.
 * @param isHead true for the state of the newest block
 * @throws {JavaError} MaintenanceUnavailableException: `isHead` is true during maintenance
 */
export function witnessPage(
  view: ChainView,
  { offset, limit }: { readonly offset: bigint; readonly limit: bigint },
  isHead: boolean,
): WitnessList | undefined {
  if (limit <= 0n || offset < 0n) return undefined;
  const { state } = view;
  if (isHead && state.properties.get('state_flag') === 1n) {
    throw new JavaError('org.tron.core.exception.MaintenanceUnavailableException', IN_MAINTENANCE);
  }
  const listed = listedView(view).state;
  const all = [...listed.witnesses.range()];
  if (offset >= BigInt(all.length)) return undefined;
  const changes = voteChanges(listed);
  const counted = all.map(([, witness]) =>
    Object.assign(witness.clone(), {
      voteCount: wrap64(witness.voteCount + (changes.get(toAddress(witness.address)) ?? 0n)),
    }),
  );
  const from = Number(offset);
  const shown = counted
    .sort(witnessOrder(state.properties))
    .slice(from, from + Number(limit < LIST_PAGE_MAX ? limit : LIST_PAGE_MAX));
  return Object.assign(new WitnessList(), { witnesses: shown });
}

const IN_MAINTENANCE = 'Service temporarily unavailable during maintenance period. Please try again later.';

/** Returns proposals, newest first. Reference: Wallet.getProposalList. */
export function proposals(view: ChainView): ProposalList {
  return Object.assign(new ProposalList(), { proposals: newestFirst(view, (state) => state.proposals) });
}

export function proposal({ state }: ChainView, id: bigint): Proposal | undefined {
  return state.proposals.get(numberKey(id));
}

/**
 * Returns a page of proposals in ascending order of id; undefined if the page is out of range.
 * Reference: Wallet.getPaginatedProposalList.
 */
export function proposalPage({ state }: ChainView, offset: bigint, limit: bigint): ProposalList | undefined {
  const rows = page(state.proposals, state.properties.get('LATEST_PROPOSAL_NUM'), offset, limit);
  return rows && Object.assign(new ProposalList(), { proposals: rows });
}

/** Returns exchanges, newest first. Reference: Wallet.getExchangeList. */
export function exchanges(view: ChainView): ExchangeList {
  return Object.assign(new ExchangeList(), { exchanges: newestFirst(view, exchangeTable) });
}

export function exchange({ state }: ChainView, id: bigint): Exchange | undefined {
  return exchangeTable(state).get(numberKey(id));
}

/**
 * Returns a page of exchanges in ascending order of id; undefined if the page is out of range.
 * Reference: Wallet.getPaginatedExchangeList.
 */
export function exchangePage({ state }: ChainView, offset: bigint, limit: bigint): ExchangeList | undefined {
  const rows = page(exchangeTable(state), state.properties.get('LATEST_EXCHANGE_NUM'), offset, limit);
  return rows && Object.assign(new ExchangeList(), { exchanges: rows });
}

/** Returns the chain parameters that the committee can change. Reference: Wallet.getChainParameters. */
export function chainParameters({ state }: ChainView): ChainParameters {
  const { parameters } = state.rules.release;
  const chainParameter = parameterRows.flatMap((row) => {
    const { shown, since, id } = row;
    if (shown === undefined || (since !== undefined && id !== undefined && !parameters.has(BigInt(id)))) return [];
    return [Object.assign(new ChainParametersChainParameter(), { key: shown, value: shownValue(state, row) })];
  });
  return Object.assign(new ChainParameters(), { chainParameter });
}

function shownValue({ properties }: State, { property, shownPer }: ParameterRow): bigint {
  if (property === 'PROPOSAL_EXPIRE_TIME') return proposalLifeMs(properties);
  return properties.get(property) / (shownPer ?? 1n);
}

function exchangeTable(state: State): Table<Exchange> {
  return state.properties.get('ALLOW_SAME_TOKEN_NAME') === 0n ? state.exchanges : state.exchangesV2;
}

function newestFirst<T extends { readonly createTime: bigint }>(
  view: ChainView,
  tableOf: (state: State) => Table<T>,
): T[] {
  // java-tron's comparator is inconsistent for equal times: of two rows with equal times, each is sorted after the
  // other. This comparator must do the same.
  return javaSort(listValues(view, tableOf), (a, b) => (a.createTime <= b.createTime ? 1 : -1));
}

/** Returns a page of a table whose rows have numbers from 1; undefined if the page is out of range. */
function page<T>(table: Table<T>, latest: bigint, offset: bigint, limit: bigint): T[] | undefined {
  if (limit < 0n || offset < 0n || latest <= offset) return undefined;
  const end = offset + (limit > LIST_PAGE_MAX ? LIST_PAGE_MAX : limit);
  const rows: T[] = [];
  for (let id = offset + 1n; id <= end && id <= latest; id++) {
    const row = table.get(numberKey(id));
    if (row !== undefined) rows.push(row);
  }
  return rows;
}
