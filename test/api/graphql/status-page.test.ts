import { buildSchema, parse, validate } from 'graphql';
import t from 'tap';
import { graphqlSchema } from '../../../src/api/graphql/graphql-server.js';
import { serveStatusPage } from '../../../src/api/status-page/status-page.js';
import { serveRecording } from './support/served-chain.js';

const queries = (await import(new URL('../../../src/api/status-page/page/queries.js', import.meta.url).href)) as Record<
  string,
  string
>;

t.test('every query of the page fits the schema', async (t) => {
  const schema = buildSchema(graphqlSchema);
  t.ok(Object.keys(queries).length >= 6);
  for (const [name, query] of Object.entries(queries)) t.same(validate(schema, parse(query)), [], name);
});

t.test('every field says what it is', async (t) => {
  const schema = buildSchema(graphqlSchema);
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__') || !('getFields' in type)) continue;
    for (const field of Object.values(type.getFields())) {
      // A name that says everything needs no sentence; an amount, a time or a size needs its unit.
      const needsUnit = /Time|timestamp|expiration|balance|allowance|[fF]ee$|energy|Amount|Limit|bandwidth|stake/.test(
        field.name,
      );
      if (needsUnit) t.ok(field.description ?? type.description, `${type.name}.${field.name}`);
    }
  }
});

t.test('the page is served whole, and runs nothing from elsewhere', async (t) => {
  const { app, chain, ask } = await serveRecording(t, 'stake', { until: 60 });
  await serveStatusPage(app);
  const page = await app.inject('/');
  t.equal(page.statusCode, 200);
  t.match(page.headers['content-type'], /text\/html/);
  t.match(page.headers['content-security-policy'], /default-src 'none'/);
  const files = [...page.body.matchAll(/(?:src|href)="(\/[\w.-]+\.\w+)"/g)].map(([, file]) => file ?? '');
  t.ok(files.length >= 2);
  for (const file of [...files, '/queries.js']) {
    const reply = await app.inject(file);
    t.equal(reply.statusCode, 200, file);
    t.notMatch(reply.body, /https?:\/\/[a-z]/, `${file} names no other host`);
  }
  const ids = new Set([...page.body.matchAll(/\bid="([\w-]+)"/g)].map(([, id]) => id));
  const script = (await app.inject('/status.js')).body;
  for (const [, id] of script.matchAll(/\$\('([\w-]+)'\)/g)) t.ok(ids.has(id), `#${id} is on the page`);

  await t.test('its queries answer', async (t) => {
    const { data } = await ask(queries['STATUS'] ?? '');
    t.match(data['status'], { release: '4.7.2', headNumber: '60', logSeq: String(chain.ledger.storedSeq) });
    t.equal((await ask(queries['RECENT'] ?? '')).errors, undefined);
    t.match((await ask(queries['FIND_BLOCK'] ?? '', { number: '12' })).data['block'], { number: '12' });
    const { data: found } = await ask('{ witnesses { nodes { address } } }');
    const [{ address } = { address: '' }] = (found['witnesses'] as { nodes: { address: string }[] }).nodes;
    t.match((await ask(queries['FIND_ACCOUNT'] ?? '', { address })).data['account'], { address });
    t.equal((await ask(queries['FIND_TRANSACTION'] ?? '', { id: '00'.repeat(32) })).data['transaction'], null);
  });
});
