import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Kafka, Producer, Transaction } from 'kafkajs';
import type { Logger } from 'pino';
import { present } from '../../../primitives/assert.js';
import { type BlockPosition, positionOf } from '../../follow/block-position.js';
import type { BlockRecords } from '../../records/event-record.js';
import { SinkError } from '../../sink-error.js';
import { CheckpointFile } from '../checkpoint-file.js';
import type { Sink } from '../sink.js';
import { BlockNotInLogError, EMPTY_BLOCKS_MAX } from '../sink.js';
import { Access } from './access.js';
import { BatchLimits } from './batch-limits.js';
import { claimKey, type PartitionPosition, type SinkClaim, type SinkCursor } from './cursor.js';
import { createKafka } from './kafka-client.js';
import { errorTypes } from './kafka-error.js';
import type { KafkaSinkOptions } from './kafka-options.js';
import { type NewestRecords, type ReadCursorOptions, readCursor, readNewest } from './read-cursor.js';
import { READY_RECORDS, readyBatch } from './ready-records.js';
import { assignPositions, batchesOf, type PartitionBatch, TopicPartitions } from './records.js';
import { FramedRecords } from './registry/framed-records.js';
import { SchemaRegistry } from './registry/schema-registry.js';
import {
  type CheckedTopics,
  checkTopics,
  cursorTopic,
  ensureCursorTopic,
  ensureTopics,
  expiryNotes,
  shortened,
  type TopicShape,
  topicName,
} from './topics.js';

interface OpenKafkaSinkOptions {
  readonly sink: KafkaSinkOptions;
  /**
   * Path of the checkpoint file in this data folder. If the checkpoint is newer than the topics, the cluster has lost
   * records.
   */
  readonly checkpointFile: string;
  /** Name of the data folder for messages to the operator. It is unique among the nodes that may use the sink. */
  readonly folder: string;
  /** Interval of checks of the topics, in ms. Default: {@link CHECK_MS}. */
  readonly checkMs?: number;
  /** Timeout of a transaction in ms. Default: {@link TRANSACTION_MS}. */
  readonly transactionMs?: number;
  readonly log: Logger;
}

const TRANSACTION_MS = 60_000;
/** Interval of checks of the topics while the sink is open, in ms. A check takes about 20 ms. */
const CHECK_MS = 60_000;
/**
 * Error types of a producer that lost its transactional id to another process, or whose transaction the broker has
 * aborted.
 */
const FENCED = new Set(['INVALID_PRODUCER_EPOCH', 'PRODUCER_FENCED', 'INVALID_PRODUCER_ID_MAPPING']);
/** Time in ms within which a process that takes over must write its claim. */
const CLAIM_TIMEOUT_MS = 3000;

/**
 * Forwards to Kafka. One transaction contains the records of whole blocks and one cursor record. A `read_committed`
 * consumer therefore sees neither a gap nor a duplicate, even after a crash of node or broker.
 */
export class KafkaSink implements Sink {
  readonly name: string;
  private readonly options: KafkaSinkOptions;
  private readonly access: Access;
  private readonly log: Logger;
  private readonly stored: CheckpointFile;
  private readonly folder: string;
  private readonly checkMs: number;
  private readonly transactionMs: number;
  private readonly limits: BatchLimits;
  private readonly owner = randomBytes(8).toString('hex');
  private readonly topicOfTrigger: (trigger: BlockRecords['records'][number]['trigger']) => string;
  private readonly framed: FramedRecords | undefined;
  private producer: Producer | undefined;
  private shapes: ReadonlyMap<string, TopicShape> = new Map();
  /** Notes of the last check of the topics. */
  private topicNotes: readonly string[] = [];
  /** Notes of the last write about blocks that are older than the retention of a topic. */
  private ageNotes: readonly string[] = [];
  /** Time of the last check of the topics, in ms since 1970. */
  private checkedAt = 0;
  private positions = new Map<string, PartitionPosition>();
  private number = -1;
  private isFenced = false;
  /** True if this process has written a claim to the cursor topic. */
  private hasClaimed = false;

  constructor(options: OpenKafkaSinkOptions) {
    const { sink, checkpointFile, folder, checkMs = CHECK_MS, transactionMs = TRANSACTION_MS, log } = options;
    this.name = sink.name;
    this.options = sink;
    this.access = new Access(sink);
    this.folder = folder;
    this.checkMs = checkMs;
    this.transactionMs = transactionMs;
    this.limits = new BatchLimits(transactionMs);
    this.log = log;
    this.stored = new CheckpointFile(checkpointFile);
    this.topicOfTrigger = (trigger) => topicName(sink, trigger);
    const { schemaRegistry: url, schemaRegistryTls: tls } = sink;
    if (url !== undefined) this.framed = new FramedRecords(new SchemaRegistry({ url, tls }), this.topicOfTrigger);
  }

  /**
   * Opens the sink. First reads the cursor, and throws if the log does not contain its block. Then initializes the
   * producer, which fences the producer of the previous process and aborts its transaction. Finally writes a claim, and
   * reads the cursor before this claim.
   * @throws {SinkError} topics were deleted or truncated, or another process forwards for this sink
   * @throws {BlockNotInLogError} the log does not contain the block of the cursor; no process was fenced
   * @throws {KafkaError | AccessDeniedError | NoBrokerError} the cluster rejected a request or is not available
   */
  async open(isInLog: (position: BlockPosition) => boolean = () => true): Promise<BlockPosition | undefined> {
    await this.close();
    const kafka = createKafka(this.options, this.log);
    const admin = kafka.admin();
    const { access, name: sink } = this;
    const topic = cursorTopic(this.options);
    try {
      await admin.connect();
      const stored = this.stored.read();
      await ensureCursorTopic({ admin, access, sink: this.options, stored });
      await this.checkNewest({ kafka, admin, access, topic, sink }, isInLog);
      const claim = await this.claim(kafka);
      const cursor = await readCursor({ kafka, admin, access, topic, sink, claim });
      this.checked(await ensureTopics({ admin, access, sink: this.options, stored, cursor }));
      this.isFenced = false;
      this.take(cursor);
      // Writes the cursor before the first record of a topic. A topic with records that the cursor does not contain
      // then belongs to another sink.
      if (this.topics().some((name) => cursor?.topics[name] === undefined))
        await this.put(this.cursorAt(cursor?.place));
      return cursor?.place;
    } catch (error) {
      throw access.named(error);
    } finally {
      await admin.disconnect();
    }
  }

  /**
   * Writes whole blocks in one transaction.
   * @throws {SinkError} a topic was truncated or recreated since the last write, so the transaction is aborted
   * @throws {SinkError} the schema registry rejects a schema
   * @throws {SchemaRegistryError} the id of a schema is not known
   * @throws {KafkaError} the cluster rejected a request or is not available
   */
  async write(blocks: readonly BlockRecords[]): Promise<void> {
    const { producer } = this;
    const newest = blocks.at(-1);
    if (producer === undefined || newest === undefined) throw new Error(`sink ${this.name} is not open`);
    const isEmpty = blocks.every(({ records }) => records.length === 0);
    if (isEmpty && newest.number - this.number < EMPTY_BLOCKS_MAX) return;
    await this.checkAgain();
    this.checkAge(blocks);
    // Runs before the transaction, so that no record is sent before all schema ids are known.
    const ready = (await this.framed?.of(blocks)) ?? blocks;
    const positions = new Map(this.positions);
    const startMs = performance.now();
    try {
      const transaction = await this.begin(producer);
      try {
        await this.send(transaction, ready, positions);
        await this.writing([cursorTopic(this.options)], () => transaction.commit());
      } catch (error) {
        if (transaction.isActive()) await transaction.abort().catch(() => undefined);
        throw error;
      }
    } catch (error) {
      this.isFenced = errorTypes(error).some((type) => FENCED.has(type));
      throw this.access.named(error);
    } finally {
      this.limits.ended(performance.now() - startMs);
    }
    this.positions = positions;
    this.number = newest.number;
    this.stored.write(positionOf(newest));
  }

  /**
   * Checks the topics if the last check is older than the interval, because an operator can change them while the sink
   * is open.
   * @throws {SinkError} a topic is compacted, has lost partitions, or has a too small batch limit
   */
  private async checkAgain(): Promise<void> {
    if (Date.now() - this.checkedAt < this.checkMs) return;
    const admin = createKafka(this.options, this.log).admin();
    const { access, options: sink, number } = this;
    const began = new Map([...this.shapes].map(([topic, { partitions }]) => [topic, partitions]));
    try {
      await admin.connect();
      this.checked(await checkTopics({ admin, access, sink, began, number }));
    } catch (error) {
      throw access.named(error);
    } finally {
      await admin.disconnect();
    }
  }

  private checked({ shapes, notes }: CheckedTopics): void {
    this.warn(notes);
    this.shapes = shapes;
    this.topicNotes = notes;
    this.checkedAt = Date.now();
  }

  /** Adds a note for each topic whose retention is shorter than the age of these blocks. */
  private checkAge(blocks: readonly BlockRecords[]): void {
    const now = Date.now();
    const oldestMs = blocks.reduce((oldest, { timeMs = now }) => Math.min(oldest, timeMs), now);
    const notes = expiryNotes(this.shapes, oldestMs, now);
    this.warn(notes);
    this.ageNotes = notes;
  }

  /** Logs each note that is not already in {@link notes}. */
  private warn(notes: readonly string[]): void {
    for (const note of notes)
      if (!this.notes.includes(note))
        this.log.warn({ sink: this.name, note }, 'setting of a sink topic limits the guarantees of the sink');
  }

  get batch(): Sink['batch'] {
    return this.limits.current;
  }

  get notes(): readonly string[] {
    return [...this.topicNotes, ...this.ageNotes];
  }

  async close(): Promise<void> {
    const { producer } = this;
    this.producer = undefined;
    await producer?.disconnect();
  }

  private async send(
    transaction: Transaction,
    blocks: readonly BlockRecords[],
    positions: Map<string, PartitionPosition>,
  ): Promise<void> {
    const partitions = new TopicPartitions({ topicOf: this.topicOfTrigger, shapes: this.shapes, positions });
    const counts = new Map<string, number>();
    for (const batch of batchesOf(blocks.flatMap((block) => assignPositions(block, partitions)))) {
      const { name, topic } = batch.to;
      positions.set(name, await this.writing([topic], () => sendBatch(transaction, batch)));
      counts.set(name, (counts.get(name) ?? 0) + batch.records.length);
    }
    this.checkEnds(counts, positions);
    const newest = present(blocks.at(-1), 'a batch has at least one block');
    const message = {
      key: this.name,
      value: JSON.stringify(this.cursorAt(positionOf(newest), positions)),
      partition: 0,
    };
    const topic = cursorTopic(this.options);
    await this.writing([topic], () => transaction.send({ topic, messages: [message] }));
  }

  private writing<Result>(topics: readonly string[], work: () => Promise<Result>): Promise<Result> {
    return this.access.attempt({ operation: 'Write', topics, transactionalId: this.transactionalId }, work);
  }

  private begin(producer: Producer): Promise<Transaction> {
    return this.writing([cursorTopic(this.options)], () => producer.transaction());
  }

  private get transactionalId(): string {
    return `${this.options.prefix}.${this.name}`;
  }

  /**
   * Checks the new offsets, because a broker accepts records for a recreated topic without an error. Stores a loss in
   * the checkpoint file: after the aborted records, the topic may no longer be too short at the next start.
   * @param counts number of records sent, by `topic/partition`
   * @throws {SinkError} a topic was truncated or recreated
   */
  private checkEnds(counts: ReadonlyMap<string, number>, positions: ReadonlyMap<string, PartitionPosition>): void {
    for (const [position, count] of counts) {
      const before = this.positions.get(position);
      const after = positions.get(position);
      if (before === undefined || after === undefined) continue;
      if (BigInt(after.offset) >= BigInt(before.offset) + BigInt(count)) continue;
      const slash = position.lastIndexOf('/');
      const [topic, partition] = [position.slice(0, slash), Number(position.slice(slash + 1))];
      const stored = this.stored.read();
      if (stored !== undefined) this.stored.write({ ...stored, lost: { topic, partition, offset: after.offset } });
      throw shortened(this.options, topic, partition, this.number);
    }
  }

  private topics(): readonly string[] {
    return this.options.topics.map(this.topicOfTrigger);
  }

  private cursorAt(
    position: BlockPosition | undefined,
    positions: ReadonlyMap<string, PartitionPosition> = this.positions,
  ): SinkCursor {
    const topics: Record<string, Record<string, PartitionPosition>> = {};
    for (const topic of this.topics()) topics[topic] = {};
    for (const [name, at] of positions) {
      const slash = name.lastIndexOf('/');
      const topic = name.slice(0, slash);
      topics[topic] = { ...topics[topic], [name.slice(slash + 1)]: at };
    }
    const partitions = Object.fromEntries([...this.shapes].map(([topic, shape]) => [topic, shape.partitions]));
    return { version: 1, owner: this.owner, ...(position && { place: position }), topics, partitions };
  }

  private async claim(kafka: Kafka): Promise<string> {
    const producer = kafka.producer({
      transactionalId: this.transactionalId,
      transactionTimeout: this.transactionMs,
      maxInFlightRequests: 1,
      allowAutoTopicCreation: false,
    });
    this.producer = producer;
    await producer.connect();
    const id = randomBytes(8).toString('hex');
    await this.put({ version: 1, owner: this.owner, id, folder: this.folder }, claimKey(this.name));
    this.hasClaimed = true;
    return id;
  }

  /** Writes one record to the cursor topic, in a transaction. */
  private async put(value: SinkClaim | SinkCursor, key = this.name): Promise<void> {
    const transaction = await this.begin(present(this.producer, 'the producer is connected'));
    const message = { key, value: JSON.stringify(value), partition: 0 };
    const topic = cursorTopic(this.options);
    try {
      await this.writing([topic], () => transaction.send({ topic, messages: [message] }));
      await transaction.commit();
    } catch (error) {
      if (transaction.isActive()) await transaction.abort().catch(() => undefined);
      throw error;
    }
  }

  /**
   * Checks the newest records before this process takes over. If Kafka has fenced this process, another process may
   * have taken over, or a transaction of this process has timed out. After a timeout, this process continues.
   * @throws {SinkError} another process has claimed the sink since this process claimed it
   * @throws {BlockNotInLogError} the log does not contain the block of the cursor
   */
  private async checkNewest(options: ReadCursorOptions, isInLog: (position: BlockPosition) => boolean): Promise<void> {
    if (this.isFenced) await sleep(CLAIM_TIMEOUT_MS);
    const { owner, cursor } = await readNewest(options, 'cursor');
    if (this.hasClaimed && owner !== undefined && owner !== this.owner)
      throw claimedByOther(this.options, await readNewest(options, 'claim'));
    if (cursor?.place !== undefined && !isInLog(cursor.place)) throw new BlockNotInLogError(this.name, cursor.place);
  }

  private take(cursor: SinkCursor | undefined): void {
    this.positions = new Map();
    for (const [topic, partitions] of Object.entries(cursor?.topics ?? {})) {
      for (const [partition, position] of Object.entries(partitions))
        this.positions.set(`${topic}/${partition}`, position);
    }
    this.number = cursor?.place?.number ?? -1;
  }
}

function claimedByOther({ name, prefix }: KafkaSinkOptions, { owner, claim }: NewestRecords): SinkError {
  const isNamed = claim?.folder !== undefined && claim.owner === owner;
  return new SinkError(
    `sink ${name} with the topic prefix ${prefix} has stopped, because another process uses the same sink name` +
      `${isNamed ? ` (data folder ${claim.folder})` : ''}; give the sink of each node its own ` +
      `name, or stop the other process and run 'tronicle stream resume ${name}'`,
  );
}

/**
 * Sends a batch, and returns the position of its last record.
 *
 * Each batch is sent alone. kafkajs would send several batches to their brokers at the same time. If one broker rejects
 * its batch, kafkajs also repeats the batches whose answers have not arrived yet, so their records would be in the
 * topic twice. If the leader of a partition changes, kafkajs would omit the batch of that partition.
 */
async function sendBatch(transaction: Transaction, { to, records }: PartitionBatch): Promise<PartitionPosition> {
  const { topic, partition } = to;
  const { messages, release } = readyBatch(partition, records);
  try {
    const [answer] = await transaction.send({ topic, messages, acks: -1, compression: READY_RECORDS });
    const { seq, index } = present(records.at(-1), 'a batch has at least one record');
    return { seq, index, offset: String(BigInt(answer?.baseOffset ?? 0) + BigInt(records.length - 1)) };
  } finally {
    release();
  }
}
