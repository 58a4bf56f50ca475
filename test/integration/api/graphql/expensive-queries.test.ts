import t from 'tap';
import type { GraphqlPool, SentProgress } from '../../../../src/api/graphql/graphql-pool.js';
import { GraphqlQueries } from '../../../../src/api/graphql/graphql-queries.js';
import { createGraphqlServer } from '../../../../src/api/graphql/graphql-server.js';
import { serveRecording } from '../../../support/graphql/served-chain.js';
import { silent } from '../../../support/projections/chain.js';

const PAGE =
  '{ blocks(first: 20) { nodes { number id witness { address } transactions(first: 20) { id type owner } } } }';
const SIZED = 'query ($n: Int) { blocks(first: $n) { nodes { number transactions(first: 20) { id } } } }';

t.test('answers expensive queries in a pool thread, with the same text as the server', async (t) => {
  const { app, api, chain } = await serveRecording(t, 'stake', { until: 40 });
  const { ledger } = chain;
  const { rules } = chain.state;
  const queries = await GraphqlQueries.create({
    ledger,
    rules,
    createApi: (peers) => ({ ...api, peers }),
    log: silent,
  });
  const sent: SentProgress[] = [];
  const pool: GraphqlPool = {
    graphql: (request, progress) => {
      sent.push(progress);
      return queries.answer(request, progress);
    },
  };
  const progress = {
    projections: () => [{ name: 'account-history', seq: 3 }],
    sinks: () => [],
    replica: () => undefined,
    storageProblem: () => 'the disk is full',
  };
  const server = await createGraphqlServer({ ledger, rules, api, pool, progress, log: silent });
  t.teardown(() => Promise.all([server.close(), queries.close()]).then(() => undefined));
  const send = async (on: typeof app, payload: object) => {
    const { statusCode, headers, payload: text } = await on.inject({ method: 'POST', url: '/graphql', payload });
    return { statusCode, type: headers['content-type'], text };
  };

  const expensive: readonly object[] = [
    { query: PAGE },
    { query: SIZED, variables: { n: 50 } },
    { query: `query A { block(number: 3) { id } } query B ${PAGE}`, operationName: 'B' },
    { query: '{ witnesses(first: 5) { nodes { address } } proposals(first: 5) { nodes { id } } }' },
  ];
  for (const [at, payload] of expensive.entries()) {
    t.same(await send(server, payload), await send(app, payload));
    t.equal(sent.length, at + 1, 'a pool thread executed the query');
  }
  const url = `/graphql?query=${encodeURIComponent(SIZED)}&variables=${encodeURIComponent('{"n":50}')}`;
  t.equal((await server.inject({ url })).payload, (await app.inject({ url })).payload);
  const text = { headers: { 'content-type': 'application/graphql' }, method: 'POST', url: '/graphql' } as const;
  t.equal(
    (await server.inject({ ...text, payload: PAGE })).payload,
    (await app.inject({ ...text, payload: PAGE })).payload,
  );
  t.equal(sent.length, expensive.length + 2);

  const known = await send(server, {
    query: `{ status { peers storageProblem projections { name } } ${PAGE.slice(1)}`,
  });
  t.match(known.text, /"storageProblem":"the disk is full","projections":\[\{"name":"account-history"\}\]/);
  t.equal(sent.length, expensive.length + 3, 'the pool thread returns the status of the node');

  const inexpensive: readonly object[] = [
    { query: '{ block(number: 3) { id } }' },
    { query: SIZED, variables: { n: 1 } },
    { query: '{ nothing }' },
    { query: '{ blocks(first: 100) { nodes { transactions(first: 100) { id parameter receipt { fee } } } } }' },
    { query: 'subscription { status { peers } }' },
    { query: '{' },
    {},
  ];
  for (const payload of inexpensive)
    t.same(await send(server, payload), await send(app, payload), JSON.stringify(payload));
  t.equal(sent.length, expensive.length + 3, 'the server executes cheap and invalid requests itself');
});
