import { join } from 'node:path';
import t from 'tap';
import type { BlockRecords } from '../../../src/streams/records/event-record.js';
import { KafkaSink } from '../../../src/streams/sinks/kafka/kafka-sink.js';
import { silent } from '../../support/projections/chain.js';
import { Broker } from '../../support/streams/broker.js';
import { brokenLinks, consumeAll } from '../../support/streams/consume.js';
import { kafkaSink } from '../../support/streams/sink-options.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const BLOCKS = 40;
const RECORDS = 60;

function block(number: number): BlockRecords {
  const [id, parentId] = [number, number - 1].map((height) => String(height).padStart(64, '0')) as [string, string];
  const records = Array.from({ length: RECORDS }, (_, at) => ({
    trigger: 'transaction' as const,
    key: `${number}.${at}`,
    payload: 'x'.repeat(300),
  }));
  return { seq: number * 2, number, id, parentId, readAt: 0, records };
}

// With several brokers, kafkajs sends the batches of a request at the same time, and repeats them independently.
t.test('sends each record once to a cluster of two brokers', async (t) => {
  const broker = await Broker.start();
  t.teardown(() => broker.close());
  const joined = await broker.join();
  t.teardown(() => joined.close());
  const options = kafkaSink(broker.bootstrap, { partitions: 6, replication: 2 });
  const folder = temporaryFolder(t);
  const sink = new KafkaSink({
    sink: options,
    checkpointFile: join(folder, 'place.json'),
    folder: 'host:a',
    log: silent,
  });
  t.teardown(() => sink.close());
  await sink.open();
  for (let number = 1; number <= BLOCKS; number++) await sink.write([block(number)]);
  const records = await consumeAll(broker.client(), ['tronicle.transaction']);
  t.equal(records.length, BLOCKS * RECORDS);
  t.same(brokenLinks(records), []);
  t.equal(new Set(records.map(({ partition }) => partition)).size, 6, 'all partitions have records');
});
