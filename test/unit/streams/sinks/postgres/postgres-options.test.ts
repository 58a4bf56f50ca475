import t from 'tap';
import { shownSink } from '../../../../../src/node/sinks/sink-json.js';
import { backfillSinkOf } from '../../../../../src/streams/sinks/sink-kinds.js';
import { mainNetSink } from '../../../../support/streams/main-net-sink.js';

const URL = 'postgres://tronicle@db:5432/chain';
const sink = (options: object = {}) =>
  mainNetSink({ name: 'pg', type: 'postgres', url: URL, topics: ['transfer'], ...options });

t.test('reads the options of a sink, with their defaults', async (t) => {
  t.match(sink(), { url: URL, schema: 'tronicle', partitionBlocks: 1_000_000 });
  t.match(sink({ schema: 'main_2', partitionBlocks: 5000 }), { schema: 'main_2', partitionBlocks: 5000 });
  t.match(sink({ url: 'postgresql:///chain?host=/run/postgresql' }), { type: 'postgres' });
});

t.test('names an invalid option', async (t) => {
  for (const url of ['db:5432/chain', 'http://db/chain', 'postgres://db', 'postgres://db/'])
    t.throws(() => sink({ url }), /sink.url, must be postgres:\/\/<user>@<host>:<port>\/<database>/, url);
  for (const schema of ['Main', '1st', 'a b', 'a"b', 'pg_main', 'a'.repeat(64)])
    t.throws(() => sink({ schema }), /sink.schema, must be a lower-case SQL name/, schema);
  for (const partitionBlocks of [999, 1_000_000_001])
    t.throws(() => sink({ partitionBlocks }), /sink.partitionBlocks, must be 1000..1000000000/);
  t.throws(() => sink({ schemas: 'x' }), /sink.schemas, is unknown; did you mean schema\?/);
  t.throws(
    () => sink({ topics: ['block', 'stake'] }),
    /sink.topics, contains stake, for which .* no table; use block, transac/,
  );
  t.throws(() => sink({ ethCompatible: true }), /sink.ethCompatible, is not supported/);
  t.throws(() => sink({ payload: 'protobuf' }), /sink.payload, protobuf is supported only by/);
});

t.test('displays neither the password nor the parameters of the URL', async (t) => {
  const shown = shownSink(sink({ url: 'postgres://me:secret@db:5432/chain?password=secret&sslmode=verify-full' }));
  t.equal(shown['url'], 'postgres://me@db:5432/chain');
  t.throws(() => sink({ url: 'http://me:secret@db/chain' }), { message: /^(?!.*secret)/ });
});

t.test('writes a backfill to the schema of its sink, or to another schema', async (t) => {
  const fill = { name: 'old', of: 'pg', trigger: 'block', isSent: true } as const;
  t.match(backfillSinkOf(sink(), { ...fill, into: undefined }), { schema: 'tronicle' });
  t.match(backfillSinkOf(sink(), { ...fill, into: 'past' }), { schema: 'past' });
  t.throws(() => backfillSinkOf(sink(), { ...fill, into: 'Past' }), /invalid --into/);
  t.throws(
    () => backfillSinkOf(sink(), { ...fill, trigger: 'stake', into: undefined }),
    /cannot backfill stake with sink pg/,
  );
});
