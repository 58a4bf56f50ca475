import type { Kafka, KafkaMessage, Message } from 'kafkajs';

/** Reads a topic with one partition. Returns after `count` records. */
export async function readTopic(kafka: Kafka, topic: string, count: number): Promise<KafkaMessage[]> {
  const consumer = kafka.consumer({ groupId: `copy-${topic}-${Date.now()}`, maxWaitTimeInMs: 100 });
  const records: KafkaMessage[] = [];
  await consumer.connect();
  await consumer.subscribe({ topics: [topic], fromBeginning: true });
  await new Promise<void>((resolve) => {
    void consumer.run({
      eachMessage: async ({ message }) => {
        records.push(message);
        if (records.length === count) resolve();
      },
    });
  });
  await consumer.disconnect();
  return records.slice(0, count);
}

/** Writes records to a new topic. `change` may modify each record. */
export async function writeTopic(
  kafka: Kafka,
  topic: string,
  records: readonly KafkaMessage[],
  change: (value: Buffer, index: number) => Buffer,
): Promise<void> {
  const admin = kafka.admin();
  await admin.connect();
  await admin.createTopics({ topics: [{ topic, numPartitions: 1 }], waitForLeaders: true });
  await admin.disconnect();
  const producer = kafka.producer({ allowAutoTopicCreation: false, retry: { retries: 9, initialRetryTime: 20 } });
  await producer.connect();
  const messages = records.map(({ key, value, headers }, index): Message => {
    return { key, value: change(value!, index), ...(headers && { headers }) };
  });
  await producer.send({ topic, messages });
  await producer.disconnect();
}
