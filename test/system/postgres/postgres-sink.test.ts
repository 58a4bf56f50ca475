import { join } from 'node:path';
import t, { type Test } from 'tap';
import type { BlockRecords, EventRecord } from '../../../src/streams/records/event-record.js';
import { SCHEMA_VERSION } from '../../../src/streams/sinks/postgres/migrations.js';
import type { PostgresSinkOptions } from '../../../src/streams/sinks/postgres/postgres-options.js';
import { PostgresSink } from '../../../src/streams/sinks/postgres/postgres-sink.js';
import { TABLE_TRIGGERS, tableOf } from '../../../src/streams/sinks/postgres/tables.js';
import { silent } from '../../support/projections/chain.js';
import { PostgresServer } from '../../support/streams/postgres-server.js';
import { postgresSink } from '../../support/streams/sink-options.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const server = await PostgresServer.start();
t.teardown(() => server.close());

interface Options extends Partial<PostgresSinkOptions> {
  readonly schema: string;
  readonly folder?: string;
  readonly genesisId?: string;
}

function sinkFor(t: Test, { url = server.url(), folder = 'host:/data', genesisId = '00', ...options }: Options) {
  const checkpointFile = join(temporaryFolder(t), 'place.json');
  const sink = new PostgresSink({
    sink: postgresSink(url, options),
    checkpointFile,
    folder,
    genesisId,
    log: silent,
  });
  t.teardown(() => sink.close());
  return sink;
}

/** Returns a block with one transaction, which has the given id. */
function block(number: number, id = `tx${number}`, change?: BlockRecords['change']): BlockRecords {
  const payload = JSON.stringify({ timeStamp: number * 3000, transactionId: id });
  return withRecords(number, [{ trigger: 'transaction', key: id, payload }], change);
}

let seq = 0;

function withRecords(number: number, records: readonly EventRecord[], change?: BlockRecords['change']): BlockRecords {
  const [id, parentId] = [number, number - 1].map((height) => String(height).padStart(64, '0')) as [string, string];
  return { seq: seq++, number, id, parentId, readAt: 0, records, ...(change && { change }) };
}

async function idsIn(schema: string): Promise<string[]> {
  const order = 'order by block_number, transaction_index';
  const rows = await server.query<{ id: string }>(`select transaction_id as id from ${schema}.transactions ${order}`);
  return rows.map(({ id }) => id);
}

t.test('fences the first process after a second one has taken over the sink', async (t) => {
  const [first, second] = ['one:/data', 'two:/data'].map((folder) => sinkFor(t, { schema: 'claim', folder }));
  await first!.open();
  await first!.write([block(1)]);
  t.match(await second!.open(), { number: 1 });
  const refused = { code: 'SINK_REFUSED', message: /sink postgres of schema .* another process .*two:\/data/ };
  await t.rejects(first!.write([block(2, 'lost')]), refused);
  await t.rejects(first!.open(), refused, 'the first process is also fenced after a new connection');
  await second!.write([block(2)]);
  t.same(await idsIn('claim'), ['tx1', 'tx2']);
});

t.test(
  'waits for an open database transaction of the first sink before a takeover, and resumes after it',
  async (t) => {
    const sinks = ['one:/data', 'two:/data'].map((folder) => sinkFor(t, { schema: 'wait', folder }));
    const [first, second] = sinks as [PostgresSink, PostgresSink];
    await first.open();
    await first.write([block(1)]);
    // A lock on the table delays the commit of the first sink. An operator can cause such a lock, for example by a
    // backup.
    const lock = server.query(`begin; lock table wait.transactions in exclusive mode; select pg_sleep(1.5); commit`);
    await new Promise((done) => setTimeout(done, 400));
    const written = first.write([block(2)]);
    await new Promise((done) => setTimeout(done, 200));
    t.match(await second.open(), { number: 2 });
    await written;
    await lock;
    await second.write([block(3)]);
    t.same(await idsIn('wait'), ['tx1', 'tx2', 'tx3']);
  },
);

t.test('does not take over a sink if the log lacks its last block', async (t) => {
  const [first, second] = ['one:/data', 'two:/data'].map((folder) => sinkFor(t, { schema: 'behind', folder }));
  await first!.open();
  await first!.write([block(1)]);
  await t.rejects(
    second!.open(() => false),
    { code: 'BLOCK_NOT_IN_LOG' },
  );
  await first!.write([block(2)]);
  t.same(await idsIn('behind'), ['tx1', 'tx2']);
});

t.test('reports an ended connection as a transient error, and keeps no row of its database transaction', async (t) => {
  const sink = sinkFor(t, { schema: 'ended' });
  await sink.open();
  await sink.write([block(1)]);
  await server.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'tronicle postgres'",
  );
  await t.rejects(sink.write([block(2)]), { code: 'POSTGRES_FAILED' });
  t.match(await sink.open(), { number: 1 });
  await sink.write([block(2)]);
  t.same(await idsIn('ended'), ['tx1', 'tx2']);
});

t.test('writes no row of a batch that contains a rejected row', async (t) => {
  const sink = sinkFor(t, { schema: 'rejected' });
  await sink.open();
  const invalid = withRecords(2, [{ trigger: 'transaction', key: '', payload: '{"timeStamp":1}' }]);
  await t.rejects(sink.write([block(1), invalid]), {
    code: 'POSTGRES_FAILED',
    message: /not-null constraint.*\(23502\)/,
  });
  t.equal(await sink.open(), undefined);
  t.same(await idsIn('rejected'), []);
});

t.test('names the user and the database of a denied operation, and never the password', async (t) => {
  await server.query("create role guest login password 'secret'");
  const denied = (url: string): Promise<unknown> =>
    sinkFor(t, { schema: 'denied', url })
      .open()
      .catch((error: unknown) => error);
  const url = server.url('guest').replace('guest@', 'guest:secret@');
  const rights = (await denied(url)) as Error;
  t.match(rights, {
    code: 'POSTGRES_FAILED',
    message: /PostgreSQL guest@127.0.0.1:\d+\/postgres: permission denied for database postgres \(42501\)/,
  });
  const missing = (await denied(url.replace(/postgres$/, 'other'))) as Error;
  t.match(missing, { code: 'POSTGRES_FAILED', message: /database "other" does not exist \(3D000\)/ });
  const absent = (await denied('postgres://guest:secret@localhost:1/other')) as Error;
  t.match(absent, { code: 'POSTGRES_FAILED', message: /guest@localhost:1\/other: connect ECONNREFUSED/ });
  for (const { message } of [rights, missing, absent]) t.notMatch(message, /secret/);
});

t.test('rejects newer tables, another chain, and another partition size', async (t) => {
  const sink = sinkFor(t, { schema: 'refused' });
  await sink.open();
  const refused = (options: object, message: RegExp) =>
    t.rejects(sinkFor(t, { schema: 'refused', ...options }).open(), { code: 'SINK_REFUSED', message });
  await refused(
    { genesisId: '01' },
    /another chain \(genesis block 00\) than this node \(genesis block 01\); set another schema/,
  );
  await refused({ partitionBlocks: 2000 }, /partitions of 1000 blocks, but .* set partitionBlocks = 1000/);
  await server.query('insert into refused.schema_version (version) values ($1)', [SCHEMA_VERSION + 1]);
  await refused({}, /has tables of version 2, but this release supports versions up to 1/);
});

t.test('creates the tables once when several sinks start together', async (t) => {
  const sinks = Array.from({ length: 5 }, (_, at) => sinkFor(t, { schema: 'together', name: `sink${at}` }));
  t.same(await Promise.all(sinks.map((sink) => sink.open())), Array(5).fill(undefined));
  t.match(await server.query('select version from together.schema_version'), [{ version: SCHEMA_VERSION }]);
});

t.test('stops if a table was deleted', async (t) => {
  const sink = sinkFor(t, { schema: 'gone' });
  await sink.open();
  await sink.write([block(1)]);
  await server.query('drop table gone.transactions');
  await t.rejects(sink.write([block(2)]), { code: 'SINK_REFUSED', message: /a part of schema gone was deleted/ });
  await server.query('drop schema gone cascade');
  t.equal(await sink.open(), undefined, 'all rows are written again after the schema was deleted');
});

t.test('refuses a new database whose encoding is not UTF8', async (t) => {
  await server.query("create database latin encoding 'LATIN1' template template0 locale 'C'");
  const sink = sinkFor(t, { schema: 'encoding', url: server.url().replace(/postgres$/, 'latin') });
  await t.rejects(sink.open(), {
    code: 'SINK_REFUSED',
    message: /database latin has the encoding LATIN1, but the sink needs UTF8; create a database with encoding 'UTF8'/,
  });
});

t.test('does not blame another process for a deleted row of the sink', async (t) => {
  const sink = sinkFor(t, { schema: 'norow' });
  await sink.open();
  await server.query('delete from norow.sinks');
  const message =
    /the row of sink postgres in norow.sinks was deleted; restore the row, or run 'tronicle stream resume/;
  await t.rejects(sink.write([block(1)]), { code: 'SINK_REFUSED', message });
});

t.test('gives up waiting for the locks of another session after seconds, also in an open', async (t) => {
  const sink = sinkFor(t, { schema: 'locked' });
  await sink.open();
  const lock = server.query(
    'begin; lock table locked.schema_version in access exclusive mode; select pg_sleep(12); commit',
  );
  await new Promise((done) => setTimeout(done, 400));
  const startedMs = performance.now();
  await t.rejects(sink.open(), {
    code: 'POSTGRES_FAILED',
    message: /lock timeout \(55P03\); another session locks a table of schema locked; end its transaction/,
  });
  t.ok(performance.now() - startedMs < 10_000);
  await lock;
});

const CHANGES: readonly {
  readonly name: string;
  readonly change: string;
  readonly undo: string;
  readonly code: string;
  readonly remedy: RegExp;
}[] = [
  {
    name: 'an additional constraint',
    change: 'alter table changed.transactions add constraint few check (block_number < 2)',
    undo: 'alter table changed.transactions drop constraint few',
    code: '23514',
    remedy: /constraints that this node did not create; undo this change, or set another schema/,
  },
  {
    name: 'a deleted primary key',
    change: 'alter table changed.transactions drop constraint transactions_pkey',
    undo: 'alter table changed.transactions add primary key (block_number, transaction_index)',
    code: '42P10',
    remedy: /undo this change/,
  },
  {
    name: 'a detached partition',
    change: 'alter table changed.transactions detach partition changed.transactions_from_0',
    undo: 'alter table changed.transactions attach partition changed.transactions_from_0 for values from (0) to (1000)',
    code: '23514',
    remedy: /undo this change/,
  },
  {
    name: 'a database that allows no writes',
    change: 'alter database postgres set default_transaction_read_only = on',
    undo: 'begin read write; alter database postgres reset default_transaction_read_only; commit',
    code: '25006',
    remedy: /set the URL of the primary server, or allow writes/,
  },
];

t.test('retries with a remedy while the database rejects rows, and then writes each row once', async (t) => {
  const sink = sinkFor(t, { schema: 'changed' });
  await sink.open();
  await sink.write([block(1)]);
  for (const [at, { name, change, undo, code, remedy }] of CHANGES.entries()) {
    await sink.close();
    await server.query(change);
    const next = block(at + 2);
    const failure = await sink
      .open()
      .then(() => sink.write([next]))
      .catch((error: unknown) => error);
    t.match(failure, { code: 'POSTGRES_FAILED', message: new RegExp(`\\(${code}\\); .*${remedy.source}`) }, name);
    await server.query(undo);
    t.match(await sink.open(), { number: at + 1 }, name);
    await sink.write([next]);
  }
  t.same(await idsIn('changed'), ['tx1', 'tx2', 'tx3', 'tx4', 'tx5']);
});

t.test('names the schema if another program has created a table of the same name', async (t) => {
  await server.query('create schema foreign_tables; create table foreign_tables.transactions (id integer)');
  const sink = sinkFor(t, { schema: 'foreign_tables' });
  await t.rejects(sink.open(), { message: /\(42P07\); schema foreign_tables has tables.* set another schema/ });
});

t.test('deletes the rows of reverted blocks in log order', async (t) => {
  const sink = sinkFor(t, { schema: 'reorg', finality: 'applied' });
  await sink.open();
  await sink.write([block(1), block(2), block(3, 'old3'), block(3, 'old3', 'reverted'), block(3, 'new3')]);
  t.same(await idsIn('reorg'), ['tx1', 'tx2', 'new3']);
  // A record maker of some releases reverts a block without repeating its records. The sink must still delete its rows.
  await sink.write([withRecords(3, [], 'reverted')]);
  t.same(await idsIn('reorg'), ['tx1', 'tx2']);
});

t.test('creates partitions ahead of the rows, also for a backfill', async (t) => {
  const sink = sinkFor(t, { schema: 'parts' });
  await sink.open();
  await sink.write([block(2500)]);
  const fill = sinkFor(t, { schema: 'parts', name: 'fill', from: 10 });
  await fill.open();
  await fill.write([block(10), block(1000)]);
  const rows = await server.query<{ name: string }>(
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'parts.transactions'::regclass order by c.oid`,
  );
  t.same(
    rows.map(({ name }) => name),
    [2000, 3000, 0, 1000].map((from) => `transactions_from_${from}`),
  );
  t.same(await idsIn('parts'), ['tx10', 'tx1000', 'tx2500']);
});

t.test('writes the same row again without a duplicate', async (t) => {
  for (const name of ['first', 'second']) {
    const sink = sinkFor(t, { schema: 'again', name });
    await sink.open();
    await sink.write([block(1), block(2, name)]);
  }
  t.same(await idsIn('again'), ['tx1', 'second']);
});

t.test('keeps amounts exact and times correct, and replaces what PostgreSQL cannot store', async (t) => {
  const sink = sinkFor(t, { schema: 'values', topics: ['transfer', 'contractevent', 'contractlog', 'block'] });
  await sink.open();
  const amount = String(2n ** 256n - 1n);
  const shared = `"timeStamp":1767225600123,"transactionId":"ab"`;
  const transfer = `{${shared},"index":4,"kind":"event","standard":"TRC20","token":"T1","from":null,"to":"T2","amount":"${amount}"}`;
  const log = `${shared},"uniqueId":"ab_3","contractAddress":"T1","rawData":{"address":"aa","topics":["bb"],"data":"cc"}`;
  const event = `{${log},"eventName":"Sent","topicMap":{"0":"1"},"dataMap":{"text":"a\\u0000\\\\u0000 \\ud800 \\ud83d\\ude00"}}`;
  const records: EventRecord[] = [
    { trigger: 'transfer', key: '', payload: transfer },
    { trigger: 'contractevent', key: '', payload: event },
    { trigger: 'contractlog', key: '', payload: `{${log}}` },
    { trigger: 'block', key: '', payload: '{"timeStamp":1767225600123,"blockHash":"07","transactionList":["ab"]}' },
  ];
  await sink.write([withRecords(7, records)]);
  const utc = `to_char(time at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS') as time`;
  t.match(await server.query(`select *, ${utc}, amount::text from "values".transfers`), [
    {
      block_number: '7',
      transfer_index: 4,
      amount,
      from_address: null,
      to_address: 'T2',
      time: '2026-01-01 00:00:00.123',
    },
  ]);
  t.match(
    await server.query('select * from "values".events'),
    [
      {
        ...{ log_index: 3, contract_address: 'T1', topics: ['bb'], data: 'cc', name: 'Sent', topic_map: { 0: '1' } },
        data_map: { text: 'a\ufffd\\u0000 \ufffd \u{1f600}' },
      },
    ],
    'the event and its log share one row, which keeps the arguments',
  );
  t.match(await server.query('select * from "values".blocks'), [
    { block_hash: '07', parent_hash: '6'.padStart(64, '0'), transaction_ids: ['ab'] },
  ]);
});

t.test('writes and describes every column of the tables', async (t) => {
  await sinkFor(t, { schema: 'described' }).open();
  const rows = await server.query<{ table: string; column: string; doc: string | null }>(
    `select c.relname as table, a.attname as column, col_description(c.oid, a.attnum) as doc
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'described'::regnamespace and c.relkind = 'p' and a.attnum > 0`,
  );
  const written = TABLE_TRIGGERS.flatMap((trigger) => {
    const { table, columns } = tableOf(trigger);
    return columns.map(({ column }) => `${table}.${column}`);
  });
  t.same(rows.map(({ table, column }) => `${table}.${column}`).sort(), [...new Set(written)].sort());
  t.same(
    rows.filter(({ doc }) => doc === null),
    [],
  );
});
