import type { Trigger } from '../event-kinds.js';
import type { BlockContent } from '../follow/block-content.js';
import type { LogMove } from '../follow/log-moves.js';

/** Format of a binary payload, and the full name of its protobuf message or Avro record. */
export interface PayloadSchema {
  readonly format: 'protobuf' | 'avro';
  readonly name: string;
}

/** An event in a binary format. */
export interface EncodedEvent {
  readonly schema: PayloadSchema;
  readonly payload: Uint8Array;
}

/** One record of a sink, without its position in a topic. */
export interface EventRecord {
  readonly trigger: Trigger;
  readonly key: string;
  /** JSON text; bytes in the binary formats. */
  readonly payload: string | Uint8Array;
  /** Schema of a payload in a binary format; undefined for JSON. */
  readonly schema?: PayloadSchema;
  /** Kind of the log entry that caused the record. Set only if it differs from the kind in {@link BlockRecords}. */
  readonly change?: LogMove['change'];
  /**
   * Index among the records of the block. Set only if it differs from the index in the list, because records are
   * omitted.
   */
  readonly index?: number;
  /** Block of the record. Set only if it differs from the block in {@link BlockRecords}. */
  readonly block?: RecordBlock;
}

/** Block of a record. */
interface RecordBlock extends Pick<BlockContent, 'number' | 'id' | 'parentId'> {
  /** Time of the block in ms since 1970; undefined for entries of the log topic. */
  readonly timeMs?: number;
}

/** All records of one block, or of one log entry, in sending order. The list may be empty. */
export interface BlockRecords {
  /** Seq of the log entry. */
  readonly seq: number;
  /** Kind of the log entry. Set only in a stream that reports reorgs. */
  readonly change?: LogMove['change'];
  readonly number: number;
  readonly id: string;
  readonly parentId: string;
  /** Time of the block in ms since 1970. Undefined for an entry without a block, and for entries of the log topic. */
  readonly timeMs?: number;
  /** Time when the block was read, in ms since 1970. */
  readonly readAt: number;
  readonly records: readonly EventRecord[];
  /** Number of all records of the block. Set only if some of them are omitted from the list. */
  readonly count?: number;
}

/**
 * Position of a record. Each record also contains the position of the previous record in the same file or partition, so
 * that readers can detect gaps.
 */
export interface RecordPosition {
  readonly seq: number;
  readonly index: number;
}
