import type { KafkaMessage } from 'kafkajs';
import { decodeLogRecord, type LogRecord, LogRecordError } from '../../../log/log-record.js';
import { itemAt } from '../../../primitives/assert.js';
import { ReplicaError } from '../../../projections/ledger/replica.js';
import { PARTS_MAX } from '../../records/log-parts.js';

/** Entries of one block, as they were appended to the log that is followed. */
export interface LogGroup {
  /** Number of the first of them in the log. */
  readonly seq: number;
  /** Offset of its first record. */
  readonly offset: bigint;
  readonly records: readonly LogRecord[];
}

/**
 * Puts records of the log's topic together: parts to entries, entries to those of a block. Holds the entries of one
 * block at most, each of `PARTS_MAX` parts at most.
 */
export class LogGroups {
  private seq = -1;
  private offset = 0n;
  private records: LogRecord[] = [];
  private parts: Buffer[] = [];

  /** The next record in the order of the topic; the block that it completes. @throws {ReplicaError} RECORD_DAMAGED */
  add(message: Pick<KafkaMessage, 'headers' | 'offset' | 'value'>): LogGroup | undefined {
    const { offset, value } = message;
    const { seq, index, count, part, parts } = groupPositionOf(message);
    if (index === 0 && part === 0) this.begin(seq, BigInt(offset));
    if (seq !== this.seq || index !== this.records.length || part !== this.parts.length || value === null)
      throw unreadable(offset, 'it does not follow the one before it');
    this.parts.push(value);
    if (this.parts.length < parts) return undefined;
    this.records.push(decode(offset, this.parts));
    this.parts = [];
    return this.records.length < count ? undefined : { seq, offset: this.offset, records: this.records };
  }

  private begin(seq: number, offset: bigint): void {
    [this.seq, this.offset] = [seq, offset];
    [this.records, this.parts] = [[], []];
  }
}

/** What the headers of a record say of its place. */
interface RecordPlace {
  /** Number, in the log that is followed, of the first entry of its block. */
  readonly seq: number;
  readonly index: number;
  readonly count: number;
  readonly part: number;
  readonly parts: number;
}

/** A block has one entry of its own, and one for what it made irreversible. */
const ENTRIES_OF_BLOCK_MAX = 2;

/** @throws {ReplicaError} RECORD_DAMAGED */
export function groupPositionOf({ headers, offset }: Pick<KafkaMessage, 'headers' | 'offset'>): RecordPlace {
  const number = (name: string, fallback?: number): number => {
    const text = headers?.[name]?.toString() ?? (fallback === undefined ? '' : String(fallback));
    if (!/^\d{1,15}$/.test(text)) throw unreadable(offset, `its header ${name} is no number`);
    return Number(text);
  };
  const place = {
    seq: number('seq'),
    index: number('index'),
    count: number('count'),
    part: number('part', 0),
    parts: number('parts', 1),
  };
  if (place.count > ENTRIES_OF_BLOCK_MAX || place.index >= place.count)
    throw unreadable(offset, `it is ${place.index} of ${place.count} entries of a block`);
  if (place.parts > PARTS_MAX || place.part >= place.parts)
    throw unreadable(offset, `it is part ${place.part} of ${place.parts}, where ${PARTS_MAX} are put together at most`);
  return place;
}

function decode(offset: string, parts: readonly Buffer[]): LogRecord {
  try {
    return decodeLogRecord(parts.length === 1 ? itemAt(parts, 0) : Buffer.concat(parts));
  } catch (error) {
    if (error instanceof LogRecordError) throw unreadable(offset, error.message);
    throw error;
  }
}

function unreadable(offset: string, finding: string): ReplicaError {
  return new ReplicaError('RECORD_DAMAGED', `the record at offset ${offset} of the log's topic is damaged: ${finding}`);
}
