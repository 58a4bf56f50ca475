import type { BlockPosition } from '../../follow/block-position.js';

/** Position of the newest record of one topic partition. */
export interface PartitionPosition {
  readonly seq: number;
  readonly index: number;
  /** Kafka offset of the record. If the partition ends before this offset, records were lost. */
  readonly offset: string;
}

/**
 * Value of the cursor record of a sink in the topic `<prefix>.cursor`. It contains everything that a process needs to
 * resume.
 */
export interface SinkCursor {
  readonly version: 1;
  /** Random id of the process that wrote the cursor. */
  readonly owner: string;
  /** Last block whose records are all in the topics; absent before the first block. */
  readonly place?: BlockPosition;
  /**
   * Position of the newest record of each partition, by topic and then by partition. A topic without records has an
   * empty object.
   */
  readonly topics: Readonly<Record<string, Readonly<Record<string, PartitionPosition>>>>;
  /**
   * Number of partitions of each topic when its first record was written. The sink uses only these partitions, even if
   * partitions are added later. Absent in cursors of earlier Tronicle releases.
   */
  readonly partitions?: Readonly<Record<string, number>>;
}

/**
 * Value of the record with which a process takes over a sink. All records of the previous process are before this
 * record.
 */
export interface SinkClaim {
  readonly version: 1;
  /** Random id of the process that takes over. */
  readonly owner: string;
  /** Random id of this claim. A process writes a new claim for its own sink after every error. */
  readonly id: string;
  /** Host and path of the data folder. Absent in claims of earlier Tronicle releases. */
  readonly folder?: string;
}

/**
 * Returns the record key of a sink's claims. It differs from the key of the cursor, so that compaction retains the
 * newest claim and the newest cursor.
 */
export function claimKey(sink: string): string {
  return `${sink}#claim`;
}

/** Decodes a cursor. Returns undefined for a malformed value. */
export function decodeCursor(value: Buffer | null): SinkCursor | undefined {
  try {
    const cursor = JSON.parse(value?.toString() ?? '') as SinkCursor;
    return cursor.version === 1 && typeof cursor.owner === 'string' && typeof cursor.topics === 'object'
      ? cursor
      : undefined;
  } catch {
    return undefined;
  }
}

/** Returns owner and id of a cursor or a claim. Returns an empty object for a malformed value. */
export function decodeClaim(value: Buffer | null | undefined): Partial<SinkClaim> {
  try {
    return JSON.parse(value?.toString() ?? '') as Partial<SinkClaim>;
  } catch {
    return {};
  }
}
