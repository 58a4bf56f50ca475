import type { ProjectionRow } from '../runner/projection.js';
import type { HistoryBlock } from './history-block.js';

/**
 * An index of account activity, defined in one source file and listed in `indexes.ts`. Its rows are found by address,
 * newest or oldest first. GraphQL and `/v1` have hand-written code for each of these indexes. For an `IndexDefinition`,
 * they derive the code from the definition.
 */
export interface HistoryIndex<Value = unknown> {
  /** Name in `tronicle.projections`: words with hyphens. */
  readonly name: string;
  /** Must be increased when the rows change. The index is then rebuilt. */
  readonly version: number;
  /** Number of parts of a position after the height: index of the transaction, number within the transaction. */
  readonly partsAfterHeight: 0 | 1 | 2;
  /** Returns the stored rows of a block. A pure function. @throws {TronError} HISTORY_NOT_KEPT */
  rowsOf(block: HistoryBlock): readonly ProjectionRow[];
  /** Decodes the value of a stored row. */
  decode(value: Uint8Array): Value;
}
