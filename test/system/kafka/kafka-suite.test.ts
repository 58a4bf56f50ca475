import { join } from 'node:path';
import t from 'tap';
import { KafkaSink } from '../../../src/streams/sinks/kafka/kafka-sink.js';
import { silent } from '../../support/projections/chain.js';
import { Broker } from '../../support/streams/broker.js';
import { consumeAll } from '../../support/streams/consume.js';
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
      const mend = async (): Promise<KafkaSink> => {
        broker.start();
        return sink;
      };
      return { sink, mend };
    },
  };
});
