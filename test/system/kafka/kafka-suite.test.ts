import { join } from 'node:path';
import t from 'tap';
import { KafkaSink } from '../../../src/streams/sinks/kafka/kafka-sink.js';
import { silent } from '../../support/projections/chain.js';
import { Broker } from '../../support/streams/broker.js';
import { consumeAll } from '../../support/streams/consume.js';
import { RegistryServer } from '../../support/streams/registry-server.js';
import { kafkaSink } from '../../support/streams/sink-options.js';
import { passesSinkSuite } from '../../support/streams/sink-suite.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const broker = await Broker.start();
t.teardown(() => broker.close());
let stages = 0;

passesSinkSuite(t, 'kafka', async (t) => {
  const prefix = `suite${stages++}`;
  const checkpointFile = join(temporaryFolder(t), 'place.json');
  const make = async (): Promise<KafkaSink> =>
    new KafkaSink({
      sink: kafkaSink(broker.bootstrap, { prefix }),
      checkpointFile,
      folder: 'host:/data',
      log: silent,
    });
  return {
    checkpointFile,
    make,
    arrived: async () => {
      const records = await consumeAll(broker.client(), [`${prefix}.transaction`]);
      return records.map(({ value }) => value);
    },
    refused: async () => {
      broker.stop();
      const sink = await make();
      const repair = async (): Promise<KafkaSink> => {
        broker.start();
        return sink;
      };
      return { sink, repair };
    },
  };
});

t.test('sends values with the id of the schema registry, and none before it has an id', async (t) => {
  const server = await RegistryServer.start(t, 7);
  server.refusal = { status: 409, body: '{"error_code":409,"message":"incompatible"}' };
  const sink = new KafkaSink({
    sink: kafkaSink(broker.bootstrap, {
      prefix: 'registered',
      schemaRegistry: `http://127.0.0.1:${server.port}`,
    }),
    checkpointFile: join(temporaryFolder(t), 'place.json'),
    folder: 'host:/data',
    log: silent,
  });
  await sink.open();
  t.teardown(() => sink.close());
  const records = [{ trigger: 'transaction' as const, key: 'a', payload: '{}' }];
  const block = { seq: 2, number: 1, id: '01'.repeat(32), parentId: '00'.repeat(32), readAt: 0, records };
  await t.rejects(sink.write([block]), { code: 'SINK_REFUSED', message: /409 incompatible/ });
  server.refusal = { status: 503, body: '{"error_code":503,"message":"no leader"}' };
  await t.rejects(sink.write([block]), { code: 'SCHEMA_REGISTRY', message: /503 no leader/ });
  server.refusal = undefined;
  await sink.write([block]);
  const seen = await consumeAll(broker.client(), ['registered.transaction']);
  t.same(
    seen.map(({ key, bytes }) => [key, bytes.toString('hex')]),
    [['a', '00000000077b7d']],
  );
  t.same(
    server.registrations.map(({ subject }) => subject),
    Array(3).fill('registered.transaction-value'),
  );
});
