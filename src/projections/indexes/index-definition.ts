import { fromHex, toHex, utf8 } from '../../primitives/bytes.js';
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
  /** Number of this row among the rows with the same address and transaction. It is the last part of the row's key. */
  readonly at: number;
  readonly values: IndexValues<Columns>;
}

/**
 * An index, defined in one source file and listed in `indexes.ts`. The runner, the configuration, GraphQL, `/v1`,
 * JSON-RPC and the documentation derive everything else from the definition.
 */
export interface IndexDefinition<Columns extends IndexColumns = IndexColumns> {
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
   * Returns the rows of a block, in the order of its transactions. Must be a pure function, because a revert computes
   * the rows again to delete them.
   */
  rowsOf(block: HistoryBlock): readonly IndexEntry<Columns>[];
}

/** Returns the definition unchanged. The compiler checks the result of `rowsOf` against the columns. */
export function defineIndex<const Columns extends IndexColumns>(definition: IndexDefinition<Columns>): IndexDefinition {
  return definition as unknown as IndexDefinition;
}

/** Returns the stored rows of a block. */
export function storedRows(index: IndexDefinition, block: HistoryBlock): ProjectionRow[] {
  return index.rowsOf(block).map(({ address, transaction, at, values }) => ({
    key: indexKey(address, [block.entry.number, transaction, at]),
    value: utf8(JSON.stringify(Object.values(encoded(index, values)))),
  }));
}

/** Decodes the value of a stored row. */
export function decodeIndexValues({ columns }: IndexDefinition, value: Uint8Array): IndexValues {
  const texts = JSON.parse(Buffer.from(value).toString()) as readonly string[];
  return Object.fromEntries(
    Object.entries(columns).map(([name, { type }], at) => {
      const text = texts[at] ?? '';
      return [name, type === 'address' ? fromHex(text) : type === 'amount' ? BigInt(text) : text];
    }),
  );
}

/** Number of parts of a position in an index: height, transaction, number of the row within the transaction. */
export const INDEX_PLACES = 3;

function encoded({ columns }: IndexDefinition, values: IndexValues): Record<string, string> {
  return Object.fromEntries(
    Object.keys(columns).map((name) => {
      const value = values[name];
      return [name, value instanceof Uint8Array ? toHex(value) : String(value)];
    }),
  );
}
