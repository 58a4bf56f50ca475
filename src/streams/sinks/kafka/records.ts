import kafkajs, { type PartitionMetadata } from 'kafkajs';
import { itemAt, present } from '../../../domain/assert.js';
import { LOG_TOPIC } from '../../event-kinds.js';
import type { BlockRecords, EventRecord } from '../../records/event-record.js';
import { PART_BYTES_MAX } from '../../records/log-parts.js';
import type { PartitionPlace } from './cursor.js';
import { encodeHeader, encodeRecordBody, RECORD_HEAD_BYTES } from './encode-record.js';
import type { TopicShape } from './topics.js';

/** A Kafka record with the place that it gets. */
export interface PlacedRecord {
  readonly topic: string;
  readonly partition: number;
  /** Key, value and headers, encoded. */
  readonly body: Buffer;
  readonly seq: number;
  readonly index: number;
}

interface PlaceRecordsOptions {
  readonly topicOf: (trigger: EventRecord['trigger']) => string;
  readonly shapes: ReadonlyMap<string, TopicShape>;
  /** Newest record of each topic partition (`topic/partition`); brought up to date here. */
  readonly places: Map<string, Pick<PartitionPlace, 'seq' | 'index'>>;
}

const partitionOf = kafkajs.Partitioners.DefaultPartitioner();
/** Head of a record batch. */
const BATCH_BYTES = 512;
/** Lengths of key and value, `part` and `parts` with their numbers. */
const LENGTHS_BYTES = 64;

/**
 * Kafka records of a block: partition by key as the Java client chooses it, headers that prove continuity. A value that the topic
 * does not take goes in parts: records that follow each other in the same partition, with headers `part` (from 0) and `parts`.
 */
export function placeRecords(block: BlockRecords, options: PlaceRecordsOptions): PlacedRecord[] {
  const { seq, records, change } = block;
  const placed: PlacedRecord[] = [];
  const head = encodeHeader('seq', seq);
  const count = encodeHeader('count', block.count ?? records.length);
  const own = blockHeaders(block);
  for (let at = 0; at < records.length; at++) {
    const record = itemAt(records, at);
    const { index = at, block: of, schema } = record;
    const moved = record.change ?? change;
    const { topic, partition, room, before } = placementOf(record, { seq, index }, options);
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
    if (schema !== undefined) {
      headers += encodeHeader('content-type', 'application/x-protobuf') + encodeHeader('schema', schema);
      names += 2;
    }
    const encoded = { count: names, bytes: headers };
    for (const body of bodiesOf(record, room - headers.length, encoded))
      placed.push({ topic, partition, body, seq, index });
  }
  return placed;
}

/** `seq`, `index`, `count` and those of the block. */
const FIXED_HEADERS = 6;

function blockHeaders({ number, id, parentId }: NonNullable<EventRecord['block']>): string {
  return encodeHeader('blockNum', number) + encodeHeader('blockId', id) + encodeHeader('parentId', parentId);
}

interface Placement {
  readonly topic: string;
  readonly partition: number;
  /** Bytes that headers and value may take together. */
  readonly room: number;
  /** The record before it in its partition. */
  readonly before: Pick<PartitionPlace, 'seq' | 'index'> | undefined;
}

function placementOf(
  { trigger, key }: EventRecord,
  place: Pick<PartitionPlace, 'seq' | 'index'>,
  { topicOf, shapes, places }: PlaceRecordsOptions,
): Placement {
  const topic = topicOf(trigger);
  const { partitions, batchBytesMax } = shapeOf(shapes, topic);
  const partition = choosePartition(topic, key, partitions);
  const name = `${topic}/${partition}`;
  const before = places.get(name);
  places.set(name, place);
  const room = batchBytesMax - BATCH_BYTES - RECORD_HEAD_BYTES - LENGTHS_BYTES - Buffer.byteLength(key);
  return { topic, partition, room, before };
}

function shapeOf(shapes: ReadonlyMap<string, TopicShape>, topic: string): TopicShape {
  return present(shapes.get(topic), 'each topic was looked at when the sink was opened');
}

/** The record, or its parts where its value is larger than there is room. */
function bodiesOf(
  { key, payload, trigger }: EventRecord,
  room: number,
  headers: { readonly count: number; readonly bytes: string },
): readonly Buffer[] {
  const most = Math.max(1024, trigger === LOG_TOPIC ? Math.min(room, PART_BYTES_MAX) : room);
  const length = typeof payload === 'string' ? Buffer.byteLength(payload) : payload.length;
  if (length <= most) return [encodeRecordBody(key, payload, headers)];
  const value = typeof payload === 'string' ? Buffer.from(payload) : payload;
  const parts = Math.ceil(length / most);
  return Array.from({ length: parts }, (_, part) => {
    const bytes = headers.bytes + encodeHeader('part', part) + encodeHeader('parts', parts);
    return encodeRecordBody(key, value.subarray(part * most, (part + 1) * most), { count: headers.count + 2, bytes });
  });
}

function choosePartition(topic: string, key: string, partitions: number): number {
  if (partitions === 1) return 0;
  return partitionOf({ topic, partitionMetadata: metadataOf(partitions), message: { key, value: null } });
}

const metadata = new Map<number, PartitionMetadata[]>();

/** What the library's partitioner asks for: it only counts them. */
function metadataOf(partitions: number): PartitionMetadata[] {
  const known = metadata.get(partitions);
  if (known !== undefined) return known;
  const nodes = { leader: 0, isr: [], replicas: [], partitionErrorCode: 0 };
  const made = Array.from({ length: partitions }, (_, partitionId) => ({ partitionId, ...nodes }));
  metadata.set(partitions, made);
  return made;
}

/** Bytes of one produce request: a broker takes 100 MB, memory is dearer. */
const REQUEST_BYTES = 8 * 1024 * 1024;

/** Cuts records into produce requests whose batches (one per partition) the topics take; order stays. */
export function* requestsOf(
  records: readonly PlacedRecord[],
  shapes: ReadonlyMap<string, TopicShape>,
): Generator<readonly PlacedRecord[]> {
  let request: PlacedRecord[] = [];
  let total = 0;
  let batches = new Map<string, number>();
  for (const record of records) {
    const place = `${record.topic}/${record.partition}`;
    const bytes = RECORD_HEAD_BYTES + record.body.length;
    const batch = (batches.get(place) ?? BATCH_BYTES) + bytes;
    const isFull = batch > shapeOf(shapes, record.topic).batchBytesMax || total + bytes > REQUEST_BYTES;
    if (isFull && request.length > 0) {
      yield request;
      [request, total, batches] = [[], 0, new Map()];
    }
    request.push(record);
    total += bytes;
    batches.set(place, (batches.get(place) ?? BATCH_BYTES) + bytes);
  }
  if (request.length > 0) yield request;
}
