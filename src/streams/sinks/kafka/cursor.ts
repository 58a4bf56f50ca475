import type { BlockPosition } from '../../follow/block-position.js';

/** The newest record of one topic partition. */
export interface PartitionPosition {
  readonly seq: number;
  readonly index: number;
  /** Offset of the record. If the topic ends before it, records were lost. */
  readonly offset: string;
}

/** Value of a record in `<prefix>.cursor`, which contains all that a process needs to resume. */
export interface SinkCursor {
  readonly version: 1;
  /** Random id of the process that wrote the cursor. */
  readonly owner: string;
  /** Last block whose records are all in the topics; absent before the first one. */
  readonly place?: BlockPosition;
  /** Newest records by topic, then by partition. A topic without records has no partitions. */
  readonly topics: Readonly<Record<string, Readonly<Record<string, PartitionPosition>>>>;
  /**
   * Number of partitions of each topic at the first record. Records keep these partitions, even if others are added.
   * Absent in cursors of older releases.
   */
  readonly partitions?: Readonly<Record<string, number>>;
}

/** Value of a record that a process writes when it takes over a sink. Records of the previous process are before it. */
export interface SinkClaim {
  readonly version: 1;
  readonly owner: string;
  /** Unique per claim, because a process claims its own sink again after every error. */
  readonly id: string;
  /** Host and path of the data folder; absent in claims of older releases. */
  readonly folder?: string;
}

/** Returns the record key of a sink's claims. It differs from the cursor's, so a compacted topic keeps both. */
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

/** Returns owner and id of a cursor or claim; an empty object for a malformed value. */
export function decodeClaim(value: Buffer | null | undefined): Partial<SinkClaim> {
  try {
    return JSON.parse(value?.toString() ?? '') as Partial<SinkClaim>;
  } catch {
    return {};
  }
}
