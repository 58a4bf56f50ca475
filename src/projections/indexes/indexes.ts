import { onFirstUseOf } from '../../primitives/on-first-use.js';
import type { ProjectedBlock, Projection } from '../runner/projection.js';
import { addressHistoryIndex } from './address-history.js';
import { balanceHistoryIndex } from './balance-history.js';
import { contractEventsIndex } from './contract-events.js';
import { contractsByCreator } from './contracts-by-creator.js';
import { HistoryBlock } from './history-block.js';
import type { HistoryIndex } from './history-index.js';
import { type IndexDefinition, indexOrder, shownColumns, storedRows } from './index-definition.js';
import { internalTransactionsIndex } from './internal-transactions.js';
import { stakeHistoryIndex } from './stake-history.js';
import { tokenContractsIndex } from './token-contracts.js';
import { tokenHolders } from './token-holders.js';
import { tokenTransfersIndex } from './token-transfers.js';
import { trc721Transfers } from './trc721-transfers.js';

/** Indexes with hand-written API code. */
const historyIndexes: readonly HistoryIndex[] = [
  addressHistoryIndex,
  tokenTransfersIndex,
  internalTransactionsIndex,
  balanceHistoryIndex,
  stakeHistoryIndex,
  contractEventsIndex,
];

/**
 * Indexes whose GraphQL, `/v1` and JSON-RPC code is derived from the definition. To add an index, add its source file
 * and an element here.
 */
export const indexDefinitions: readonly IndexDefinition[] = [
  contractsByCreator,
  tokenContractsIndex,
  tokenHolders,
  trc721Transfers,
];

/** Names of `indexDefinitions`, separated by commas, for an error message. */
export const indexNames = indexDefinitions.map(({ name }) => name).join(', ');

/** Returns the element of `indexDefinitions` with a name; undefined if the name is unknown. */
export function findIndex(name: string | null): IndexDefinition | undefined {
  return indexDefinitions.find((index) => index.name === name);
}

/** Value of `tronicle.projections` that enables all indexes. */
const ALL_INDEXES = 'all';

/**
 * Returns the names of the enabled indexes.
 * @param configured the list `tronicle.projections`
 */
export function enabledIndexes(configured: readonly string[]): readonly string[] {
  return configured.includes(ALL_INDEXES) ? [...indexProjections(0).keys()] : configured;
}

/** Returns the table of `docs/indexes.md` with all indexes. */
export function indexReference(): string {
  const lines = [
    ...historyIndexes.map(({ name, description }) => `| \`${name}\` | ${description} | |`),
    ...indexDefinitions.map((index) => {
      const columns = Object.keys(shownColumns(index)).map((column) => `\`${column}\``);
      const described = index.description.replace(/\bthis\b/g, 'the');
      return `| \`${index.name}\` | ${described}, ${indexOrder(index)} | ${columns.join(', ')} |`;
    }),
  ];
  return ['| name | list of an address | columns |', '|---|---|---|', ...lines].join('\n');
}

/** Returns all indexes that `tronicle.projections` can enable, by name. */
export function indexProjections(addressPrefix: number): ReadonlyMap<string, Projection> {
  // All projections that are built together receive the same block object, so it is decoded only once.
  const shared = onFirstUseOf((block: ProjectedBlock) => new HistoryBlock(block, addressPrefix));
  const all: readonly Projection[] = [
    ...historyIndexes.map(({ name, version, rowsOf }) => ({
      name,
      version,
      apply: (block: ProjectedBlock) => rowsOf(shared(block)),
    })),
    ...indexDefinitions.map((index) => ({
      name: index.name,
      version: index.version,
      apply: (block: ProjectedBlock) => storedRows(index, shared(block)),
    })),
  ];
  return new Map(all.map((projection) => [projection.name, projection]));
}
