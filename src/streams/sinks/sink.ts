import type { BlockPosition } from '../follow/block-position.js';
import type { BlockRecords } from '../records/event-record.js';

/**
 * Blocks without a record after which the place is remembered all the same, so that a start need not read them again.
 */
export const EMPTY_BLOCKS_MAX = 1000;

/** Where records go. Every method may be called again after any error: `open` finds out what had arrived. */
export interface Sink {
  readonly name: string;
  /** How much one {@link Sink.write} takes at most: what a batch holds in memory. */
  readonly batch: { readonly records: number; readonly bytes: number };
  /** Makes the sink ready, and answers the last block that it holds whole. @throws {SinkError} */
  open(): Promise<BlockPosition | undefined>;
  /**
   * Writes whole blocks: when it returns they are there, and nothing of them is when it throws or the process ends
   * before.
   */
  write(blocks: readonly BlockRecords[]): Promise<void>;
  close(): Promise<void>;
}
