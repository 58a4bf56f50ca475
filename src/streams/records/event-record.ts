import type { Trigger } from '../event-kinds.js';
import type { BlockContent } from '../follow/block-content.js';
import type { LogMove } from '../follow/log-moves.js';

/** One record of a sink, before it has a place in a topic. */
export interface EventRecord {
  readonly trigger: Trigger;
  readonly key: string;
  /** JSON text; in other forms bytes. */
  readonly payload: string | Uint8Array;
  /** Full name of the protobuf message in `payload`. */
  readonly schema?: string;
  /** What its entry of the log says, where that is another than the one of the {@link BlockRecords}. */
  readonly change?: LogMove['change'];
  /** Place among the block's records, where it is not its place in the list. */
  readonly index?: number;
  /** Its block, where that is another than the one of the {@link BlockRecords}. */
  readonly block?: Pick<BlockContent, 'number' | 'id' | 'parentId'>;
}

/** All records that a sink gets of one block, or of one entry of the log, in order; there may be none. */
export interface BlockRecords {
  /** Of the log's entry that they come from. */
  readonly seq: number;
  /** In the reorg-aware stream: what the entry says of the block. */
  readonly change?: LogMove['change'];
  readonly number: number;
  readonly id: string;
  readonly parentId: string;
  /** ms since 1970 at which the reading thread came to the block. */
  readonly readAt: number;
  readonly records: readonly EventRecord[];
  /** Number of the block's records, where some of them are not in the list. */
  readonly count?: number;
}

/** The record before, in the same file or partition: what a reader proves continuity by. */
export interface RecordPosition {
  readonly seq: number;
  readonly index: number;
}
