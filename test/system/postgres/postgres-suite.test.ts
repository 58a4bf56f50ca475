import { join } from 'node:path';
import t from 'tap';
import { PostgresSink } from '../../../src/streams/sinks/postgres/postgres-sink.js';
import { silent } from '../../support/projections/chain.js';
import { PostgresServer } from '../../support/streams/postgres-server.js';
import { postgresSink } from '../../support/streams/sink-options.js';
import { passesSinkSuite } from '../../support/streams/sink-suite.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const server = await PostgresServer.start();
t.teardown(() => server.close());
let stages = 0;

passesSinkSuite(t, 'postgres', async (t) => {
  const schema = `suite${stages++}`;
  const checkpointFile = join(temporaryFolder(t), 'place.json');
  const sink = postgresSink(server.url(), { schema });
  const make = async (): Promise<PostgresSink> =>
    new PostgresSink({ sink, checkpointFile, folder: 'host:/data', genesisId: '00', log: silent });
  return {
    checkpointFile,
    make,
    arrived: async () => {
      const rows = await server.query<{ ms: string; id: string }>(
        `select (extract(epoch from time) * 1000)::bigint as ms, transaction_id as id from ${schema}.transactions
         order by block_number, transaction_index`,
      );
      return rows.map(({ ms, id }) => `{"timeStamp":${ms},"transactionId":"${id}"}`);
    },
    refused: async () => {
      await server.stop();
      const sink = await make();
      const repair = async (): Promise<PostgresSink> => {
        await server.restart();
        return sink;
      };
      return { sink, repair };
    },
  };
});
