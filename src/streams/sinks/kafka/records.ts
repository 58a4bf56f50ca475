import { itemAt, present } from '../../../primitives/assert.js';
import { type EventTrigger, LOG_TRIGGER_TOPIC } from '../../event-kinds.js';
import type { BlockRecords, EventRecord, PayloadSchema } from '../../records/event-record.js';
import { PART_BYTES_MAX } from '../../records/log-parts.js';
import { jsonSchemaName } from '../../records/schema/schema-name.js';
import { choosePartition } from './choose-partition.js';
import type { PartitionPosition } from './cursor.js';
import { encodeHeader, encodeRecordBody, RECORD_HEAD_BYTES, type TimedBody } from './encode-record.js';
import { CONTENT_TYPES, FORMAT_HEADERS } from './record-headers.js';
import type { TopicShape } from './topics.js';

/** Newest position and size limits of one topic partition. */
interface TopicPartition {
  readonly topic: string;
  readonly partition: number;
  /** Name of the form `topic/partition`. */
  readonly name: string;
  readonly batchBytesMax: number;
  /** Position of the newest record in the partition; undefined if the partition has no records. */
  newest: Pick<PartitionPosition, 'seq' | 'index'> | undefined;
}

/** An encoded Kafka record with its target partition and position. */
interface PositionedRecord extends TimedBody {
  readonly to: TopicPartition;
  readonly seq: number;
  readonly index: number;
}

interface TopicPartitionsOptions {
  readonly topicOf: (trigger: EventRecord['trigger']) => string;
  readonly shapes: ReadonlyMap<string, TopicShape>;
  /** Position of the previous record of each topic partition (`topic/partition`), before this request. */
  readonly positions: ReadonlyMap<string, Pick<PartitionPosition, 'seq' | 'index'>>;
}

/**
 * The topic partitions of a sink, by trigger and by topic. Caches their names, because building a name for every record
 * is slow.
 */
export class TopicPartitions {
  private readonly options: TopicPartitionsOptions;
  private readonly byTrigger = new Map<EventRecord['trigger'], readonly TopicPartition[]>();
  private readonly byTopic = new Map<string, readonly TopicPartition[]>();

  constructor(options: TopicPartitionsOptions) {
    this.options = options;
  }

  /** Returns the partition for a record's key, with the default algorithm of the Java client. */
  of({ trigger, key }: EventRecord): TopicPartition {
    const all = this.byTrigger.get(trigger) ?? this.open(trigger);
    const first = itemAt(all, 0);
    return all.length === 1 ? first : itemAt(all, choosePartition(key, all.length));
  }

  /** Returns the partitions of a trigger's topic. Two triggers may have the same topic. */
  private open(trigger: EventRecord['trigger']): readonly TopicPartition[] {
    const topic = this.options.topicOf(trigger);
    const known = this.byTopic.get(topic) ?? this.partitionsOf(topic);
    this.byTopic.set(topic, known);
    this.byTrigger.set(trigger, known);
    return known;
  }

  private partitionsOf(topic: string): readonly TopicPartition[] {
    const { shapes, positions } = this.options;
    const shape = present(shapes.get(topic), 'each topic was checked when the sink was opened');
    const { batchBytesMax } = shape;
    return Array.from({ length: shape.partitions }, (_, partition) => {
      const name = `${topic}/${partition}`;
      return { topic, partition, name, batchBytesMax, newest: positions.get(name) };
    });
  }
}

/** Bytes reserved for the head of a record batch. */
const BATCH_BYTES = 512;
/**
 * Bytes reserved for a record and its batch, in addition to key, value and the usual headers. They cover lengths,
 * offsets, and the headers `part` and `parts`.
 */
const RESERVED_BYTES = BATCH_BYTES + RECORD_HEAD_BYTES + 64;

/**
 * Creates the Kafka records of a block. The key selects the partition as in the Java client. The timestamp is that of
 * the block. Readers detect gaps by the headers. A value above the topic's limit is split into consecutive records of
 * one partition, with the headers `part` (from 0) and `parts`.
 */
export function assignPositions(block: BlockRecords, partitions: TopicPartitions): PositionedRecord[] {
  const { seq, records, change } = block;
  const placed: PositionedRecord[] = [];
  const head = encodeHeader('seq', seq);
  const count = encodeHeader('count', block.count ?? records.length);
  const own = blockHeaders(block);
  const now = Date.now();
  for (let at = 0; at < records.length; at++) {
    const record = itemAt(records, at);
    const { index = at, block: of, schema } = record;
    const moved = record.change ?? change;
    const to = partitions.of(record);
    const { newest: before } = to;
    to.newest = { seq, index };
    let names = FIXED_HEADERS;
    let headers = head + encodeHeader('index', index) + count + (of === undefined ? own : blockHeaders(of));
    if (moved !== undefined) {
      headers += encodeHeader('change', moved);
      names += 1;
    }
    if (before !== undefined) {
      headers += encodeHeader('prevSeq', before.seq) + encodeHeader('prevIndex', before.index);
      names += 2;
    }
    // Records of the log topic have no headers for the format, because only replicas read them.
    if (record.trigger !== LOG_TRIGGER_TOPIC) {
      headers += schema === undefined ? jsonFormat(record.trigger) : binaryFormat(schema);
      names += 2;
    }
    const encoded = { count: names, bytes: headers };
    const bytesMax = to.batchBytesMax - RESERVED_BYTES - Buffer.byteLength(record.key) - headers.length;
    const timeMs = timestampOf((of ?? block).timeMs, now);
    for (const body of bodiesOf(record, bytesMax, encoded)) placed.push({ to, body, timeMs, seq, index });
  }
  return placed;
}

/**
 * Returns the timestamp of a record in ms: the time of its block. It is at least 0 and at most `now`, because brokers
 * reject other times.
 * @param now time of sending, which is used for records without a block
 */
function timestampOf(timeMs: number | undefined, now: number): number {
  return timeMs === undefined ? now : Math.max(0, Math.min(timeMs, now));
}

/**
 * Caches of the encoded headers `content-type` and `schema`, by format. The key is the trigger name for JSON, and the
 * name of the schema for other formats.
 */
const formats = {
  json: new Map<string, string>(),
  protobuf: new Map<string, string>(),
  avro: new Map<string, string>(),
};

function jsonFormat(trigger: EventTrigger): string {
  return formats.json.get(trigger) ?? formatHeaders('json', trigger, jsonSchemaName(trigger));
}

function binaryFormat({ format, name }: PayloadSchema): string {
  return formats[format].get(name) ?? formatHeaders(format, name, name);
}

function formatHeaders(format: keyof typeof formats, name: string, schema: string): string {
  const { contentType: typeName, schema: schemaName } = FORMAT_HEADERS;
  const encoded = encodeHeader(typeName, CONTENT_TYPES[format]) + encodeHeader(schemaName, schema);
  formats[format].set(name, encoded);
  return encoded;
}

/** Number of fixed headers: `seq`, `index`, `count`, and three headers of the block. */
const FIXED_HEADERS = 6;

function blockHeaders({ number, id, parentId }: NonNullable<EventRecord['block']>): string {
  return encodeHeader('blockNum', number) + encodeHeader('blockId', id) + encodeHeader('parentId', parentId);
}

/** Returns the body of the record. If the value is larger than `bytesMax` bytes, returns the bodies of its parts. */
function bodiesOf(
  { key, payload, trigger }: EventRecord,
  bytesMax: number,
  headers: { readonly count: number; readonly bytes: string },
): readonly Buffer[] {
  const most = Math.max(1024, trigger === LOG_TRIGGER_TOPIC ? Math.min(bytesMax, PART_BYTES_MAX) : bytesMax);
  const length = typeof payload === 'string' ? Buffer.byteLength(payload) : payload.length;
  if (length <= most) return [encodeRecordBody(key, payload, headers)];
  const value = typeof payload === 'string' ? Buffer.from(payload) : payload;
  const parts = Math.ceil(length / most);
  return Array.from({ length: parts }, (_, part) => {
    const bytes = headers.bytes + encodeHeader('part', part) + encodeHeader('parts', parts);
    return encodeRecordBody(key, value.subarray(part * most, (part + 1) * most), { count: headers.count + 2, bytes });
  });
}

/** Maximum size of a batch in bytes. Brokers accept 100 MB, but a larger batch needs more memory. */
const BATCH_BYTES_MAX = 8 * 1024 * 1024;

/** Records of one partition that are sent in one produce request. */
export interface PartitionBatch {
  readonly to: TopicPartition;
  readonly records: readonly PositionedRecord[];
}

/** Splits records into batches within the topics' batch limits. Keeps the order of the records of each partition. */
export function* batchesOf(records: readonly PositionedRecord[]): Generator<PartitionBatch> {
  const batches = new Map<TopicPartition, { readonly records: PositionedRecord[]; bytes: number }>();
  for (const record of records) {
    const { to, body } = record;
    const bytes = RECORD_HEAD_BYTES + body.length;
    let batch = batches.get(to);
    if (batch !== undefined && batch.bytes + bytes > Math.min(to.batchBytesMax, BATCH_BYTES_MAX)) {
      yield { to, records: batch.records };
      batch = undefined;
    }
    if (batch === undefined) {
      batch = { records: [], bytes: BATCH_BYTES };
      batches.set(to, batch);
    }
    batch.records.push(record);
    batch.bytes += bytes;
  }
  for (const [to, batch] of batches) yield { to, records: batch.records };
}
