import kafkajs, { type Message } from 'kafkajs';
import type { BlockRecords } from '../block-records.js';
import { LOG_TOPIC } from '../sink-options.js';
import type { PartitionPlace } from './cursor.js';
import { PART_BYTES_MAX } from './log-topic.js';
import type { TopicShape } from './topics.js';

/** A Kafka record with the place that it gets. */
export interface PlacedRecord {
  readonly topic: string;
  readonly partition: number;
  readonly message: Message;
  /** Upper bound of its size in a batch. */
  readonly bytes: number;
  readonly seq: number;
  readonly index: number;
}

export interface PlaceRecordsOptions {
  readonly topicOf: (trigger: BlockRecords['records'][number]['trigger']) => string;
  readonly shapes: ReadonlyMap<string, TopicShape>;
  /** Newest record of each topic partition (`topic/partition`); brought up to date here. */
  readonly places: Map<string, Pick<PartitionPlace, 'seq' | 'index'>>;
}

const partitionOf = kafkajs.Partitioners.DefaultPartitioner();
/** Length, timestamp, offset and header count of a record, at their largest. */
const RECORD_BYTES = 40;
/** Two lengths. */
const HEADER_BYTES = 10;
/** Head of a record batch, and what compression could add. */
const BATCH_BYTES = 512;

/**
 * Kafka records of a block: partition by key as the Java client chooses it, headers that prove continuity. A value that the topic
 * does not take goes in parts: records that follow each other in the same partition, with headers `part` (from 0) and `parts`.
 */
export function placeRecords(block: BlockRecords, { topicOf, shapes, places }: PlaceRecordsOptions): PlacedRecord[] {
  const { seq, records, change } = block;
  const count = block.count ?? records.length;
  return records.flatMap((record, at) => {
    const { trigger, key, payload, schema, block: of = block, index = at } = record;
    const moved = record.change ?? change;
    const topic = topicOf(trigger);
    const { partitions, batchBytesMax } = shapes.get(topic)!;
    const partition = choosePartition(topic, key, partitions);
    const place = `${topic}/${partition}`;
    const before = places.get(place);
    places.set(place, { seq, index });
    const headers: Record<string, string> = {
      seq: String(seq),
      index: String(index),
      count: String(count),
      blockNum: String(of.number),
      blockId: of.id,
      parentId: of.parentId,
      ...(moved && { change: moved }),
      ...(before && { prevSeq: String(before.seq), prevIndex: String(before.index) }),
      ...(schema !== undefined && { 'content-type': 'application/x-protobuf', schema }),
    };
    const value = typeof payload === 'string' ? Buffer.from(payload) : asBuffer(payload);
    const overhead = BATCH_BYTES + RECORD_BYTES + Buffer.byteLength(key) + headerBytes(headers) + 2 * PART_HEADER_BYTES;
    const room = Math.max(
      1024,
      Math.min(batchBytesMax - overhead, trigger === LOG_TOPIC ? PART_BYTES_MAX : batchBytesMax),
    );
    const parts = Math.ceil(value.length / room);
    return Array.from({ length: Math.max(1, parts) }, (_, part) => {
      const slice = parts <= 1 ? value : value.subarray(part * room, (part + 1) * room);
      const own = parts <= 1 ? headers : { ...headers, part: String(part), parts: String(parts) };
      const message = { key, value: slice, headers: own, partition };
      return { topic, partition, message, bytes: overhead - BATCH_BYTES + slice.length, seq, index };
    });
  });
}

function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** Bytes of `part` or `parts` with a number. */
const PART_HEADER_BYTES = 24;

function headerBytes(headers: Readonly<Record<string, string>>): number {
  let bytes = 0;
  for (const [name, value] of Object.entries(headers)) bytes += name.length + value.length + HEADER_BYTES;
  return bytes;
}

function choosePartition(topic: string, key: string, partitions: number): number {
  if (partitions === 1) return 0;
  const partitionMetadata = Array.from({ length: partitions }, (_, partitionId) => ({
    partitionId,
    leader: 0,
    isr: [],
    replicas: [],
    partitionErrorCode: 0,
  }));
  return partitionOf({ topic, partitionMetadata, message: { key, value: null } });
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
    const batch = (batches.get(place) ?? BATCH_BYTES) + record.bytes;
    const isFull = batch > shapes.get(record.topic)!.batchBytesMax || total + record.bytes > REQUEST_BYTES;
    if (isFull && request.length > 0) {
      yield request;
      [request, total, batches] = [[], 0, new Map()];
    }
    request.push(record);
    total += record.bytes;
    batches.set(place, (batches.get(place) ?? BATCH_BYTES) + record.bytes);
  }
  if (request.length > 0) yield request;
}
