import type { BlockPosition } from '../follow/block-position.js';
import type { BlockRecords } from '../records/event-record.js';

/**
 * Number of blocks without a record after which the position is stored anyway, to limit the blocks read at a restart.
 */
export const EMPTY_BLOCKS_MAX = 1000;

/** Target of records. Every method may be called again after an error; `open` determines what has arrived. */
export interface Sink {
  readonly name: string;
  /** Maximum size of one {@link Sink.write}, which bounds the memory of a batch. */
  readonly batch: { readonly records: number; readonly bytes: number };
  /** Opens the sink. Returns the last block that it contains completely. @throws {SinkError} */
  open(): Promise<BlockPosition | undefined>;
  /**
   * Writes whole blocks atomically. When it returns, all are stored. If it throws or the process ends before, no block
   * is.
   */
  write(blocks: readonly BlockRecords[]): Promise<void>;
  close(): Promise<void>;
}
