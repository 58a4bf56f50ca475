import type { Trigger } from '../event-kinds.js';
import type { BlockContent } from '../follow/block-content.js';
import type { LogMove } from '../follow/log-moves.js';

/** One record of a sink, without its position in a topic. */
export interface EventRecord {
  readonly trigger: Trigger;
  readonly key: string;
  /** JSON text, or bytes in other formats. */
  readonly payload: string | Uint8Array;
  /** Full name of the protobuf message in `payload`. */
  readonly schema?: string;
  /** Kind of its log entry, if different from that of the {@link BlockRecords}. */
  readonly change?: LogMove['change'];
  /** Index among the block's records, if different from its index in the list. */
  readonly index?: number;
  /** Its block, if different from that of the {@link BlockRecords}. */
  readonly block?: Pick<BlockContent, 'number' | 'id' | 'parentId'>;
}

/** All records of one block, or of one log entry, in order; may be empty. */
export interface BlockRecords {
  /** Seq of the log entry. */
  readonly seq: number;
  /** In a stream with reorgs: kind of the log entry. */
  readonly change?: LogMove['change'];
  readonly number: number;
  readonly id: string;
  readonly parentId: string;
  /** Time when the block was read, in ms since 1970. */
  readonly readAt: number;
  readonly records: readonly EventRecord[];
  /** Number of the block's records, if some are not in the list. */
  readonly count?: number;
}

/** Position of the previous record in the same file or partition. Readers use it to detect gaps. */
export interface RecordPosition {
  readonly seq: number;
  readonly index: number;
}
