import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import kafkajs, { type ITopicConfig } from 'kafkajs';
import t from 'tap';
import type { BlockRecords } from '../../../src/streams/records/event-record.js';
import { SinkError } from '../../../src/streams/sink-error.js';
import { KafkaSink } from '../../../src/streams/sinks/kafka/kafka-sink.js';
import type { SinkOptionsOf } from '../../../src/streams/sinks/sink-kinds.js';
import { silent, temporaryFolder } from '../../support/projections/chain.js';
import { Broker } from '../../support/streams/broker.js';
import { brokenLinks, consumeAll } from '../../support/streams/consume.js';
import { kafkaSink } from '../../support/streams/sink-options.js';

const broker = await Broker.start();
t.teardown(() => broker.close());
const admin = broker.client().admin();
await admin.connect();
t.teardown(() => admin.disconnect());

function sinkIn(folder: string, options: Partial<SinkOptionsOf<'kafka'>>, checkMs = 60_000): KafkaSink {
  const sink = kafkaSink(broker.bootstrap, options);
  return new KafkaSink({
    sink,
    checkMs,
    checkpointFile: join(folder, 'place.json'),
    folder: `host:${folder}`,
    log: silent,
  });
}

/**
 * Creates a topic and waits until the broker lists it. With `waitForLeaders`, kafkajs fails if the broker does not know
 * the topic at once.
 */
async function createTopic(topic: ITopicConfig): Promise<void> {
  await admin.createTopics({ topics: [topic], waitForLeaders: false });
  while (!(await admin.listTopics()).includes(topic.topic)) await sleep(20);
}

function block(number: number, payloads: readonly string[]): BlockRecords {
  const records = payloads.map((payload, at) => ({ trigger: 'transaction' as const, key: `${number} ${at}`, payload }));
  const [id, parentId] = [number, number - 1].map((height) => String(height).padStart(64, '0')) as [string, string];
  return { seq: number * 2, number, id, parentId, readAt: 0, records };
}

/**
 * Opens a sink and writes blocks, as the forwarder does: repeats both after an error, unless the error needs an
 * operator. An attempt may fail, because the client waits only a few seconds until a new broker has a coordinator.
 */
async function forward(sink: KafkaSink, blocks: readonly BlockRecords[]): Promise<void> {
  for (;;) {
    try {
      const position = await sink.open();
      for (const each of blocks) if (each.number > (position?.number ?? 0)) await sink.write([each]);
      return;
    } catch (error) {
      if (error instanceof SinkError) throw error;
      await sleep(200);
    }
  }
}

t.test('writes each record once to a broker that starts slowly', async (t) => {
  const slow = await Broker.start();
  const feed = slow.starve();
  t.teardown(() => slow.close());
  t.teardown(feed);
  const sink = new KafkaSink({
    sink: kafkaSink(slow.bootstrap, { prefix: 'slow' }),
    checkpointFile: join(temporaryFolder(t), 'place.json'),
    folder: 'host:/data',
    log: silent,
  });
  await forward(sink, [block(1, ['1']), block(2, ['2'])]);
  await sink.close();
  feed();
  const records = await consumeAll(slow.client(), ['slow.transaction']);
  t.same(
    records.map(({ value }) => value),
    ['1', '2'],
  );
});

t.test('splits records larger than a batch and sends many small ones in many batches', async (t) => {
  const sink = sinkIn(temporaryFolder(t), { prefix: 'large', partitions: 2 });
  await sink.open();
  const payloads = [`"${'x'.repeat(2_500_000)}"`, ...Array.from({ length: 40 }, () => `"${'y'.repeat(100_000)}"`)];
  await sink.write([block(1, payloads)]);
  await sink.write([block(2, ['2'])]);
  await sink.close();
  const records = await consumeAll(broker.client(), ['large.transaction']);
  t.strictSame(brokenLinks(records), []);
  const whole = new Map<string, string>();
  for (const { headers, value } of records) {
    const key = `${headers['blockNum']}/${headers['index']}`;
    whole.set(key, (whole.get(key) ?? '') + value);
  }
  t.strictSame([...whole.values()].sort(), [...payloads, '2'].sort());
  t.equal(records.filter(({ headers }) => headers['parts'] === '3').length, 3);
});

t.test('rejects a deleted, emptied or unknown topic with a remedy', async (t) => {
  const folder = temporaryFolder(t);
  const options = { prefix: 'gone' };
  const sink = sinkIn(folder, options);
  await sink.open();
  await sink.write([block(1, ['1']), block(2, ['2'])]);
  await sink.close();
  await admin.deleteTopics({ topics: ['gone.transaction'] });
  await t.rejects(sinkIn(folder, options).open(), { code: 'SINK_REFUSED', message: /gone.transaction is missing/ });
  await createTopic({ topic: 'gone.transaction', numPartitions: 1 });
  await t.rejects(sinkIn(folder, options).open(), { code: 'SINK_REFUSED', message: /ends before the last record/ });
  await admin.deleteTopics({ topics: ['gone.cursor'] });
  await t.rejects(sinkIn(folder, options).open(), { code: 'SINK_REFUSED', message: /gone.cursor is missing/ });
  const unrelated = sinkIn(temporaryFolder(t), {
    prefix: 'other',
    topicNames: new Map([['transaction', 'large.transaction']]),
  });
  await t.rejects(unrelated.open(), { code: 'SINK_REFUSED', message: /has records/ });
});

t.test('rejects a topic whose size limit is smaller than any record', async (t) => {
  const configEntries = [{ name: 'max.message.bytes', value: '500' }];
  await createTopic({ topic: 'small.transaction', numPartitions: 1, configEntries });
  const sink = sinkIn(temporaryFolder(t), { prefix: 'small' });
  await t.rejects(sink.open(), {
    code: 'SINK_REFUSED',
    message: /limit of topic small.transaction is 500 bytes, .* max.message.bytes/,
  });
  await sink.close();
});

async function recreate(topic: string): Promise<void> {
  await admin.deleteTopics({ topics: [topic] });
  while ((await admin.listTopics()).includes(topic)) await sleep(20);
  await createTopic({ topic, numPartitions: 1 });
}

/** Writes a block to a recreated topic. Tries several times, because a write may still reach the deleted topic. */
async function refusedWrite(sink: KafkaSink, block: BlockRecords): Promise<Error | undefined> {
  for (let attempt = 0; attempt < 10; attempt++) {
    const error = await sink.write([block]).then(
      () => undefined,
      (thrown: Error & { code?: string }) => thrown,
    );
    if (error === undefined || error.code === 'SINK_REFUSED') return error;
  }
  return new Error('never');
}

t.test('rejects a topic that is created again while the sink is open, and writes nothing to it', async (t) => {
  const sink = sinkIn(temporaryFolder(t), { prefix: 'anew' });
  await sink.open();
  await sink.write([block(1, ['1']), block(2, ['2'])]);
  await recreate('anew.transaction');
  t.match(await refusedWrite(sink, block(3, ['3'])), {
    code: 'SINK_REFUSED',
    message: /anew.transaction, partition 0, ends before .* \(block 2\)/,
  });
  await sink.close();
  t.strictSame(await consumeAll(broker.client(), ['anew.transaction']), []);
});

t.test('still rejects a recreated topic in which a larger transaction was aborted', async (t) => {
  const folder = temporaryFolder(t);
  const topic = 'again.transaction';
  const sink = sinkIn(folder, { prefix: 'again' });
  await sink.open();
  await sink.write([block(1, ['1'])]);
  await recreate(topic);
  const larger = block(
    2,
    Array.from({ length: 50 }, (_, at) => `${at}`),
  );
  t.match(await refusedWrite(sink, larger), { code: 'SINK_REFUSED', message: /again.transaction, partition 0/ });
  await sink.close();
  const next = sinkIn(folder, { prefix: 'again' });
  for (let start = 0; start < 2; start++)
    await t.rejects(next.open(), { code: 'SINK_REFUSED', message: /again.transaction, partition 0, .* \(block 1\)/ });
  await next.close();
  // Restores the topic with its only record. The record is followed by the marker of its transaction.
  await recreate(topic);
  const producer = broker.client().producer();
  await producer.connect();
  const messages = ['1', 'marker'].map((value) => ({ value, partition: 0 }));
  await producer.send({ topic, messages });
  await producer.disconnect();
  const restored = sinkIn(folder, { prefix: 'again' });
  t.match(await restored.open(), { number: 1 });
  await restored.write([larger]);
  await restored.close();
});

t.test('resumes from the cursor in the topic with a new data folder', async (t) => {
  const first = sinkIn(temporaryFolder(t), { prefix: 'resume' });
  t.equal(await first.open(), undefined);
  for (let number = 1; number < 100; number++) await first.write([block(number, [String(number)])]);
  await first.close();
  const second = sinkIn(temporaryFolder(t), { prefix: 'resume', topics: ['transaction', 'block'] });
  t.match(await second.open(), { number: 99, seq: 198 });
  await second.write([block(100, ['100'])]);
  await second.close();
  const records = await consumeAll(broker.client(), ['resume.transaction']);
  t.strictSame(brokenLinks(records), []);
  t.equal(records.length, 100);
});

t.test('fences a process permanently after a takeover of its sink', async (t) => {
  const old = sinkIn(temporaryFolder(t), { prefix: 'zombie' });
  await old.open();
  await old.write([block(1, ['1'])]);
  const young = sinkIn(temporaryFolder(t), { prefix: 'zombie' });
  t.match(await young.open(), { number: 1 });
  await t.rejects(old.write([block(2, ['old'])]));
  await young.write([block(2, ['2'])]);
  // The new process writes blocks while the old process checks which process owns the sink.
  let number = 2;
  let isOver = false;
  const writing = (async () => {
    for (; !isOver; await sleep(100)) await young.write([block(++number, [String(number)])]);
  })();
  await t.rejects(old.open(), { code: 'SINK_REFUSED', message: /another process uses the same sink name/ });
  isOver = true;
  await writing;
  await young.close();
  await old.close();
  const records = await consumeAll(broker.client(), ['zombie.transaction']);
  t.strictSame(
    records.map(({ value }) => value),
    Array.from({ length: number }, (_, at) => String(at + 1)),
  );
});

t.test('does not take over a sink from a running process while this log lacks the block of the cursor', async (t) => {
  const running = sinkIn(temporaryFolder(t), { prefix: 'guest' });
  await running.open();
  for (let number = 1; number < 100; number++) await running.write([block(number, [String(number)])]);
  const guest = sinkIn(temporaryFolder(t), { prefix: 'guest' });
  const places: unknown[] = [];
  const isInLog = (position: { readonly number: number }): boolean => {
    places.push(position.number);
    return false;
  };
  await t.rejects(guest.open(isInLog), { code: 'BLOCK_NOT_IN_LOG', position: { number: 99 } });
  t.strictSame(places, [99]);
  await running.write([block(100, ['100'])]);
  await running.close();
  t.match(await guest.open(({ number }) => number === 100), { number: 100 });
  await guest.close();
  const records = await consumeAll(broker.client(), ['guest.transaction']);
  t.strictSame(brokenLinks(records), []);
  t.equal(records.length, 100);
});

t.test('names the data folder that has taken over a sink, and resumes from a claim without a folder', async (t) => {
  const prefix = 'named';
  const old = sinkIn(temporaryFolder(t), { prefix });
  await old.open();
  await old.write([block(1, ['1'])]);
  const folder = temporaryFolder(t);
  const young = sinkIn(folder, { prefix });
  await young.open();
  // Writes many blocks, so the claim of the owner is much older than the newest cursor in the topic.
  for (let number = 2; number < 80; number++) await young.write([block(number, [String(number)])]);
  await young.close();
  await t.rejects(old.write([block(2, ['old'])]));
  await t.rejects(old.open(), { code: 'SINK_REFUSED', message: new RegExp(`\\(data folder host:${folder}\\)`) });
  await old.close();
  const producer = broker.client().producer();
  await producer.connect();
  const value = JSON.stringify({ version: 1, owner: 'earlier', id: 'release' });
  await producer.send({ topic: `${prefix}.cursor`, messages: [{ key: 'kafka#claim', value, partition: 0 }] });
  await producer.disconnect();
  const next = sinkIn(temporaryFolder(t), { prefix });
  t.match(await next.open(), { number: 79 });
  await next.close();
});

t.test('stops at a compacted topic, at the start and while it is open', async (t) => {
  const setPolicy = (value: string): Promise<unknown> =>
    admin.alterConfigs({
      validateOnly: false,
      resources: [
        {
          type: kafkajs.ConfigResourceTypes.TOPIC,
          name: 'compact.transaction',
          configEntries: [{ name: 'cleanup.policy', value }],
        },
      ],
    });
  const refused = {
    code: 'SINK_REFUSED',
    message: /compact.transaction has cleanup.policy=compact.*stream resume kafka/,
  };
  await createTopic({ topic: 'compact.transaction', numPartitions: 1 });
  await setPolicy('compact,delete');
  const folder = temporaryFolder(t);
  const sink = sinkIn(folder, { prefix: 'compact' }, 0);
  await t.rejects(sink.open(), refused);
  await setPolicy('delete');
  t.equal(await sink.open(), undefined);
  await sink.write([block(1, ['1'])]);
  await setPolicy('compact');
  await t.rejects(sink.write([block(2, ['2'])]), refused);
  await setPolicy('delete');
  t.match(await sink.open(), { number: 1 });
  await sink.close();
});

t.test('reports a cursor topic from which the broker deletes old records', async (t) => {
  await createTopic({ topic: 'expiring.cursor', numPartitions: 1 });
  const sink = sinkIn(temporaryFolder(t), { prefix: 'expiring' });
  await sink.open();
  t.match(sink.notes, [/^topic expiring.cursor has cleanup.policy=delete, .* set cleanup.policy=compact$/]);
  await sink.close();
});

t.test('keeps each key in its partition when partitions are added, and reports them', async (t) => {
  const folder = temporaryFolder(t);
  const options = { prefix: 'grown', partitions: 2 };
  const keyed = (number: number): BlockRecords => ({
    ...block(number, []),
    records: Array.from({ length: 20 }, (_, key) => ({
      ...{ trigger: 'transaction' as const, key: `key ${key}`, payload: `${number}` },
    })),
  });
  const sink = sinkIn(folder, options, 0);
  await sink.open();
  await sink.write([keyed(1)]);
  t.strictSame(sink.notes, []);
  await admin.createPartitions({ topicPartitions: [{ topic: 'grown.transaction', count: 6 }] });
  for (let number = 2; number < 4; number++) await sink.write([keyed(number)]);
  const note =
    'topic grown.transaction has 6 partitions, but had 2 when the sink sent its first record; only the first 2 partitions receive records';
  t.match(sink.notes, [note]);
  await sink.close();
  const next = sinkIn(folder, options);
  t.match(await next.open(), { number: 3 });
  t.match(next.notes, [note]);
  await next.write([keyed(4)]);
  await next.close();
  const records = await consumeAll(broker.client(), ['grown.transaction']);
  t.strictSame(brokenLinks(records), []);
  t.equal(records.length, 80);
  const places = new Set(records.map(({ key, partition }) => `${key}/${partition}`));
  t.equal(places.size, 20, 'each key has one partition');
});

const DAY_MS = 86_400_000;

t.test('sets the time of a record to that of its block, and creates topics with unlimited retention', async (t) => {
  const now = Date.now();
  const times = [0, now - 3000 * DAY_MS, now - 3000 * DAY_MS + 3000, now - 8 * DAY_MS, now - 1000, now + DAY_MS];
  const blocks = times.map((timeMs, number) => ({ ...block(number, ['1', '2']), timeMs }));
  const sink = sinkIn(temporaryFolder(t), { prefix: 'kept' });
  await sink.open();
  await sink.write(blocks);
  t.strictSame(sink.notes, []);
  await sink.close();
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: [{ type: kafkajs.ConfigResourceTypes.TOPIC, name: 'kept.transaction', configNames: ['retention.ms'] }],
  });
  t.match(resources[0]?.configEntries, [{ configName: 'retention.ms', configValue: '-1' }]);
  const records = await consumeAll(broker.client(), ['kept.transaction']);
  t.strictSame(brokenLinks(records), []);
  t.equal(records.length, 2 * times.length);
  for (const { headers, timeMs } of records) {
    const expected = times[Number(headers['blockNum'])]!;
    if (expected <= now) t.equal(timeMs, expected, `block ${headers['blockNum']}`);
    else t.ok(timeMs >= now && timeMs <= Date.now(), 'the time of sending replaces a time in the future');
  }
});

t.test('runs on a cluster that compresses and compacts topics by default', async (t) => {
  const other = await Broker.start(['compression.type=lz4', 'log.cleanup.policy=compact']);
  t.teardown(() => other.close());
  const folder = temporaryFolder(t);
  const options = kafkaSink(other.bootstrap, { prefix: 'lz4' });
  const sink = (): KafkaSink =>
    new KafkaSink({ sink: options, checkpointFile: join(folder, 'place.json'), folder: 'host:a', log: silent });
  for (const number of [1, 2]) {
    const opened = sink();
    await forward(opened, [block(number, ['a'])]);
    await opened.close();
  }
  const reopened = sink();
  t.match(await reopened.open(), { number: 2 });
  await reopened.close();
});

t.test('reports a topic whose retention is shorter than the age of the blocks', async (t) => {
  const configEntries = [{ name: 'retention.ms', value: String(7 * DAY_MS) }];
  await createTopic({ topic: 'short.transaction', numPartitions: 1, configEntries });
  const sink = sinkIn(temporaryFolder(t), { prefix: 'short' });
  await sink.open();
  await sink.write([{ ...block(1, ['1']), timeMs: Date.now() - 8 * DAY_MS }]);
  t.match(sink.notes, [/^topic short.transaction has retention.ms=604800000, .* retention.ms=-1/]);
  await sink.write([{ ...block(2, ['2']), timeMs: Date.now() }]);
  t.strictSame(sink.notes, []);
  await sink.close();
});
