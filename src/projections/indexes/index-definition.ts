import { concatBytes, fromHex, toHex, utf8 } from '../../primitives/bytes.js';
import type { ProjectionRow } from '../runner/projection.js';
import type { HistoryBlock } from './history-block.js';
import { indexKey } from './history-key.js';

/** A column of an index: its type, and its meaning for the documentation of the APIs. */
export interface IndexColumn {
  /** `amount` is a number of up to 256 bits. */
  readonly type: 'address' | 'amount' | 'text';
  readonly description: string;
}

type IndexColumns = Readonly<Record<string, IndexColumn>>;

interface ValueTypes {
  readonly address: Uint8Array;
  readonly amount: bigint;
  readonly text: string;
}

export type IndexValues<Columns extends IndexColumns = IndexColumns> = {
  readonly [Name in keyof Columns]: ValueTypes[Columns[Name]['type']];
};

/** A row of an index: the address that selects it, its transaction, and its values. */
interface IndexEntry<Columns extends IndexColumns = IndexColumns> {
  readonly address: Uint8Array;
  /** Index of the transaction in its block. */
  readonly transaction: number;
  /**
   * Number of this row among the rows with the same address and transaction. It is part of the row's key. Not used if
   * the index has `distinct`.
   */
  readonly at: number;
  readonly values: IndexValues<Columns>;
}

/** State at the height of the request, from which the state columns of an index are read. */
export interface IndexState {
  /** Returns the balance that a TRC20 contract reports for an account; undefined if the call fails. */
  tokenBalance(contract: Uint8Array, account: Uint8Array): bigint | undefined;
}

/** Columns that are not stored. The API reads them from the state at the height of the request. */
interface StateColumns<Columns extends IndexColumns, FromState extends IndexColumns> {
  readonly columns: FromState;
  /**
   * Returns the values of the state columns for one item of the list. Returns undefined if the item is not in the
   * list at this height; the API then omits the item.
   * @param address the address that selects the list
   */
  read(state: IndexState, address: Uint8Array, values: IndexValues<Columns>): IndexValues<FromState> | undefined;
}

/**
 * An index, defined in one source file and listed in `indexes.ts`. The runner, the configuration, GraphQL, `/v1`,
 * JSON-RPC and the documentation derive everything else from the definition.
 *
 * Each address has a list. Without `distinct`, the list has one item per row, newest first. With `distinct`, the list
 * has one item per value of a column, in ascending order of the value.
 */
export interface IndexDefinition<
  Columns extends IndexColumns = IndexColumns,
  FromState extends IndexColumns = IndexColumns,
> {
  /** Name in `tronicle.projections`: words with hyphens. The GraphQL field and type are derived from this name. */
  readonly name: string;
  /** Increase this number when the rows change. The index is then rebuilt. */
  readonly version: number;
  /** Description of the list of rows for the documentation, one sentence. */
  readonly description: string;
  /** Meaning of the address that selects rows. */
  readonly address: string;
  readonly columns: Columns;
  /**
   * Name of a column of type `address`. The list of an address then contains each value of this column once, with the
   * newest row for the value.
   */
  readonly distinct?: string;
  /** Columns from the state. Only a list with `distinct` can have them. */
  readonly state?: StateColumns<Columns, FromState>;
  /**
   * Returns the rows of a block, in the order of its transactions. Must be a pure function, because a revert computes
   * the rows again to delete them.
   */
  rowsOf(block: HistoryBlock): readonly IndexEntry<Columns>[];
}

/** Names of the columns of type `address`. */
type AddressColumn<Columns extends IndexColumns> = {
  [Name in keyof Columns]: Columns[Name]['type'] extends 'address' ? Name : never;
}[keyof Columns];

/** Columns of a list, for the two kinds of lists of {@link IndexDefinition}. */
type ListKind<Columns extends IndexColumns> =
  | { readonly distinct: AddressColumn<Columns> }
  | { readonly distinct?: undefined; readonly state?: undefined };

/** Returns the definition unchanged. The compiler checks its functions and its kind of list against the columns. */
export function defineIndex<const Columns extends IndexColumns, const FromState extends IndexColumns>(
  definition: IndexDefinition<Columns, FromState> & ListKind<Columns>,
): IndexDefinition {
  return definition as unknown as IndexDefinition;
}

/** Returns the columns that the APIs show: first the stored columns, then the columns from the state. */
export function shownColumns({ columns, state }: IndexDefinition): IndexColumns {
  return { ...columns, ...state?.columns };
}

/** Returns a text for the documentation that describes the order of the list. */
export function indexOrder({ distinct }: IndexDefinition): string {
  return distinct === undefined ? 'newest first' : `each ${distinct} once, in order of address`;
}

/** Returns the stored rows of a block. */
export function storedRows(index: IndexDefinition, block: HistoryBlock): ProjectionRow[] {
  const { number } = block.entry;
  const { distinct } = index;
  const names = storedColumns(index);
  if (distinct === undefined)
    return index.rowsOf(block).map(({ address, transaction, at, values }) => ({
      key: indexKey(address, [number, transaction, at]),
      value: encoded(names.map((name) => textOf(values[name]))),
    }));
  // Only the newest row of a block is stored per value, because the list shows only the newest row.
  const newest = new Map<string, ProjectionRow>();
  for (const { address, transaction, values } of index.rowsOf(block)) {
    const key = indexKey(concatBytes(address, values[distinct] as Uint8Array), [number]);
    const value = encoded([transaction, ...names.map((name) => textOf(values[name]))]);
    newest.set(key.toString('latin1'), { key, value });
  }
  return [...newest.values()];
}

/** Decodes the value of a stored row of a list without `distinct`. */
export function decodeIndexValues(index: IndexDefinition, value: Uint8Array): IndexValues {
  return valuesOfTexts(index, JSON.parse(Buffer.from(value).toString()) as readonly string[]);
}

/** Decodes the value of a stored row of a list with `distinct`. @param distinctValue the value in the key of the row */
export function decodeDistinctRow(
  index: IndexDefinition,
  distinctValue: Uint8Array,
  value: Uint8Array,
): { readonly transaction: number; readonly values: IndexValues } {
  const [transaction, ...texts] = JSON.parse(Buffer.from(value).toString()) as [number, ...string[]];
  const { distinct = '' } = index;
  return { transaction, values: { [distinct]: distinctValue, ...valuesOfTexts(index, texts) } };
}

/**
 * Number of parts of a position in an index: height, index of the transaction, number of the row within the
 * transaction.
 */
export const INDEX_PLACES = 3;

/** Returns the names of the columns in the value of a row. The `distinct` column is in the key of the row instead. */
function storedColumns({ columns, distinct }: IndexDefinition): readonly string[] {
  return Object.keys(columns).filter((name) => name !== distinct);
}

function valuesOfTexts(index: IndexDefinition, texts: readonly string[]): IndexValues {
  return Object.fromEntries(
    storedColumns(index).map((name, at) => {
      const type = index.columns[name]?.type;
      const text = texts[at] ?? '';
      return [name, type === 'address' ? fromHex(text) : type === 'amount' ? BigInt(text) : text];
    }),
  );
}

function encoded(values: readonly (string | number)[]): Uint8Array {
  return utf8(JSON.stringify(values));
}

function textOf(value: IndexValues[string] | undefined): string {
  return value instanceof Uint8Array ? toHex(value) : String(value);
}
