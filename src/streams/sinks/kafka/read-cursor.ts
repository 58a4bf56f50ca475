import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Admin, Consumer, Kafka } from 'kafkajs';
import { itemAt } from '../../../primitives/assert.js';
import type { Access } from './access.js';
import { claimKey, decodeClaim, decodeCursor, type SinkClaim, type SinkCursor } from './cursor.js';
import { topicOffsets } from './topic-offsets.js';

export interface ReadCursorOptions {
  readonly kafka: Kafka;
  readonly admin: Admin;
  readonly access: Access;
  readonly topic: string;
  readonly sink: string;
}

interface ReadToClaimOptions extends ReadCursorOptions {
  /** Id of the claim at which reading ends. */
  readonly claim: string;
}

/** Newest committed cursor and newest committed claim of a sink; undefined if not found. */
export interface NewestRecords {
  readonly cursor: SinkCursor | undefined;
  readonly claim: Partial<SinkClaim> | undefined;
  /** Id of the process that wrote the newer of these two records. */
  readonly owner: string | undefined;
}

const WINDOW_RECORDS = 64n;
const WINDOW_GROWTH = 16n;
const READ_MS = 90_000;
/**
 * Time in ms after which reading ends if the topic delivers no new offset. In addition, at least `QUIET_FETCHES` fetch
 * responses must have arrived.
 */
const QUIET_MS = 3000;
const QUIET_FETCHES = 10;
/** Interval in ms at which the reader checks if it has reached the end of the topic. */
const CHECK_MS = 20;

/**
 * Returns the sink's last committed cursor before its newest claim. Reads the last records of the topic, in order,
 * until the claim arrives. If there is no cursor among them, starts again at an earlier offset.
 *
 * The end cannot be found by offset, because transaction markers and aborted records have offsets but are never
 * delivered. Committed group offsets become visible too late, and are not used.
 * @throws {Error} the claim does not arrive in time
 */
export async function readCursor(options: ReadToClaimOptions): Promise<SinkCursor | undefined> {
  const { low, high } = await endsOf(options);
  const starts = windows(low, high);
  const reader = await CursorReader.open(options, options.claim, itemAt(starts, 0));
  try {
    for (const start of starts) {
      const cursor = await reader.newestFrom(start);
      if (cursor !== undefined) return cursor;
    }
    return undefined;
  } finally {
    await reader.close();
  }
}

/**
 * Returns the newest committed cursor and claim of a sink. Writes no claim, so no process is fenced. A process that is
 * forwarding may commit newer records at any time.
 * @param needs the kind of record to search for; a record of the other kind is returned only if the search has read it
 */
export async function readNewest(options: ReadCursorOptions, needs: 'cursor' | 'claim'): Promise<NewestRecords> {
  const { low, high } = await endsOf(options);
  let newest: NewestRecords = { cursor: undefined, claim: undefined, owner: undefined };
  for (const start of low === high ? [] : windows(low, high)) {
    const reader = await CursorReader.open(options, undefined, start);
    try {
      newest = await reader.newestUpTo(high);
    } finally {
      await reader.close();
    }
    if (newest[needs] !== undefined) break;
  }
  return newest;
}

/**
 * Returns the first offset of the topic, and the offset after the last record that a `read_committed` reader receives.
 */
async function endsOf({ admin, access, topic }: ReadCursorOptions): Promise<{ low: bigint; high: bigint }> {
  const [ends] = await access.attempt({ operation: 'Describe', topics: [topic] }, () => topicOffsets(admin, topic));
  return { low: BigInt(ends?.low ?? 0), high: BigInt(ends?.high ?? 0) };
}

/**
 * Returns the start offsets of windows that end at the end of the topic. Each window is larger than the previous one.
 * The last window has the whole topic.
 */
function windows(low: bigint, high: bigint): readonly bigint[] {
  const starts: bigint[] = [];
  for (let start = high - WINDOW_RECORDS; start > low; start = high - (high - start) * WINDOW_GROWTH)
    starts.push(start);
  return [...starts, low];
}

interface Found {
  readonly offset: bigint;
  readonly key: string;
  readonly value: Buffer | null;
}

class CursorReader {
  private readonly consumer: Consumer;
  private readonly options: ReadCursorOptions;
  private readonly claim: string | undefined;
  private readonly newest = new Map<string, Found>();
  /** Rejects when the consumer ends with an error. Never resolves. */
  private readonly failed: Promise<never>;
  private start: bigint;
  /** Newest received offset. Transaction markers and aborted records also have offsets. */
  private reached = -1n;
  private lastAt = 0;
  private fetches = 0;
  private onClaim: (() => void) | undefined;

  private constructor(consumer: Consumer, options: ReadCursorOptions, claim: string | undefined, start: bigint) {
    this.consumer = consumer;
    this.options = options;
    this.claim = claim;
    this.start = start;
    this.failed = new Promise((_resolve, reject) => {
      consumer.on(consumer.events.CRASH, ({ payload: { error, restart } }) => {
        if (!restart) reject(error);
      });
    });
    this.failed.catch(() => undefined);
  }

  /**
   * Opens a consumer.
   * @param claim id of the claim for which {@link newestFrom} waits
   * @param start offset of the first record to deliver
   * @throws {Error} the group coordinator does not answer in time
   * @throws {AccessDeniedError} the cluster does not allow this client to read
   */
  static async open(options: ReadCursorOptions, claim: string | undefined, start: bigint): Promise<CursorReader> {
    const { kafka, topic, sink } = options;
    // The random name makes this consumer the only member of its group. The group commits no offsets, so the cluster
    // stores nothing for it.
    const groupId = `${groupsOf(sink)}${randomBytes(6).toString('hex')}`;
    const consumer = kafka.consumer({ groupId, allowAutoTopicCreation: false, maxWaitTimeInMs: 100 });
    const reader = new CursorReader(consumer, options, claim, start);
    const joined = new Promise<void>((resolve) => {
      // Sets the offset again. kafkajs loses it when the consumer joins the group again, for example after the
      // coordinator has moved.
      consumer.on(consumer.events.GROUP_JOIN, () => {
        reader.seek();
        resolve();
      });
    });
    consumer.on(consumer.events.FETCH, () => {
      reader.fetches++;
    });
    consumer.on(consumer.events.END_BATCH_PROCESS, ({ payload: { lastOffset } }) => reader.reach(BigInt(lastOffset)));
    try {
      await reader.attempt(async () => {
        await consumer.connect();
        await consumer.subscribe({ topics: [topic], fromBeginning: true });
        await consumer.run({
          autoCommit: false,
          eachMessage: async ({ message: { offset, key, value } }) => {
            reader.take({ offset: BigInt(offset), key: key?.toString() ?? '', value });
          },
        });
      });
      await reader.within(
        joined,
        `cannot read topic ${topic}: the group coordinator of the Kafka cluster did not answer within ${READ_MS / 1000} s`,
      );
      return reader;
    } catch (error) {
      await reader.close();
      throw error;
    }
  }

  /**
   * Returns the newest cursor between `start` and the claim; undefined if none is found.
   * @throws {Error} the claim does not arrive in time
   */
  async newestFrom(start: bigint): Promise<SinkCursor | undefined> {
    const claimed = new Promise<void>((resolve) => {
      this.onClaim = resolve;
    });
    this.start = start;
    this.reached = -1n;
    this.newest.clear();
    this.seek();
    await this.within(
      claimed,
      `cannot read topic ${this.options.topic}: the record that this sink has just written did not arrive within ${READ_MS / 1000} s`,
    );
    return decodeCursor(this.newest.get(this.options.sink)?.value ?? null);
  }

  /**
   * Returns the newest records up to the offset `end`. Also ends when no more records arrive, because compaction may
   * have deleted the record at `end`.
   */
  async newestUpTo(end: bigint): Promise<NewestRecords> {
    const reading = new AbortController();
    try {
      const problem = `cannot read topic ${this.options.topic}: its newest records did not arrive within ${READ_MS / 1000} s`;
      await this.within(this.arrived(end, reading.signal), problem);
    } finally {
      reading.abort();
    }
    const [cursor, claim] = [this.newest.get(this.options.sink), this.newest.get(claimKey(this.options.sink))];
    const newer = (cursor?.offset ?? -1n) > (claim?.offset ?? -1n) ? cursor : claim;
    return {
      cursor: decodeCursor(cursor?.value ?? null),
      claim: claim && decodeClaim(claim.value),
      owner: decodeClaim(newer?.value).owner,
    };
  }

  async close(): Promise<void> {
    await this.consumer.disconnect();
  }

  private async arrived(end: bigint, signal: AbortSignal): Promise<void> {
    const isQuiet = (): boolean => this.fetches >= QUIET_FETCHES && Date.now() - this.lastAt >= QUIET_MS;
    while (this.reached < end - 1n && !isQuiet() && !signal.aborted) await sleep(CHECK_MS);
  }

  private attempt<Result>(work: () => Promise<Result>): Promise<Result> {
    const { access, topic, sink } = this.options;
    return access.attempt({ operation: 'Read', topics: [topic], groups: groupsOf(sink) }, work);
  }

  private seek(): void {
    this.progressed();
    this.consumer.seek({ topic: this.options.topic, partition: 0, offset: String(this.start) });
  }

  private progressed(): void {
    this.lastAt = Date.now();
    this.fetches = 0;
  }

  private reach(offset: bigint): void {
    if (offset <= this.reached) return;
    this.reached = offset;
    this.progressed();
  }

  /** Adds a record. Ignores a record that was fetched before the offset changed. */
  private take(record: Found): void {
    const { key, offset, value } = record;
    if (offset < this.start) return;
    this.reach(offset);
    const known = this.newest.get(key);
    if (known === undefined || known.offset < offset) this.newest.set(key, record);
    if (this.claim !== undefined && key === claimKey(this.options.sink) && decodeClaim(value).id === this.claim)
      this.onClaim?.();
  }

  /**
   * Waits at most {@link READ_MS}.
   * @throws {AccessDeniedError} the cluster denies reading
   * @throws {Error} the time is over; the text is `problem`
   */
  private async within(done: Promise<void>, problem: string): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error(problem)), READ_MS);
    });
    try {
      await this.attempt(() => Promise.race([done, late, this.failed]));
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Prefix of the consumer groups that read the cursor of a sink. */
function groupsOf(sink: string): string {
  return `tronicle.${sink}.`;
}
