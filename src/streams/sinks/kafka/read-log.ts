import { randomBytes } from 'node:crypto';
import type { Admin, Consumer, EachBatchPayload, Kafka } from 'kafkajs';
import type { Logger } from 'pino';
import { TronError } from '../../../primitives/errors.js';
import { missing, ReplicaError } from '../../../projections/ledger/replica.js';
import { LOG_TRIGGER_TOPIC } from '../../event-kinds.js';
import { createKafka } from './kafka-client.js';
import type { KafkaAccess } from './kafka-options.js';
import { groupPositionOf, type LogGroup, LogGroups } from './log-groups.js';

/** Where a replica's log comes from. */
export interface LogSource extends KafkaAccess {
  readonly prefix: string;
}

interface ReadLogOptions {
  readonly source: LogSource;
  /** The entry that has to come next. */
  readonly nextSeq: number;
  /** Where the entries before it begin, when they came from this topic; otherwise it is looked for from the begin. */
  readonly offset: bigint | undefined;
  /** Takes blocks in order; those before `nextSeq` may come again. What it throws ends the reading. */
  readonly take: (groups: readonly LogGroup[], progress: LogProgress) => Promise<void>;
  /** Told whenever the log begins to come. */
  readonly onConnected?: () => void;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

export interface LogProgress {
  /** Records behind those that were just taken, as of the last fetch. */
  readonly lagRecords: number;
  /** ms since 1970 at which the newest of those that were taken was written. */
  readonly writtenMs: number;
}

/** The node has not begun to write its log yet. */
export class LogNotReadyError extends TronError<'LOG_NOT_READY'> {
  constructor(topic: string) {
    super('LOG_NOT_READY', `there is no topic ${topic} yet: the node needs a sink with topics = [log]`);
  }
}

/**
 * Bytes of one fetch, which is what lies in memory beside the block that is being put together; a larger record comes
 * alone.
 */
const FETCH_BYTES = 4 * 1024 * 1024;
/** ms that a broker keeps a fetch open when there is nothing new: it answers at once when something comes. */
const WAIT_MS = 500;

export function logTopic({ prefix }: LogSource): string {
  return `${prefix}.${LOG_TRIGGER_TOPIC}`;
}

/**
 * Reads the topic of a log as `read_committed` until the signal says stop: the records of a block are one Kafka
 * transaction, so none comes in half. Ends with an error when the cluster is away for long; whoever calls begins again
 * from what was taken.
 * @throws {ReplicaError} ENTRIES_MISSING: the topic does not reach to what comes next; {LogNotReadyError}
 */
export async function readLog(options: ReadLogOptions): Promise<void> {
  const { source, log, signal } = options;
  const kafka = createKafka({ ...source, name: 'replica' }, log);
  const start = await startOffset(kafka, options);
  const reader = new LogReader(kafka, options, start);
  await reader.run(signal);
}

/** @throws {ReplicaError} ENTRIES_MISSING; {LogNotReadyError} */
async function startOffset(kafka: Kafka, { source, nextSeq, offset }: ReadLogOptions): Promise<bigint> {
  const topic = logTopic(source);
  const admin = kafka.admin();
  await admin.connect();
  try {
    if (!(await admin.listTopics()).includes(topic)) {
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
  const [ends] = await admin.fetchTopicOffsets(topic);
  const [low, high] = [BigInt(ends?.low ?? 0), BigInt(ends?.high ?? 0)];
  if (offset === undefined) return low;
  if (offset >= high) throw deleted(topic, nextSeq);
  return offset > low ? offset : low;
}

function deleted(topic: string, nextSeq: number): ReplicaError {
  return new ReplicaError(
    'ENTRIES_MISSING',
    `topic ${topic} ends before what this replica has taken from it (up to entry ${nextSeq - 1}): it was deleted, shortened or made ` +
      'anew. Restore it, or give the replica a new data folder',
  );
}

class LogReader {
  private readonly consumer: Consumer;
  private readonly options: ReadLogOptions;
  private readonly topic: string;
  private readonly groups = new LogGroups();
  /** The record that comes next. */
  private next: bigint;
  private isFirst = true;
  private isOver = false;
  private end: (error?: unknown) => void = () => undefined;

  constructor(kafka: Kafka, options: ReadLogOptions, start: bigint) {
    // A group of its own, that nobody can disturb and that leaves nothing behind: it commits no offsets.
    this.consumer = kafka.consumer({
      groupId: `tronicle.replica.${randomBytes(6).toString('hex')}`,
      allowAutoTopicCreation: false,
      // Whoever calls begins again; the library would start a consumer that nobody knows any more.
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

  /** kafkajs forgets a seek when the group is joined anew, as it is when the coordinator moves or starts. */
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
        // What was fetched before a seek took effect may come too.
        if (offset < this.next) continue;
        if (this.isFirst && !this.beginsWith(message)) continue;
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
   * Whether a record is the first of a block. The first block has to be one that is known, or the next one: all that
   * follows is linked to it. @throws {ReplicaError} ENTRIES_MISSING
   */
  private beginsWith(message: EachBatchPayload['batch']['messages'][number]): boolean {
    const { seq, index, part } = groupPositionOf(message);
    if (index > 0 || part > 0) return false;
    if (seq > this.options.nextSeq) throw missing(seq, this.options.nextSeq);
    this.isFirst = false;
    return true;
  }
}

/** The last offset counts the end of the transaction, which is no message. */
function lagOf(batch: EachBatchPayload['batch']): number {
  return Math.max(0, Number(BigInt(batch.highWatermark) - BigInt(batch.lastOffset()) - 1n));
}
