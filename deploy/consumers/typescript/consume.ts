// Reads a topic of Tronicle from its first record. Verifies by the headers that no record is missing, duplicated or out
// of order. The exit code is 0 if all records are continuous, 1 after a gap, and 2 if the topic cannot be read.
import { randomBytes } from 'node:crypto';
import kafkajs from 'kafkajs';
import { Continuity } from './continuity.js';

const [, , bootstrap, topic, idleSeconds = '5'] = process.argv;
const idleMs = Number(idleSeconds) * 1000;
if (bootstrap === undefined || topic === undefined || Number.isNaN(idleMs)) {
  console.error('usage: consume.ts <bootstrap> <topic> [seconds without a record after which to end; 0: never]');
  process.exit(2);
}

const kafka = new kafkajs.Kafka({ brokers: bootstrap.split(','), logLevel: kafkajs.logLevel.ERROR });
// The consumer has its own group, so it receives all partitions. It commits no offsets. A real consumer stores seq and
// index of each partition together with its own output. After a restart, it checks the next record against them.
const consumer = kafka.consumer({
  groupId: `tronicle-continuity-${randomBytes(6).toString('hex')}`,
  // read_committed: the consumer never receives records of an open or aborted transaction.
  readUncommitted: false,
  allowAutoTopicCreation: false,
  maxWaitTimeInMs: 500,
});
const continuity = new Continuity();
let records = 0;
let gaps = 0;

function report(problems: readonly string[]): void {
  gaps += problems.length;
  for (const problem of problems) console.log(problem);
}

function fail(error: unknown): never {
  console.error(error instanceof Error ? error.message : error);
  process.exit(2);
}

const done = new Promise<void>((resolve) => {
  let timer: NodeJS.Timeout | undefined;
  const wait = (): void => {
    if (idleMs === 0) return;
    clearTimeout(timer);
    timer = setTimeout(resolve, idleMs);
  };
  // Restarts the timer, because joining the group takes additional time.
  consumer.on(consumer.events.GROUP_JOIN, wait);
  consumer.on(consumer.events.END_BATCH_PROCESS, wait);
  consumer.on(consumer.events.CRASH, ({ payload: { error, restart } }) => {
    if (!restart) fail(error);
  });
  process.once('SIGINT', () => resolve());
});
// After a rebalance, kafkajs may deliver uncommitted records again. Their offsets identify them.
const next = new Map<number, bigint>();
try {
  await consumer.connect();
  await consumer.subscribe({ topics: [topic], fromBeginning: true });
  await consumer.run({
    autoCommit: false,
    eachMessage: async ({ partition, message: { offset, headers = {} } }) => {
      if (BigInt(offset) < (next.get(partition) ?? 0n)) return;
      next.set(partition, BigInt(offset) + 1n);
      const texts = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
      records += 1;
      report(continuity.check({ topic, partition, offset, headers: texts }));
    },
  });
} catch (error) {
  fail(error);
}
await done;
await consumer.disconnect();
report(continuity.unfinished());
console.log(`${records} records in ${next.size} partitions, ${gaps} problems`);
process.exit(gaps > 0 ? 1 : records > 0 ? 0 : 2);
