import type { BlockPosition } from '../../follow/block-position.js';

/** The newest record of one topic partition. */
export interface PartitionPosition {
  readonly seq: number;
  readonly index: number;
  /** Its offset: a topic that ends before it has lost records. */
  readonly offset: string;
}

/** Value of a record in `<prefix>.cursor`: all that a process needs to go on from. */
export interface SinkCursor {
  readonly version: 1;
  /** Random name of the process that wrote it. */
  readonly owner: string;
  /** Last block whose records are all in the topics; absent before the first. */
  readonly place?: BlockPosition;
  /** By topic, then by partition; a topic without records yet has no partitions. */
  readonly topics: Readonly<Record<string, Readonly<Record<string, PartitionPosition>>>>;
}

/** Written when a process takes a sink over, to find the end of what came before. */
export interface SinkClaim {
  readonly version: 1;
  readonly owner: string;
  /** Another one for each claim: a process takes its own sink over again after every error. */
  readonly id: string;
}

/** Key of the claims of a sink: another than the cursor's, so that a compacted topic keeps both. */
export function claimKey(sink: string): string {
  return `${sink}#claim`;
}

/** Undefined for bytes that no sink wrote. */
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

/** Owner and id in a cursor or claim; empty for bytes that no sink wrote. */
export function decodeClaim(value: Buffer | null | undefined): Partial<SinkClaim> {
  try {
    return JSON.parse(value?.toString() ?? '') as Partial<SinkClaim>;
  } catch {
    return {};
  }
}
