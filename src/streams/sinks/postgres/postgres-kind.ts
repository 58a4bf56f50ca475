import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { present } from '../../../primitives/assert.js';
import { toHex } from '../../../primitives/bytes.js';
import { UsageError } from '../../../primitives/errors.js';
import { MANDATORY, type SinkKind } from '../sink-kind.js';
import {
  backfillSchema,
  checkShared,
  PARTITION_BLOCKS,
  type PostgresOptions,
  readPartitionBlocks,
  readSchema,
  readUrl,
  SCHEMA,
  shownUrl,
} from './postgres-options.js';
import { isTableTrigger, TABLE_TRIGGERS } from './tables.js';

/** Sink for a PostgreSQL database. */
export const postgresKind: SinkKind<PostgresOptions> = {
  doc: {
    is: 'tables of a PostgreSQL database',
    guarantee: 'no gap and no duplicate',
    because:
      'one database transaction writes the rows of whole blocks and the position of the sink; after another process claims the sink, the previous process cannot write',
    shownBy:
      '`npm test` kills the node 12 times and the database 4 times; `npm run reliability -- postgres-kills --night` ten times as often',
  },
  members: {
    url: {
      type: 'string',
      doc: 'URL of the database: postgres://<user>@<host>:<port>/<database>; the password is never displayed',
      fallback: MANDATORY,
      read: readUrl,
      shown: shownUrl,
    },
    schema: {
      type: 'string',
      doc: 'database schema of the tables; the node creates the schema if needed',
      fallback: SCHEMA,
      read: readSchema,
    },
    partitionBlocks: {
      type: 'int',
      doc: 'number of blocks per partition of a table; fixed when the tables are created',
      fallback: String(PARTITION_BLOCKS),
      read: readPartitionBlocks,
    },
  },
  check: checkShared,
  // A backfill may write to the tables of its sink. The primary key of a row is its position in the chain, so a record
  // that is written again updates the same row.
  fill: (_, { of, trigger, into }) => {
    if (!isTableTrigger(trigger))
      throw new UsageError(
        `cannot backfill ${trigger} with sink ${of}: PostgreSQL has no table for it; set --topic to one of ${TABLE_TRIGGERS.join(', ')}`,
      );
    return into === undefined ? {} : { schema: backfillSchema(into) };
  },
  create: async (sink, { dataDir, checkpointFile, ledger, log }) => {
    const { PostgresSink } = await import('./postgres-sink.js');
    const genesis = present(ledger.base?.genesisId ?? ledger.blockIdAt(0), 'a log starts at a genesis block or a base');
    const folder = `${hostname()}:${resolve(dataDir)}`;
    return new PostgresSink({ sink, checkpointFile, folder, genesisId: toHex(genesis), log });
  },
};
