import type { AppliedEntry } from '../../log/log-entry.js';
import type { BlockChanges } from '../ledger/ledger.js';

/** A row of a secondary projection. */
export interface ProjectionRow {
  /** Must name the block (its seq or its height) as well: taking the block back removes exactly its keys. */
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

/**
 * One bit in a set that many blocks share, each at a place of its own: taking the block back clears exactly its bits.
 */
export interface ProjectionBit {
  readonly key: Uint8Array;
  /** Place in the set, which must follow from the block's height. */
  readonly bit: number;
  /** Bits of the whole set, a multiple of 8. A set without any has no row. */
  readonly bits: number;
}

/** A block as a projection sees it. */
export interface ProjectedBlock {
  readonly entry: AppliedEntry;
  /**
   * What the block changed.
   * @throws {TronError} HISTORY_NOT_KEPT when the projection has fallen behind what the retention keeps.
   */
  changes(): BlockChanges;
}

/**
 * A pure fold over the log: the same entries give the same rows, byte for byte. `apply` knows no database, no clock, no
 * randomness; the runner stores the rows, and removes them when the block is taken back.
 */
export interface Projection {
  readonly name: string;
  /** Raised when `apply` changes its meaning: the rows are then built again from block 0. */
  readonly version: number;
  readonly apply: (block: ProjectedBlock) => readonly (ProjectionRow | ProjectionBit)[];
}
