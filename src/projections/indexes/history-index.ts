import type { ProjectionRow } from '../runner/projection.js';
import type { HistoryBlock } from './history-block.js';

/**
 * An index of account activity, defined in one source file and listed in `indexes.ts`. Rows are selected by address,
 * newest or oldest first. A `HistoryIndex` needs hand-written code in GraphQL and `/v1`. An `IndexDefinition` needs
 * no such code.
 */
export interface HistoryIndex<Value = unknown> {
  /** Name in `tronicle.projections`: words with hyphens. */
  readonly name: string;
  /** Increase this number when the rows change. The index is then rebuilt. */
  readonly version: number;
  /** Description of the list of rows for the documentation. */
  readonly description: string;
  /**
   * Number of indexes that follow the height in a row's position: none, the index of the transaction, or also the
   * number of the row within the transaction.
   */
  readonly partsAfterHeight: 0 | 1 | 2;
  /**
   * Returns the stored rows of a block. Must be a pure function, because a revert computes the rows again to delete
   * them.
   * @throws {TronError} HISTORY_NOT_KEPT: the changes of the block are not retained
   */
  rowsOf(block: HistoryBlock): readonly ProjectionRow[];
  /** Decodes the value of a stored row. */
  decode(value: Uint8Array): Value;
}
