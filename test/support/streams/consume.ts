import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Kafka } from 'kafkajs';
import { EVENT_TIMEOUT_MS } from '../event-timeout.js';

export interface Consumed {
  readonly topic: string;
  readonly partition: number;
  readonly offset: bigint;
  /** Timestamp in ms since 1970. */
  readonly timeMs: number;
  readonly key: string;
  readonly value: string;
  readonly bytes: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** Maximum time in ms that the broker waits for records before it answers a fetch. */
const FETCH_MS = 100;
/**
 * Number of successive fetch responses without a record after which a topic counts as completely read. Responses are
 * counted instead of time, because a busy machine delays each response. One response is not enough, because the
 * broker may deliver a committed transaction with a delay.
 */
const QUIET_FETCHES = 25;
const EMPTY_FETCHES = 100;

/** Reads topics as `read_committed` until no more records arrive. Records of one partition are in order. */
export async function consumeAll(kafka: Kafka, topics: readonly string[]): Promise<Consumed[]> {
  const consumer = kafka.consumer({ groupId: `test-${randomBytes(6).toString('hex')}`, maxWaitTimeInMs: FETCH_MS });
  const records: Consumed[] = [];
  await consumer.connect();
  await consumer.subscribe({ topics: [...topics], fromBeginning: true });
  let quiet = 0;
  // Counts fetch responses. The consumer sends no fetch request before it has joined the group.
  consumer.on(consumer.events.FETCH, () => {
    quiet++;
  });
  await consumer.run({
    autoCommit: false,
    eachMessage: async ({ topic, partition, message }) => {
      quiet = 0;
      const headers = Object.fromEntries(
        Object.entries(message.headers ?? {}).map(([name, value]) => [name, `${value}`]),
      );
      const { offset, key, value } = message;
      records.push({
        topic,
        partition,
        offset: BigInt(offset),
        timeMs: Number(message.timestamp),
        key: `${key}`,
        value: `${value}`,
        bytes: value!,
        headers,
      });
    },
  });
  const end = Date.now() + EVENT_TIMEOUT_MS;
  while (quiet < (records.length === 0 ? EMPTY_FETCHES : QUIET_FETCHES)) {
    if (Date.now() > end) throw new Error(`the broker denies access to ${topics}`);
    await sleep(FETCH_MS / 2);
  }
  await consumer.disconnect();
  return records;
}

/**
 * Returns a text for each gap and each repetition that the headers of the records show. Returns an empty list if each
 * record follows the record before it.
 */
export function brokenLinks(records: readonly Consumed[]): string[] {
  const problems: string[] = [];
  const newest = new Map<string, Consumed>();
  const blocks = new Map<string, string>();
  for (const record of records) {
    const { topic, partition, headers } = record;
    const key = `${topic}/${partition}`;
    const before = newest.get(key)?.headers;
    const isLinked = headers['prevSeq'] === before?.['seq'] && headers['prevIndex'] === before?.['index'];
    const isNextPart = headers['part'] !== undefined && headers['part'] !== '0';
    if (!isLinked && !isNextPart)
      problems.push(`${key}@${record.offset}: ${JSON.stringify(headers)} after ${JSON.stringify(before)}`);
    const id = blocks.get(headers['blockNum']!) ?? headers['blockId']!;
    if (id !== headers['blockId']) problems.push(`block ${headers['blockNum']} is ${id} and ${headers['blockId']}`);
    blocks.set(headers['blockNum']!, id);
    newest.set(key, record);
  }
  return problems;
}
