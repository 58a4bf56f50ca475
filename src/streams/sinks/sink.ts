import { TronError } from '../../primitives/errors.js';
import type { BlockPosition } from '../follow/block-position.js';
import type { BlockRecords } from '../records/event-record.js';

/**
 * Number of blocks without a record after which the position is stored. A restart reads at most this number of blocks
 * without records again.
 */
export const EMPTY_BLOCKS_MAX = 1000;

/**
 * Target of records. After an error, every method may be called again; `open` then determines which records were
 * stored.
 */
export interface Sink {
  readonly name: string;
  /** Maximum number of records and bytes of one {@link Sink.write}. It limits the memory of a batch. */
  readonly batch: { readonly records: number; readonly bytes: number };
  /** Facts that the operator should know, updated by `open` and `write`. The sink forwards in spite of them. */
  readonly notes?: readonly string[];
  /**
   * Opens the sink. Returns the last block that the sink contains completely; undefined if it contains none. If several
   * processes can use the sink, this process takes over from another process only after `isInLog` has accepted this
   * block.
   * @param isInLog returns true if the log contains a block
   * @throws {SinkError} a retry cannot help
   * @throws {BlockNotInLogError} the log does not contain the last block of the sink
   */
  open(isInLog?: (position: BlockPosition) => boolean): Promise<BlockPosition | undefined>;
  /**
   * Writes whole blocks. All blocks are stored when the promise resolves. If it rejects, or if the process ends early,
   * a Kafka or PostgreSQL sink has stored all or none of the blocks. Other sinks may have written some of the blocks.
   */
  write(blocks: readonly BlockRecords[]): Promise<void>;
  close(): Promise<void>;
}

/**
 * Thrown if the log does not contain the last block of a sink. The process that forwards to the sink was not replaced.
 * The sink can be opened again when the log contains the block.
 */
export class BlockNotInLogError extends TronError<'BLOCK_NOT_IN_LOG'> {
  readonly position: BlockPosition;

  constructor(sink: string, position: BlockPosition) {
    super(
      'BLOCK_NOT_IN_LOG',
      `sink ${sink} has forwarded block ${position.number} (${position.id}), which is not in this log; waiting for the block`,
    );
    this.position = position;
  }
}
