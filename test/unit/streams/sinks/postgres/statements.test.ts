import t from 'tap';
import { partitionStatement, upsertStatement } from '../../../../../src/streams/sinks/postgres/statements.js';

t.test('upserts rows by their key, and reads each member of the records once', async (t) => {
  const columns = [
    { column: 'number', member: 'rowBlock', type: 'bigint' },
    { column: 'size', member: 'raw', type: 'jsonb', as: (raw: string) => `${raw} -> 0` },
    { column: 'rest', member: 'raw', type: 'jsonb' },
  ];
  t.equal(
    upsertStatement('main', { table: 'items', key: ['number'], columns }),
    'insert into "main"."items" ("number", "size", "rest") select r."rowBlock", r."raw" -> 0, r."raw" ' +
      'from jsonb_to_recordset($1::jsonb) as r("rowBlock" bigint, "raw" jsonb) ' +
      'on conflict ("number") do update set "size" = excluded."size", "rest" = excluded."rest"',
  );
});

t.test('creates a partition for a range of heights', async (t) => {
  t.equal(
    partitionStatement('main', { table: 'blocks', from: 2000, blocks: 1000 }),
    'create table if not exists "main"."blocks_from_2000" partition of "main"."blocks" for values from (2000) to (3000)',
  );
});
