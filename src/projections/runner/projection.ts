import type { AppliedEntry } from '../../log/log-entry.js';
import type { BlockChanges } from '../ledger/ledger.js';

/** A row of a secondary projection. */
export interface ProjectionRow {
  /**
   * Key of the row. It must contain the seq or height of the block, because a revert deletes exactly the keys of the
   * block.
   */
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

/**
 * One bit of a bit set that many blocks share. Each block has its own bits. Reverting a block clears exactly these
 * bits.
 */
export interface ProjectionBit {
  readonly key: Uint8Array;
  /** Index of the bit in the set. It must be derived from the height of the block. */
  readonly bit: number;
  /** Size of the whole set in bits, a multiple of 8. A set without bits has no row. */
  readonly bits: number;
}

/** Input of a projection: one block. All projections that are built together receive the same object. */
export interface ProjectedBlock {
  readonly entry: AppliedEntry;
  /**
   * Returns the row changes of the block.
   * @throws {TronError} HISTORY_NOT_KEPT: the changes of the block were already deleted
   */
  changes(): BlockChanges;
}

/**
 * A pure function over the log: the same entries produce the same rows, byte for byte. `apply` must not use a database,
 * a clock or randomness. The runner stores the rows. When the block is reverted, the runner deletes them.
 */
export interface Projection {
  readonly name: string;
  /** Increase this number when `apply` changes. The rows are then rebuilt from the start of the log. */
  readonly version: number;
  readonly apply: (block: ProjectedBlock) => readonly (ProjectionRow | ProjectionBit)[];
}
