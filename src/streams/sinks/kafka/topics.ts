import kafkajs, { type Admin } from 'kafkajs';
import { LOG_TRIGGER_TOPIC, type Trigger } from '../../event-kinds.js';
import { SinkError } from '../../sink-error.js';
import type { LostRecords, StoredCheckpoint } from '../checkpoint-file.js';
import { type Access, requestMetadata } from './access.js';
import type { SinkCursor } from './cursor.js';
import { errorTypes } from './kafka-error.js';
import type { KafkaSinkOptions } from './kafka-options.js';
import { topicOffsets, untilTopicReady } from './topic-offsets.js';

/** Partitions, batch limit and retention of a topic. */
export interface TopicShape {
  /** Number of partitions that receive records. */
  readonly partitions: number;
  /** Maximum size of a record batch in bytes. */
  readonly batchBytesMax: number;
  /**
   * Age of records in ms, by their timestamp, at which the broker deletes them. Undefined if the broker does not delete
   * them by age.
   */
  readonly retentionMs?: number | undefined;
}

/** Batch limit in bytes if the broker reports no limit: Kafka's default minus a margin. */
const BATCH_BYTES_DEFAULT = 1_000_000;
/** Minimum batch limit in bytes: one part of 1 kB with its key and headers, plus a margin. */
const BATCH_BYTES_MIN = 4096;

export function topicName({ prefix, topicNames }: KafkaSinkOptions, trigger: Trigger): string {
  return topicNames.get(trigger) ?? `${prefix}.${trigger}`;
}

export function cursorTopic({ prefix }: KafkaSinkOptions): string {
  return `${prefix}.cursor`;
}

interface EnsureCursorTopicOptions {
  readonly admin: Admin;
  readonly access: Access;
  readonly sink: KafkaSinkOptions;
  /** Checkpoint of the sink in this data folder; undefined if it does not exist. */
  readonly stored: StoredCheckpoint | undefined;
}

/**
 * Creates the cursor topic if the topic does not exist. All sinks with the same prefix share one cursor topic.
 * @throws {SinkError} the topic does not exist although the sink has already forwarded: the topic was deleted
 */
export async function ensureCursorTopic(options: EnsureCursorTopicOptions): Promise<void> {
  const { admin, access, sink, stored } = options;
  const topic = cursorTopic(sink);
  if ((await access.existing(admin, [topic])).has(topic)) return;
  if (stored !== undefined) throw deleted(sink, topic, stored);
  await create(options, topic, 1, [
    // Compaction keeps the newest record of each sink, regardless of its age.
    { name: 'cleanup.policy', value: 'compact' },
    UNCOMPRESSED,
  ]);
}

interface EnsureTopicsOptions extends EnsureCursorTopicOptions {
  readonly cursor: SinkCursor | undefined;
}

/**
 * Creates the topics at the sink's first start. At later starts, creates topics for new triggers.
 * @throws {SinkError} a topic was deleted or truncated, is compacted, has lost partitions, has a too small batch limit,
 * or has records that the cursor does not contain
 */
export async function ensureTopics(options: EnsureTopicsOptions): Promise<CheckedTopics> {
  const { admin, access, sink, cursor, stored } = options;
  checkCursor(options);
  const names = new Set(sink.topics.map((trigger) => topicName(sink, trigger)));
  const existing = await access.existing(admin, [...names]);
  for (const topic of names) {
    const positions = cursor?.topics[topic];
    if (!existing.has(topic)) {
      if (positions !== undefined) throw deleted(sink, topic, cursor?.place ?? stored);
      await create(options, topic, sink.partitions, isLog(sink) ? PERMANENT : ANY_AGE);
      continue;
    }
    for (const { partition, high } of await topicOffsets(admin, topic)) {
      const position = positions?.[partition];
      const isShort = position !== undefined && BigInt(high) <= BigInt(position.offset);
      if (isShort || isLost(stored?.lost, topic, partition, high))
        throw shortened(sink, topic, partition, cursor?.place?.number);
      if (positions === undefined && BigInt(high) > 0n) {
        throw new SinkError(
          `topic ${topic} has records, but ${cursorTopic(sink)} has no cursor of sink ${sink.name} for this topic; set another prefix ` +
            'or topic for the sink, or delete the topic to send everything again',
        );
      }
    }
  }
  const began = new Map(Object.entries(cursor?.partitions ?? {}));
  return checkTopics({ admin, access, sink, began, number: cursor?.place?.number });
}

/**
 * Returns true if a partition lost records while the sink was open, and is not restored yet.
 * @param high next offset of the partition
 */
function isLost(lost: LostRecords | undefined, topic: string, partition: number, high: string): boolean {
  return lost?.topic === topic && lost.partition === partition && BigInt(high) > BigInt(lost.offset);
}

/** Result of the check of the topics of a sink: the shape of each topic, and notes for the operator. */
export interface CheckedTopics {
  readonly shapes: ReadonlyMap<string, TopicShape>;
  /** Facts that the operator should know, although the sink forwards. */
  readonly notes: readonly string[];
}

interface CheckTopicsOptions extends Omit<EnsureCursorTopicOptions, 'stored'> {
  /**
   * Number of partitions of each topic when its first record was written. Contains only topics for which this number is
   * known.
   */
  readonly began: ReadonlyMap<string, number>;
  /** Height of the last forwarded block; undefined if none was forwarded. */
  readonly number: number | undefined;
}

/**
 * Checks partitions and configuration of existing topics. Changes nothing.
 * @throws {SinkError} a topic is compacted, has lost partitions, or has a too small batch limit
 */
export async function checkTopics(options: CheckTopicsOptions): Promise<CheckedTopics> {
  const { admin, access, sink, began, number } = options;
  const names = [...new Set(sink.topics.map((trigger) => topicName(sink, trigger)))];
  const all = [...names, cursorTopic(sink)];
  const { topics } = await access.attempt({ operation: 'Describe', topics: all }, () =>
    requestMetadata(() => admin.fetchTopicMetadata({ topics: all })),
  );
  const configs = await configsOf(admin, all);
  const notes: string[] = [];
  if (configs === undefined)
    notes.push(
      `Kafka denies DescribeConfigs on topics ${all.join(', ')}, so cleanup.policy, retention.ms and max.message.bytes are not checked`,
    );
  const shapes = new Map<string, TopicShape>();
  for (const { name, partitions } of topics) {
    const config = configs?.get(name);
    const batchBytesMax = config?.batchBytesMax ?? BATCH_BYTES_DEFAULT;
    checkBatchLimit(sink, name, batchBytesMax);
    const first = began.get(name) ?? partitions.length;
    if (names.includes(name)) {
      if (config?.cleanupPolicy.includes('compact') === true) throw compacted(sink, name);
      if (partitions.length < first) throw shortened(sink, name, partitions.length, number);
      if (partitions.length > first) notes.push(grown(name, first, partitions.length));
    } else if (config?.cleanupPolicy.includes('delete') === true) notes.push(expiringCursor(sink));
    const retentionMs = names.includes(name) ? config?.retentionMs : undefined;
    shapes.set(name, { partitions: first, batchBytesMax, retentionMs });
  }
  return { shapes, notes };
}

function checkBatchLimit(sink: KafkaSinkOptions, topic: string, batchBytesMax: number): void {
  if (batchBytesMax >= BATCH_BYTES_MIN) return;
  throw new SinkError(
    `the batch limit of topic ${topic} is ${batchBytesMax} bytes, but at least ${BATCH_BYTES_MIN} are needed; raise ` +
      `max.message.bytes of the topic, then ${howToResume(sink)}`,
  );
}

/**
 * Returns the error for a compacted topic. Compaction deletes all records of a key but the newest, so readers would see
 * gaps and incomplete large records.
 */
function compacted(sink: KafkaSinkOptions, topic: string): SinkError {
  return new SinkError(
    `topic ${topic} has cleanup.policy=compact, which deletes records that sink ${sink.name} has forwarded; set ` +
      `cleanup.policy=delete, then ${howToResume(sink)}`,
  );
}

/**
 * Returns the note for a topic with added partitions. The sink does not use the added partitions, because new records
 * of a key could then be in another partition than its older records.
 */
function grown(topic: string, first: number, now: number): string {
  return (
    `topic ${topic} has ${now} partitions, but had ${first} when the sink sent its first record; only the first ${first} partitions receive records, ` +
    'to keep the order of each key'
  );
}

/** Returns the note for a cursor topic from which the broker deletes old records. */
function expiringCursor(sink: KafkaSinkOptions): string {
  return (
    `topic ${cursorTopic(sink)} has cleanup.policy=delete, so the broker deletes the position of sink ${sink.name} if the sink forwards ` +
    'nothing for retention.ms, and the sink could not resume; set cleanup.policy=compact'
  );
}

/**
 * Returns a note for each topic whose retention is shorter than the age of a record.
 * @param timeMs time of the record in ms since 1970
 * @param now current time in ms since 1970
 */
export function expiryNotes(shapes: ReadonlyMap<string, TopicShape>, timeMs: number, now: number): readonly string[] {
  return [...shapes].flatMap(([topic, { retentionMs }]) =>
    retentionMs === undefined || now - timeMs <= retentionMs
      ? []
      : [
          `topic ${topic} has retention.ms=${retentionMs}, but the sink forwards older blocks, so the broker deletes ` +
            'their records; set retention.ms=-1 to keep all records',
        ],
  );
}

function isLog({ topics }: KafkaSinkOptions): boolean {
  return topics.includes(LOG_TRIGGER_TOPIC);
}

/**
 * Configuration of new topics: records do not expire. The timestamp of a record is the time of its block, so a broker
 * with an age limit would immediately delete old blocks.
 */
const ANY_AGE = [
  { name: 'cleanup.policy', value: 'delete' },
  { name: 'retention.ms', value: '-1' },
];
/**
 * Configuration of topics that this program reads: the broker stores records as it receives them. kafkajs cannot read
 * the codecs LZ4, Snappy and zstd, which can be the default of a cluster.
 */
const UNCOMPRESSED = { name: 'compression.type', value: 'producer' };
/** Configuration of the log topic: records are never deleted, because a new replica needs the first entry. */
const PERMANENT = [...ANY_AGE, { name: 'retention.bytes', value: '-1' }, UNCOMPRESSED];

function checkCursor({ sink, cursor, stored }: EnsureTopicsOptions): void {
  if (stored === undefined) return;
  const number = cursor?.place?.number;
  if (number !== undefined && number >= stored.number) return;
  const has = number === undefined ? 'no cursor' : `a cursor at block ${number}`;
  throw new SinkError(
    `topic ${cursorTopic(sink)} has ${has} of sink ${sink.name}, although the sink has forwarded block ${stored.number}: the topic was ` +
      `truncated, or the sink now uses another cluster. ${remedy(sink)}`,
  );
}

function deleted(sink: KafkaSinkOptions, topic: string, position: { readonly number: number } | undefined): SinkError {
  const upTo = position === undefined ? '' : ` up to block ${position.number}`;
  return new SinkError(
    `topic ${topic} is missing, although sink ${sink.name} has sent records to this topic${upTo}: the topic was deleted. ${remedy(sink)}`,
  );
}

/** Returns the error for a topic that has lost records. @param number height of the block of the last record */
export function shortened(
  sink: KafkaSinkOptions,
  topic: string,
  partition: number,
  number: number | undefined,
): SinkError {
  return new SinkError(
    `topic ${topic}, partition ${partition}, ends before the last record that sink ${sink.name} has forwarded (block ` +
      `${number}): the topic was truncated or recreated. ${remedy(sink)}`,
  );
}

function remedy(sink: KafkaSinkOptions): string {
  return (
    `Restore the topic and ${howToResume(sink)}. Or set a new name and new topics for the sink (name, prefix or topicNames in ` +
    'tronicle.sinks) to send everything again from the first block. The sink is stopped until then'
  );
}

function howToResume({ name }: KafkaSinkOptions): string {
  return `run 'tronicle stream resume ${name}'`;
}

async function create(
  { admin, access, sink }: EnsureCursorTopicOptions,
  topic: string,
  numPartitions: number,
  configEntries: { name: string; value: string }[],
): Promise<void> {
  const topics = [{ topic, numPartitions, replicationFactor: sink.replication, configEntries }];
  // Does not use `waitForLeaders`, because kafkajs would fail if the answering broker does not know the topic yet.
  await access.attempt({ operation: 'Create', topics: [topic] }, () =>
    admin.createTopics({ waitForLeaders: false, topics }),
  );
  await access.attempt({ operation: 'Describe', topics: [topic] }, () => untilTopicReady(admin, topic));
}

interface TopicConfig {
  readonly batchBytesMax: number | undefined;
  readonly cleanupPolicy: string;
  readonly retentionMs: number | undefined;
}

/** Returns the configuration of topics; undefined if the cluster does not allow this client to read it. */
async function configsOf(
  admin: Admin,
  names: readonly string[],
): Promise<ReadonlyMap<string, TopicConfig> | undefined> {
  try {
    const { resources } = await admin.describeConfigs({
      includeSynonyms: false,
      resources: names.map((name) => ({
        type: kafkajs.ConfigResourceTypes.TOPIC,
        name,
        configNames: ['max.message.bytes', 'cleanup.policy', 'retention.ms', 'message.timestamp.type'],
      })),
    });
    return new Map(
      resources.map(({ resourceName, configEntries }) => {
        const textOf = (key: string): string =>
          configEntries.find(({ configName }) => configName === key)?.configValue ?? '';
        const bytes = Number(textOf('max.message.bytes'));
        const batchBytesMax = Number.isSafeInteger(bytes) && bytes > 0 ? bytes : undefined;
        // With LogAppendTime, the broker replaces the timestamps by the time of arrival, so old blocks do not expire at
        // once.
        const retention = textOf('message.timestamp.type') === 'LogAppendTime' ? '' : textOf('retention.ms');
        const retentionMs = /^\d+$/.test(retention) ? Number(retention) : undefined;
        return [resourceName, { batchBytesMax, cleanupPolicy: textOf('cleanup.policy'), retentionMs }];
      }),
    );
  } catch (error) {
    if (!errorTypes(error).includes('TOPIC_AUTHORIZATION_FAILED')) throw error;
    return undefined;
  }
}
