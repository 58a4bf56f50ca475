// Prints the events of a topic, one JSON line each, until it is interrupted. The sink of the topic must have `payload =
// protobuf`.
import { randomBytes } from 'node:crypto';
import kafkajs from 'kafkajs';
import { EventReader } from './event-reader.js';

const [, , bootstrap, topic] = process.argv;
if (bootstrap === undefined || topic === undefined) {
  console.error('usage: print-events.ts <bootstrap> <topic>');
  process.exit(2);
}

const kafka = new kafkajs.Kafka({ brokers: bootstrap.split(','), logLevel: kafkajs.logLevel.ERROR });
// Reads all committed records from the first one.
const consumer = kafka.consumer({
  groupId: `tronicle-print-${randomBytes(6).toString('hex')}`,
  readUncommitted: false,
});
const events = await EventReader.open();
await consumer.connect();
await consumer.subscribe({ topics: [topic], fromBeginning: true });
await consumer.run({
  autoCommit: false,
  eachMessage: async ({ partition, message: { headers = {}, value } }) => {
    const texts = Object.fromEntries(Object.entries(headers).map(([name, each]) => [name, String(each)]));
    const event = value === null ? undefined : events.read({ topic, partition, headers: texts, value });
    if (event !== undefined) console.log(JSON.stringify(event));
  },
});
process.once('SIGINT', () => void consumer.disconnect());
