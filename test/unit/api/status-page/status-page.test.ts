import type { FastifyInstance } from 'fastify';
import { buildSchema, parse, validate } from 'graphql';
import t from 'tap';
import { graphqlSchema } from '../../../../src/api/graphql/graphql-server.js';
import { checkQueryLimits, TOKENS_OF_QUERY_MAX } from '../../../../src/api/graphql/query-limits.js';
import { LOCAL_SOURCES } from '../../../../src/api/http/server/request-sources.js';
import { ControlError, type NetworkControl } from '../../../../src/api/network-control.js';
import { serveStatusPage } from '../../../../src/api/status-page/status-page.js';
import { serveRecording } from '../../../support/graphql/served-chain.js';

const page = (await import(new URL('../../../../src/api/status-page/page/queries.js', import.meta.url).href)) as {
  readonly transactionParts: (ids: readonly string[]) => string;
  readonly tokensOf: (ids: readonly string[]) => string;
  readonly networkAt: (heights: readonly number[]) => string;
  readonly accountAt: (heights: readonly number[]) => string;
  readonly TOKENS_MAX: number;
};
const { transactionParts, tokensOf, networkAt, accountAt, TOKENS_MAX, ...plain } = page;
const queries = plain as Readonly<Record<string, string>>;

const id = '00'.repeat(32);
/** Queries that the page builds at run time, with large numbers of items. */
const made: Readonly<Record<string, string>> = {
  transactionParts: transactionParts(Array.from({ length: 20 }, () => id)),
  tokensOf: tokensOf(Array.from({ length: TOKENS_MAX }, () => 'TDswJaq543vgYRYDSmuKoC2SB51fANQrRN')),
  networkAt: networkAt(Array.from({ length: 24 }, (_, at) => 70_000_000 + at)),
  accountAt: accountAt(Array.from({ length: 24 }, (_, at) => 70_000_000 + at)),
};

t.test('sends only queries that fit the schema and the limits', async (t) => {
  const schema = buildSchema(graphqlSchema);
  t.ok(Object.keys(queries).length >= 6);
  for (const [name, query] of [...Object.entries(queries), ...Object.entries(made)]) {
    const document = parse(query, { maxTokens: TOKENS_OF_QUERY_MAX });
    t.same(validate(schema, document), [], name);
    t.doesNotThrow(() => checkQueryLimits(schema, document, {}), name);
  }
});

t.test('describes the unit of every field with a time, amount or size', async (t) => {
  const schema = buildSchema(graphqlSchema);
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__') || !('getFields' in type)) continue;
    for (const field of Object.values(type.getFields())) {
      // A field whose name explains it needs no description. A field with an amount, a time or a size needs its unit.
      const needsUnit = /Time|timestamp|expiration|balance|allowance|[fF]ee$|energy|Amount|Limit|bandwidth|stake/.test(
        field.name,
      );
      if (needsUnit) t.ok(field.description ?? type.description, `${type.name}.${field.name}`);
    }
  }
});

t.test('serves all files of the page, and no script of another host', async (t) => {
  const { app, chain, query } = await serveRecording(t, 'stake', { until: 60 });
  await serveStatusPage(app);
  const page = await app.inject('/');
  t.equal(page.statusCode, 200);
  t.match(page.headers['content-type'], /text\/html/);
  t.match(page.headers['content-security-policy'], /default-src 'none'/);
  const files = [...page.body.matchAll(/(?:src|href)="(\/[\w.-]+\.\w+)"/g)].map(([, file]) => file ?? '');
  t.ok(files.length >= 2);
  const scripts = await scriptsOf(app, '/status.js');
  t.ok(scripts.size >= 10, `${scripts.size} modules`);
  for (const file of [...files, ...scripts.keys()]) {
    const reply = await app.inject(file);
    t.equal(reply.statusCode, 200, file);
    // Removes the name of the XML namespace, because the page does not request this address.
    const text = reply.body.replaceAll('http://www.w3.org/2000/svg', '');
    t.notMatch(text, /https?:\/\/[a-z]/, `${file} contains no URL of another host`);
  }
  const ids = idsOf(page.body);
  for (const [file, script] of scripts)
    for (const [, id] of script.matchAll(/\$\('([\w-]+)'\)/g))
      t.ok(ids.has(id), `${file} uses the existing element #${id}`);

  await t.test('answers the queries of the page', async (t) => {
    const { data } = await query(queries['STATUS'] ?? '');
    t.match(data['status'], { release: '4.7.2', headNumber: '60', logSeq: String(chain.ledger.storedSeq) });
    const { number, projections } = chain.ledger.stateSums();
    t.match(
      (data['status'] as { stateProjections: unknown }).stateProjections,
      projections.map(({ name, rows, checksum }) => ({ name, number: `${number}`, rows: `${rows}`, checksum })),
      'lists the projections of the state',
    );
    t.equal((await query(queries['RECENT'] ?? '')).errors, undefined);
    t.match((await query(queries['FIND_BLOCK'] ?? '', { number: '12' })).data['block'], { number: '12' });
    const { data: found } = await query('{ witnesses { nodes { address } } }');
    const [{ address } = { address: '' }] = (found['witnesses'] as { nodes: { address: string }[] }).nodes;
    t.match((await query(queries['FIND_ACCOUNT'] ?? '', { address })).data['account'], { address });
    t.equal((await query(queries['FIND_TRANSACTION'] ?? '', { id: '00'.repeat(32) })).data['transaction'], null);
  });
});

t.test('shows the private network panel only on a private network', async (t) => {
  const [plain, controlled] = [
    await serveRecording(t, 'stake', { until: 3 }),
    await serveRecording(t, 'stake', { until: 3 }),
  ];
  await serveStatusPage(plain.app);
  const calls: unknown[] = [];
  const network: NetworkControl = async (call) => {
    calls.push(call);
    if (call.kind === 'fund') throw new ControlError('the request fails');
    return 7;
  };
  await serveStatusPage(controlled.app, { network, sources: LOCAL_SOURCES });
  const post = (app: FastifyInstance, url: string, payload: object) => app.inject({ method: 'POST', url, payload });
  const routes = ['snapshot', 'revert', 'mine', 'increase-time', 'next-block-time', 'faucet'];
  t.notMatch((await plain.app.inject('/')).body, /devnet/i);
  t.equal((await plain.app.inject('/devnet.js')).statusCode, 404);
  for (const route of routes) t.equal((await post(plain.app, `/devnet/${route}`, {})).statusCode, 404, route);

  const { body } = await controlled.app.inject('/');
  t.match(body, 'src="/devnet.js"');
  const script = (await controlled.app.inject('/devnet.js')).body;
  for (const [, id] of script.matchAll(/\$\('([\w-]+)'\)/g))
    t.ok(idsOf(body).has(id), `the script uses the existing element #${id}`);
  for (const route of ['snapshot', 'revert', 'next-block-time'])
    t.equal((await post(controlled.app, `/devnet/${route}`, {})).statusCode, 404, `${route} needs a token`);
  t.same((await post(controlled.app, '/devnet/mine', { blocks: 1 })).json(), { head: 7 });
  const refused = await post(controlled.app, '/devnet/faucet', { address: ' T ' });
  t.match([refused.statusCode, refused.json()], [400, { error: 'the request fails' }]);
  t.same(calls, [
    { kind: 'mine', blocks: 1 },
    { kind: 'fund', to: 'T', trx: 10_000 },
  ]);
  const foreign = { method: 'POST', url: '/devnet/mine', payload: '{"blocks":1}' } as const;
  const json = { 'content-type': 'application/json' };
  for (const [headers, status] of [
    [{ 'content-type': 'text/plain' }, 415],
    [{ 'content-type': 'application/x-www-form-urlencoded' }, 415],
    [{ ...json, origin: 'https://evil.example' }, 403],
    [{ ...json, host: 'evil.example:8080' }, 403],
  ] as const)
    t.equal((await controlled.app.inject({ ...foreign, headers })).statusCode, status, JSON.stringify(headers));
  t.equal(calls.length, 2);
});

/** Returns the source of a module of the page and of its imports, by path. */
async function scriptsOf(app: FastifyInstance, path: string, found = new Map<string, string>()) {
  if (found.has(path)) return found;
  const { body } = await app.inject(path);
  found.set(path, body);
  for (const [, file] of body.matchAll(/from '\.(\/[\w-]+\.js)'/g)) await scriptsOf(app, file!, found);
  return found;
}

function idsOf(html: string): ReadonlySet<string | undefined> {
  return new Set([...html.matchAll(/\bid="([\w-]+)"/g)].map(([, id]) => id));
}
