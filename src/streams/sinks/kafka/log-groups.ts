import type { KafkaMessage } from 'kafkajs';
import { decodeLogRecord, type LogRecord, LogRecordError } from '../../../log/log-record.js';
import { itemAt } from '../../../primitives/assert.js';
import { ReplicaError } from '../../../projections/ledger/replica.js';
import { PARTS_MAX } from '../../records/log-parts.js';

/** Log entries of one block, in the order of the log of the followed node. */
export interface LogGroup {
  /** Seq of the first entry in the followed log. */
  readonly seq: number;
  /** Offset of the first record in the topic. */
  readonly offset: bigint;
  readonly records: readonly LogRecord[];
}

/**
 * Joins the records of the log topic: parts to entries, and entries to blocks. Buffers the entries of at most one
 * block. An entry has at most `PARTS_MAX` parts.
 */
export class LogGroups {
  private seq = -1;
  private offset = 0n;
  private records: LogRecord[] = [];
  private parts: Buffer[] = [];

  /**
   * Adds the next record. Returns the block that this record completes, or undefined.
   * @throws {ReplicaError} RECORD_DAMAGED: the record does not follow the previous one, or cannot be decoded
   */
  add(message: Pick<KafkaMessage, 'headers' | 'offset' | 'value'>): LogGroup | undefined {
    const { offset, value } = message;
    const { seq, index, count, part, parts } = groupPositionOf(message);
    if (index === 0 && part === 0) this.begin(seq, BigInt(offset));
    if (seq !== this.seq || index !== this.records.length || part !== this.parts.length || value === null)
      throw unreadable(offset, 'it does not follow the previous record');
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

/** Position of a record of the log topic, from its headers. */
interface RecordPosition {
  /** Seq of the block's first entry in the followed log. */
  readonly seq: number;
  readonly index: number;
  readonly count: number;
  readonly part: number;
  readonly parts: number;
}

/** Maximum number of entries of a block: its `applied` entry, and the `solidified` entry that it caused. */
const ENTRIES_OF_BLOCK_MAX = 2;

/**
 * Reads the position from the headers of a record.
 * @throws {ReplicaError} RECORD_DAMAGED: a header is missing or invalid
 */
export function groupPositionOf({ headers, offset }: Pick<KafkaMessage, 'headers' | 'offset'>): RecordPosition {
  const number = (name: string, fallback?: number): number => {
    const text = headers?.[name]?.toString() ?? (fallback === undefined ? '' : String(fallback));
    if (!/^\d{1,15}$/.test(text)) throw unreadable(offset, `its header ${name} is not a number`);
    return Number(text);
  };
  const position = {
    seq: number('seq'),
    index: number('index'),
    count: number('count'),
    part: number('part', 0),
    parts: number('parts', 1),
  };
  if (position.count > ENTRIES_OF_BLOCK_MAX || position.index >= position.count)
    throw unreadable(offset, `invalid index ${position.index} of ${position.count} entries`);
  if (position.parts > PARTS_MAX || position.part >= position.parts)
    throw unreadable(offset, `invalid part ${position.part} of ${position.parts}; the limit is ${PARTS_MAX} parts`);
  return position;
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
  return new ReplicaError('RECORD_DAMAGED', `damaged record in the log topic at offset ${offset}: ${finding}`);
}
