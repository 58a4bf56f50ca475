import type { ClientBase } from 'pg';
import { SinkError } from '../../sink-error.js';
import { quoted } from './statements.js';
import { begin } from './transaction.js';

type Column = readonly [name: string, type: string, doc: string];

const BLOCK: Column = ['block_number', 'bigint not null', 'height of the block'];
const TIME: Column = ['time', 'timestamptz not null', 'time of the block'];

/**
 * Steps that create the tables. Step n creates version n. A released step never changes. To change its tables, add a
 * step. Names without a schema are in the schema of the sink.
 */
const STEPS: readonly (readonly string[])[] = [
  [
    'create table chain (is_only boolean primary key default true check (is_only), genesis_id text not null, partition_blocks bigint not null)',
    "comment on table chain is 'the chain of all rows in this schema, and the number of heights in a partition'",
    ...table(
      'sinks',
      'position of each sink: all rows up to its block are stored',
      ['primary key (name)'],
      [
        ['name', 'text not null', 'name of the sink in the configuration'],
        ['epoch', 'bigint not null default 0', 'number of claims; a process with an older epoch cannot write'],
        ['owner', 'text', 'random id of the process that writes'],
        ['folder', 'text', 'host and data folder of the process that writes'],
        ['claimed_at', 'timestamptz', 'time at which the process claimed the sink'],
        ['seq', 'bigint', 'log entry of the last block; null before the first one'],
        ['block_number', 'bigint', 'height of the last block'],
        ['block_hash', 'text', 'id of the last block, in hex'],
        ['updated_at', 'timestamptz', 'time of the last transaction'],
      ],
    ),
    ...partitioned(
      'blocks',
      'blocks of the topic block',
      ['block_number'],
      [
        BLOCK,
        ['block_hash', 'text not null', 'block id in hex'],
        ['parent_hash', 'text not null', 'id of the parent block, in hex'],
        TIME,
        ['transaction_count', 'integer', 'number of transactions'],
        ['solidified_number', 'bigint', 'solidified height after the block'],
        ['transaction_ids', 'jsonb', 'ids of the transactions in hex, in their order'],
      ],
    ),
    'create index on blocks (block_hash)',
    'create index on blocks (time)',
    ...partitioned(
      'transactions',
      'transactions of the topic transaction',
      ['block_number', 'transaction_index'],
      [
        BLOCK,
        ['transaction_index', 'integer not null', 'index of the transaction in the block, from 0'],
        ['transaction_id', 'text not null', 'transaction id in hex'],
        TIME,
        ['contract_type', 'text', 'type of the contract, such as TransferContract'],
        ['result', 'text', 'result of the execution, such as SUCCESS or REVERT'],
        ['from_address', 'text', 'sender, in Base58Check'],
        ['to_address', 'text', 'recipient, or called smart contract, in Base58Check'],
        ['contract_address', 'text', 'called or created smart contract, in Base58Check'],
        ['asset_name', 'text', 'trx, or the TRC10 asset of a transfer contract'],
        ['asset_amount', 'numeric', 'amount of the contract in SUN, or the smallest units of the asset'],
        ['call_value', 'numeric', 'value sent with a call, in SUN'],
        ['fee_limit', 'numeric', 'in SUN'],
        ['energy_usage', 'bigint', 'energy of the stake of the caller'],
        ['energy_fee', 'numeric', 'TRX burnt for energy, in SUN'],
        ['origin_energy_usage', 'bigint', 'energy of the stake of the creator of the smart contract'],
        ['energy_usage_total', 'bigint', 'energy that the transaction used'],
        ['net_usage', 'bigint', 'bandwidth that the transaction used'],
        ['net_fee', 'numeric', 'TRX burnt for bandwidth, in SUN'],
        ['contract_result', 'text', 'returned data in hex'],
        ['data', 'text', 'memo of the transaction in hex'],
        ['internal_transactions', 'jsonb', 'internal transactions as in the topic transaction'],
      ],
    ),
    'create index on transactions (transaction_id)',
    'create index on transactions (from_address, block_number)',
    'create index on transactions (to_address, block_number)',
    'create index on transactions (contract_address, block_number)',
    ...partitioned(
      'transfers',
      'movements of the topic transfer',
      ['block_number', 'transfer_index'],
      [
        BLOCK,
        ['transfer_index', 'integer not null', 'index among all movements of the block, from 0'],
        ['transaction_id', 'text', 'transaction id in hex; null without a single transaction'],
        TIME,
        ['kind', 'text not null', 'cause, such as transfer, fee or reward'],
        ['standard', 'text not null', 'TRX, TRC10, TRC20, TRC721 or TRC1155'],
        ['token', 'text not null', 'TRX, id of the TRC10 asset, or address of the token contract'],
        ['token_id', 'text', 'id within a TRC721 or TRC1155 contract'],
        ['from_address', 'text', 'sender in Base58Check; null if the amount comes from no balance'],
        ['to_address', 'text', 'recipient in Base58Check; null if the amount arrives at no balance'],
        ['amount', 'numeric not null', 'in SUN, or the smallest units of the token'],
        ['decimals', 'integer', 'of TRX and TRC10; null for token contracts'],
        ['symbol', 'text', 'of TRX and TRC10; null for token contracts'],
        ['contract_type', 'text', 'type of the contract of the transaction'],
        ['result', 'text', 'result of the transaction'],
      ],
    ),
    'create index on transfers (transaction_id)',
    'create index on transfers (from_address, token, block_number)',
    'create index on transfers (to_address, token, block_number)',
    'create index on transfers (token, block_number)',
    ...partitioned(
      'events',
      'logs of smart contracts, of the topics contractevent and contractlog',
      ['block_number', 'transaction_id', 'log_index'],
      [
        BLOCK,
        ['transaction_id', 'text not null', 'transaction id in hex'],
        ['log_index', 'integer not null', 'number of the log in the transaction, from 1'],
        TIME,
        ['contract_address', 'text not null', 'smart contract that emitted the log, in Base58Check'],
        ['origin_address', 'text', 'sender of the transaction, in Base58Check'],
        ['creator_address', 'text', 'creator of the smart contract, in Base58Check'],
        ['topics', 'jsonb', 'topics of the log, in hex'],
        ['data', 'text', 'data of the log, in hex'],
        ['name', 'text', 'name of the event; null for a log that no ABI decodes'],
        ['signature', 'text', 'signature of the event, with the names of its parameters'],
        ['topic_map', 'jsonb', 'indexed arguments, by name and by position'],
        ['data_map', 'jsonb', 'other arguments, by name and by position'],
      ],
    ),
    'create index on events (transaction_id)',
    'create index on events (contract_address, name, block_number)',
  ],
];

/** Version of the tables that this release writes. */
export const SCHEMA_VERSION = STEPS.length;

/**
 * Creates the schema and its tables, or migrates tables of an older version. Does not write if the version is current.
 * @param client connection without an open transaction
 * @throws {SinkError} the tables have a newer version, or the encoding of a new database is not UTF8
 */
export async function migrate(client: ClientBase, schema: string): Promise<void> {
  await begin(client);
  if ((await storedVersion(client, schema)) === SCHEMA_VERSION) {
    await client.query('commit');
    return;
  }
  await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`tronicle schema ${schema}`]);
  const { rows } = await client.query('select to_regnamespace($1) is not null as exists', [schema]);
  // Creates the schema only if it is missing, because the user of the sink may lack the right to create it.
  if (rows[0]?.exists !== true) await client.query(`create schema ${quoted(schema)}`);
  await client.query(`set local search_path to ${quoted(schema)}`);
  await client.query(
    'create table if not exists schema_version (version integer primary key, applied_at timestamptz not null default now())',
  );
  // Reads the version again, because another process may have migrated the tables in the meantime.
  const version = await storedVersion(client, schema);
  if (version === 0) await checkEncoding(client);
  for (const [at, step] of STEPS.entries()) {
    if (at < version) continue;
    for (const statement of step) await client.query(statement);
    await client.query('insert into schema_version (version) values ($1)', [at + 1]);
  }
  await client.query('commit');
}

/** @throws {SinkError} the encoding of the database is not UTF8. Records contain texts in any script. */
async function checkEncoding(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ name: string; encoding: string }>(
    "select current_database() as name, current_setting('server_encoding') as encoding",
  );
  const [{ name, encoding } = {}] = rows;
  if (encoding === 'UTF8') return;
  throw new SinkError(
    `database ${name} has the encoding ${encoding}, but the sink needs UTF8; create a database with ` +
      "encoding 'UTF8', and set it in the URL of the sink",
  );
}

/** Returns the version of the tables; 0 if they do not exist. @throws {SinkError} the tables have a newer version */
async function storedVersion(client: ClientBase, schema: string): Promise<number> {
  const table = quoted(schema, 'schema_version');
  const { rows } = await client.query('select to_regclass($1) is not null as exists', [table]);
  if (rows[0]?.exists !== true) return 0;
  const found = await client.query<{ version: number }>(`select coalesce(max(version), 0) as version from ${table}`);
  const version = found.rows[0]?.version ?? 0;
  if (version <= SCHEMA_VERSION) return version;
  throw new SinkError(
    `schema ${schema} has tables of version ${version}, but this release supports versions up to ${SCHEMA_VERSION}; ` +
      'use a newer release, or set another schema for the sink',
  );
}

function table(name: string, doc: string, ends: readonly string[], columns: readonly Column[], form = ''): string[] {
  const lines = [...columns.map(([column, type]) => `${column} ${type}`), ...ends];
  return [
    `create table ${name} (${lines.join(', ')})${form}`,
    `comment on table ${name} is '${doc}'`,
    ...columns.map(([column, , text]) => `comment on column ${name}.${column} is '${text}'`),
  ];
}

function partitioned(name: string, doc: string, key: readonly string[], columns: readonly Column[]): string[] {
  return table(name, doc, [`primary key (${key.join(', ')})`], columns, ' partition by range (block_number)');
}
