import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Admin, Consumer, Kafka } from 'kafkajs';
import { claimKey, decodeClaim, decodeCursor, type SinkCursor } from './cursor.js';

interface ReadCursorOptions {
  readonly kafka: Kafka;
  readonly admin: Admin;
  readonly topic: string;
  readonly sink: string;
  /** Id of the claim at which reading stops. */
  readonly claim: string;
}

const WINDOW_RECORDS = 64n;
const WINDOW_GROWTH = 16n;
const READ_MS = 90_000;

/**
 * Returns the sink's last committed cursor before its newest claim. Reads backwards from the topic's end in growing
 * windows, each up to the claim. No offset identifies the last record, because transaction markers and aborted records
 * have offsets but are never delivered. Committed group offsets are not used, because they become visible too late.
 * @throws {Error} the claim does not arrive in time
 */
export async function readCursor(options: ReadCursorOptions): Promise<SinkCursor | undefined> {
  const { kafka, admin, topic, sink, claim } = options;
  const [ends] = await admin.fetchTopicOffsets(topic);
  const low = BigInt(ends?.low ?? 0);
  const high = BigInt(ends?.high ?? 0);
  const reader = await CursorReader.open(kafka, topic, sink, claim);
  try {
    for (let window = WINDOW_RECORDS; ; window *= WINDOW_GROWTH) {
      const start = high - window > low ? high - window : low;
      const cursor = await reader.newestFrom(start);
      if (cursor !== undefined || start === low) return cursor;
    }
  } finally {
    await reader.close();
  }
}

/**
 * Returns the owner in the newest claim or cursor of a sink. Used by a fenced process. It has written no claim that
 * marks the end, so reading ends when no record arrives for {@link QUIET_MS}.
 */
export async function newestOwner(options: Omit<ReadCursorOptions, 'claim'>): Promise<string | undefined> {
  const { kafka, admin, topic, sink } = options;
  const [ends] = await admin.fetchTopicOffsets(topic);
  const reader = await CursorReader.open(kafka, topic, sink, undefined);
  try {
    return await reader.newestOwnerFrom(BigInt(ends?.low ?? 0), BigInt(ends?.high ?? 0));
  } finally {
    await reader.close();
  }
}

/** Time in ms without a new record after which a topic counts as read. */
const QUIET_MS = 3000;

interface Found {
  readonly offset: bigint;
  readonly key: string;
  readonly value: Buffer | null;
}

class CursorReader {
  private readonly consumer: Consumer;
  private readonly topic: string;
  private readonly sink: string;
  private readonly claim: string | undefined;
  private readonly newest = new Map<string, Found>();
  private start = 0n;
  /** Newest offset received. */
  private reached = -1n;
  private lastAt = 0;
  private onClaim: (() => void) | undefined;

  private constructor(consumer: Consumer, topic: string, sink: string, claim: string | undefined) {
    this.consumer = consumer;
    this.topic = topic;
    this.sink = sink;
    this.claim = claim;
  }

  /** @throws {Error} the group coordinator does not answer in time */
  static async open(kafka: Kafka, topic: string, sink: string, claim: string | undefined): Promise<CursorReader> {
    // A random group without committed offsets, so that other consumers cannot interfere and nothing remains.
    const groupId = `tronicle.${sink}.${randomBytes(6).toString('hex')}`;
    const consumer = kafka.consumer({ groupId, allowAutoTopicCreation: false, maxWaitTimeInMs: 100 });
    const reader = new CursorReader(consumer, topic, sink, claim);
    const joined = new Promise<void>((resolve) => {
      // kafkajs drops a seek when the group is joined again, for example after the coordinator has moved.
      consumer.on(consumer.events.GROUP_JOIN, () => {
        reader.seek();
        resolve();
      });
    });
    try {
      await consumer.connect();
      await consumer.subscribe({ topics: [topic], fromBeginning: true });
      await consumer.run({
        autoCommit: false,
        eachMessage: async ({ message: { offset, key, value } }) => {
          reader.take({ offset: BigInt(offset), key: key?.toString() ?? '', value });
        },
      });
      await within(joined, `cannot read ${topic}: the group coordinator of the broker does not answer`);
      return reader;
    } catch (error) {
      await reader.close();
      throw error;
    }
  }

  /** Returns the newest cursor between `start` and the claim. */
  async newestFrom(start: bigint): Promise<SinkCursor | undefined> {
    const claimed = new Promise<void>((resolve) => {
      this.onClaim = resolve;
    });
    this.readFrom(start);
    await within(claimed, `the claim just written to ${this.topic} does not arrive`);
    return decodeCursor(this.newest.get(this.sink)?.value ?? null);
  }

  /**
   * @param end end of the topic at the time of the call; a process that has taken over keeps writing after it
   */
  async newestOwnerFrom(start: bigint, end: bigint): Promise<string | undefined> {
    this.readFrom(start);
    while (this.reached < end && Date.now() - this.lastAt < QUIET_MS) await sleep(QUIET_MS / 10);
    const [cursor, claim] = [this.newest.get(this.sink), this.newest.get(claimKey(this.sink))];
    if (claim === undefined || (cursor !== undefined && cursor.offset > claim.offset))
      return decodeClaim(cursor?.value).owner;
    return decodeClaim(claim.value).owner;
  }

  async close(): Promise<void> {
    await this.consumer.disconnect();
  }

  private readFrom(start: bigint): void {
    this.start = start;
    this.reached = -1n;
    this.newest.clear();
    this.seek();
  }

  private seek(): void {
    this.lastAt = Date.now();
    this.consumer.seek({ topic: this.topic, partition: 0, offset: String(this.start) });
  }

  /** Ignores records that were fetched before a seek took effect. */
  private take(record: Found): void {
    const { key, offset, value } = record;
    this.lastAt = Date.now();
    if (offset < this.start) return;
    if (offset > this.reached) this.reached = offset;
    const known = this.newest.get(key);
    if (known === undefined || known.offset < offset) this.newest.set(key, record);
    if (this.claim !== undefined && key === claimKey(this.sink) && decodeClaim(value).id === this.claim)
      this.onClaim?.();
  }
}

/** Waits at most {@link READ_MS}. @throws {Error} with the text `problem` */
async function within(done: Promise<void>, problem: string): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(problem)), READ_MS);
  });
  try {
    await Promise.race([done, late]);
  } finally {
    clearTimeout(timer);
  }
}
