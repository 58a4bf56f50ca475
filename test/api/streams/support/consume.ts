import { randomBytes } from 'node:crypto';
import type { Kafka } from 'kafkajs';

export interface Consumed {
  readonly topic: string;
  readonly partition: number;
  readonly offset: bigint;
  readonly key: string;
  readonly value: string;
  readonly bytes: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** ms after joining the group until an empty topic counts as empty. */
const FIRST_MS = 10_000;

/** Reads topics as `read_committed` until nothing has come for `quietMs`, in the order of each partition. */
export async function consumeAll(kafka: Kafka, topics: readonly string[], quietMs = 2500): Promise<Consumed[]> {
  const consumer = kafka.consumer({ groupId: `test-${randomBytes(6).toString('hex')}`, maxWaitTimeInMs: 100 });
  const records: Consumed[] = [];
  await consumer.connect();
  await consumer.subscribe({ topics: [...topics], fromBeginning: true });
  let last = Number.POSITIVE_INFINITY;
  // The broker may let nobody join yet, more so on a busy machine.
  consumer.on(consumer.events.GROUP_JOIN, () => {
    last = Date.now();
  });
  await consumer.run({
    autoCommit: false,
    eachMessage: async ({ topic, partition, message }) => {
      last = Date.now();
      const headers = Object.fromEntries(
        Object.entries(message.headers ?? {}).map(([name, value]) => [name, `${value}`]),
      );
      const { offset, key, value } = message;
      records.push({
        topic,
        partition,
        offset: BigInt(offset),
        key: `${key}`,
        value: `${value}`,
        bytes: value!,
        headers,
      });
    },
  });
  while (Date.now() - last < (records.length === 0 ? FIRST_MS : quietMs))
    await new Promise((resolve) => setTimeout(resolve, 50));
  await consumer.disconnect();
  return records;
}

/** What the headers of records say against continuity: empty when every record follows the one before it. */
export function brokenLinks(records: readonly Consumed[]): string[] {
  const problems: string[] = [];
  const newest = new Map<string, Consumed>();
  const blocks = new Map<string, string>();
  for (const record of records) {
    const { topic, partition, headers } = record;
    const place = `${topic}/${partition}`;
    const before = newest.get(place)?.headers;
    const isLinked = headers['prevSeq'] === before?.['seq'] && headers['prevIndex'] === before?.['index'];
    const isNextPart = headers['part'] !== undefined && headers['part'] !== '0';
    if (!isLinked && !isNextPart)
      problems.push(`${place}@${record.offset}: ${JSON.stringify(headers)} after ${JSON.stringify(before)}`);
    const id = blocks.get(headers['blockNum']!) ?? headers['blockId']!;
    if (id !== headers['blockId']) problems.push(`block ${headers['blockNum']} is ${id} and ${headers['blockId']}`);
    blocks.set(headers['blockNum']!, id);
    newest.set(place, record);
  }
  return problems;
}
