import { randomBytes } from 'node:crypto';
import type { Admin, Consumer, EachBatchPayload, Kafka } from 'kafkajs';
import type { Logger } from 'pino';
import { TronError } from '../../../primitives/errors.js';
import { missing, ReplicaError } from '../../../projections/ledger/replica.js';
import { LOG_TRIGGER_TOPIC } from '../../event-kinds.js';
import { Access } from './access.js';
import { createKafka } from './kafka-client.js';
import { kafkaError } from './kafka-error.js';
import type { KafkaAccess } from './kafka-options.js';
import { groupPositionOf, type LogGroup, LogGroups } from './log-groups.js';
import { topicOffsets } from './topic-offsets.js';

/** Source of a replica's log. */
export interface LogSource extends KafkaAccess {
  readonly prefix: string;
}

interface ReadLogOptions {
  readonly source: LogSource;
  /** Seq of the next expected entry. */
  readonly nextSeq: number;
  /**
   * Offset in the topic at which the newest block of the replica starts. If undefined, reading starts at the first
   * record of the topic.
   */
  readonly offset: bigint | undefined;
  /**
   * Receives blocks in log order. It may receive blocks before `nextSeq` again. If it throws, reading ends with this
   * error.
   */
  readonly take: (groups: readonly LogGroup[], progress: LogProgress) => Promise<void>;
  /** Called when reading starts or restarts. */
  readonly onConnected?: () => void;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

export interface LogProgress {
  /** Number of records after the newest received record, at the time of the last fetch. */
  readonly lagRecords: number;
  /** Time when the newest received record was written, in ms since 1970. */
  readonly writtenMs: number;
}

/** Thrown if the followed node has not created its log topic yet. */
export class LogNotReadyError extends TronError<'LOG_NOT_READY'> {
  constructor(topic: string) {
    super('LOG_NOT_READY', `topic ${topic} does not exist yet; add a sink with topics = [log] to the followed node`);
  }
}

/**
 * Maximum size of a fetch in bytes. The reader needs this memory in addition to the memory of the current block. A
 * larger record is fetched alone.
 */
const FETCH_BYTES = 4 * 1024 * 1024;
/**
 * Maximum time in ms that a broker waits for records before it answers a fetch. It answers immediately if there are
 * records.
 */
const WAIT_MS = 500;

export function logTopic({ prefix }: LogSource): string {
  return `${prefix}.${LOG_TRIGGER_TOPIC}`;
}

/**
 * Reads a log topic with `read_committed` until the signal aborts. One Kafka transaction contains all records of a
 * block, so blocks are always complete. Ends with an error after a long outage. The caller must then start again at its
 * last block.
 * @throws {ReplicaError} ENTRIES_MISSING: the topic does not contain the next entry
 * @throws {LogNotReadyError} the topic does not exist yet
 * @throws {AccessDeniedError} the cluster does not allow this client to read
 * @throws {NoBrokerError} no broker answers
 * @throws {KafkaError} the cluster rejected a request or is not available
 */
export async function readLog(options: ReadLogOptions): Promise<void> {
  const { source, log, signal } = options;
  const kafka = createKafka({ ...source, name: 'replica' }, log);
  try {
    const start = await startOffset(kafka, options);
    const reader = new LogReader(kafka, options, start);
    await reader.run(signal);
  } catch (error) {
    throw kafkaError(error, source.bootstrap);
  }
}

/**
 * Returns the offset at which reading starts.
 * @throws {ReplicaError} ENTRIES_MISSING: the topic was deleted or truncated
 * @throws {LogNotReadyError} the topic does not exist yet
 * @throws {AccessDeniedError} the cluster does not allow this client to read
 * @throws {NoBrokerError} no broker answers
 */
async function startOffset(kafka: Kafka, { source, nextSeq, offset }: ReadLogOptions): Promise<bigint> {
  const topic = logTopic(source);
  const admin = kafka.admin();
  await admin.connect();
  try {
    if (!(await new Access(source).existing(admin, [topic])).has(topic)) {
      if (offset === undefined) throw new LogNotReadyError(topic);
      throw deleted(topic, nextSeq);
    }
    return await offsetIn(admin, topic, { nextSeq, offset });
  } finally {
    await admin.disconnect();
  }
}

async function offsetIn(
  admin: Admin,
  topic: string,
  { nextSeq, offset }: Pick<ReadLogOptions, 'nextSeq' | 'offset'>,
): Promise<bigint> {
  const [ends] = await topicOffsets(admin, topic);
  const [low, high] = [BigInt(ends?.low ?? 0), BigInt(ends?.high ?? 0)];
  if (offset === undefined) return low;
  if (offset >= high) throw deleted(topic, nextSeq);
  return offset > low ? offset : low;
}

function deleted(topic: string, nextSeq: number): ReplicaError {
  return new ReplicaError(
    'ENTRIES_MISSING',
    `topic ${topic} ends before log entry ${nextSeq - 1}, the last entry of this replica: the topic was deleted, truncated or recreated; ` +
      'restore the topic, or use a new data folder for the replica',
  );
}

class LogReader {
  private readonly consumer: Consumer;
  private readonly options: ReadLogOptions;
  private readonly topic: string;
  private readonly groups = new LogGroups();
  /** Offset of the next record. */
  private next: bigint;
  private isFirst = true;
  private isOver = false;
  private end: (error?: unknown) => void = () => undefined;

  constructor(kafka: Kafka, options: ReadLogOptions, start: bigint) {
    // The random name makes this consumer the only member of its group. The group commits no offsets, so the cluster
    // stores nothing for it.
    this.consumer = kafka.consumer({
      groupId: `tronicle.replica.${randomBytes(6).toString('hex')}`,
      allowAutoTopicCreation: false,
      // kafkajs must not restart the consumer after a failure, because a restarted consumer cannot be stopped. The
      // caller restarts instead.
      retry: { restartOnFailure: async () => false },
      maxWaitTimeInMs: WAIT_MS,
      maxBytes: FETCH_BYTES,
      maxBytesPerPartition: FETCH_BYTES,
    });
    this.options = options;
    this.topic = logTopic(options.source);
    this.next = start;
  }

  async run(signal: AbortSignal): Promise<void> {
    const { consumer, topic } = this;
    const ended = new Promise<void>((resolve, reject) => {
      this.end = (error) => {
        this.isOver = true;
        if (error === undefined) resolve();
        else reject(error);
      };
    });
    ended.catch(() => undefined);
    const stop = (): void => this.end();
    signal.addEventListener('abort', stop, { once: true });
    consumer.on(consumer.events.GROUP_JOIN, () => this.seek());
    consumer.on(consumer.events.CRASH, ({ payload: { error } }) => this.end(error));
    try {
      if (signal.aborted) return;
      await consumer.connect();
      await consumer.subscribe({ topics: [topic], fromBeginning: true });
      await consumer.run({
        autoCommit: false,
        eachBatchAutoResolve: false,
        eachBatch: (payload) => this.takeBatch(payload),
      });
      await ended;
    } finally {
      signal.removeEventListener('abort', stop);
      this.end();
      await consumer.disconnect();
    }
  }

  /**
   * Sets the offset of the next fetch. Must be called each time the consumer joins the group, because kafkajs then
   * loses the offset.
   */
  private seek(): void {
    this.options.onConnected?.();
    this.consumer.seek({ topic: this.topic, partition: 0, offset: String(this.next) });
  }

  private async takeBatch({ batch, resolveOffset, isRunning, isStale }: EachBatchPayload): Promise<void> {
    if (this.isOver || !isRunning() || isStale()) return;
    try {
      const groups: LogGroup[] = [];
      let writtenMs = 0;
      for (const message of batch.messages) {
        const offset = BigInt(message.offset);
        // Ignores records that were fetched before the offset changed.
        if (offset < this.next) continue;
        if (this.isFirst && !this.isBlockStart(message)) continue;
        const group = this.groups.add(message);
        if (group !== undefined) groups.push(group);
        this.next = offset + 1n;
        writtenMs = Number(message.timestamp);
      }
      if (groups.length > 0) await this.options.take(groups, { lagRecords: lagOf(batch), writtenMs });
      if (batch.messages.length > 0) resolveOffset(batch.lastOffset());
    } catch (error) {
      this.end(error);
    }
  }

  /**
   * Returns true if a record is the first record of a block. The seq of the first received block may be at most the
   * next seq. Every later block links to the block before it.
   * @throws {ReplicaError} ENTRIES_MISSING: the first block is after the next entry
   */
  private isBlockStart(message: EachBatchPayload['batch']['messages'][number]): boolean {
    const { seq, index, part } = groupPositionOf(message);
    if (index > 0 || part > 0) return false;
    if (seq > this.options.nextSeq) throw missing(seq, this.options.nextSeq);
    this.isFirst = false;
    return true;
  }
}

/**
 * Returns the number of records after a batch. The high watermark includes the end marker of the transaction, which is
 * not a record.
 */
function lagOf(batch: EachBatchPayload['batch']): number {
  return Math.max(0, Number(BigInt(batch.highWatermark) - BigInt(batch.lastOffset()) - 1n));
}
