import { buildSchema, getIntrospectionQuery, isObjectType, parse } from 'graphql';
import t from 'tap';
import { graphqlSchema } from '../../../../src/api/graphql/graphql-server.js';
import { readCosts } from '../../../../src/api/graphql/query-costs.js';
import { checkQueryLimits, checkQueryText, type Variables } from '../../../../src/api/graphql/query-limits.js';

const schema = buildSchema(graphqlSchema);

/** Returns the error code of a rejected query; undefined for a valid one. */
function refusal(query: string, variables?: Variables): unknown {
  try {
    checkQueryLimits(schema, parse(query), variables);
    return undefined;
  } catch (error) {
    return (error as { extensions?: { code?: unknown } }).extensions?.code ?? error;
  }
}

const aliases = (count: number, field: string): string =>
  `{ ${Array.from({ length: count }, (_, at) => `a${at}: ${field}`).join(' ')} }`;

t.test('each query cost belongs to a field of the schema', async (t) => {
  for (const [qualifiedName, { each }] of Object.entries(readCosts)) {
    const [typeName = '', fieldName = ''] = qualifiedName.split('.');
    const type = schema.getType(typeName);
    const field = isObjectType(type) ? type.getFields()[fieldName] : undefined;
    t.ok(field, qualifiedName);
    if (each !== undefined)
      t.ok(
        field?.args.some(({ name }) => name === 'first'),
        `${qualifiedName} is a list`,
      );
  }
});

t.test('each list field has a cost', async (t) => {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      if (!field.args.some(({ name }) => name === 'first')) continue;
      t.ok(readCosts[`${type.name}.${field.name}`], `readCosts in query-costs.ts has ${type.name}.${field.name}`);
    }
  }
});

t.test('answers typical queries of users and tools', async (t) => {
  const queries = [
    getIntrospectionQuery(),
    getIntrospectionQuery({ inputValueDeprecation: true, schemaDescription: true, oneOf: true }),
    '{ blocks(first: 100) { nodes { id number timestamp witnessAddress transactionCount size digest witness { url } } } }',
    '{ blocks(first: 100) { nodes { number transactions(first: 5) { id type owner to amount } } } }',
    '{ block { transactions(first: 100) { id type owner to amount parameter receipt { fee result logs { data } } } } }',
    '{ witnesses(first: 100) { nodes { url address voteCount } } assets(first: 100) { nodes { id name } } }',
    '{ logs(first: 100) { nodes { address topics data blockNumber transactionId } } }',
    '{ account(address: "T") { balance transactions(first: 100) { nodes { id type owner to amount } } } }',
  ];
  for (const query of queries) t.equal(refusal(query, {}), undefined, query.slice(0, 80));
});

t.test('rejects a query that reads too much, even if it returns few fields', async (t) => {
  const queries = [
    aliases(4, 'blocks(first: 100) { nodes { id } }'),
    aliases(300, 'block { id }'),
    aliases(6, 'logs { nodes { index } }'),
    aliases(25, 'witnesses(first: 1) { nodes { url } }'),
    aliases(12, 'assets(first: 1) { nodes { id } }'),
    aliases(80, 'account(address: "T", at: 5) { balance }'),
    aliases(4, 'account(address: "T") { transactions(first: 100) { nodes { id } } }'),
    aliases(15, 'status { transactionsPerSecond }'),
    aliases(12, '__schema { types { fields { args { type { name } } type { fields { name } } } } }'),
    `{ __schema { types { ${Array.from({ length: 40 }, (_, at) => `a${at}: fields { name }`).join(' ')} } } }`,
  ];
  for (const query of queries) t.equal(refusal(query, {}), 'QUERY_TOO_COSTLY', query.slice(0, 80));
});

t.test('a negative page size or the default of a variable does not lower the cost of a query', async (t) => {
  const costly = 'blocks(first: 100) { nodes { transactions(first: 100) { id } } }';
  t.equal(refusal(`{ ${costly} b: blocks(first: -100000) { nodes { id } } }`, {}), 'QUERY_TOO_COSTLY');
  const negative = `query ($n: Int!) { ${costly} b: blocks(first: $n) { nodes { id } } }`;
  t.equal(refusal(negative, { n: -100_000 }), 'QUERY_TOO_COSTLY');
  const deep = 'blocks { block { transactions(first: $n) { block { transactions(first: $n) { id } } } } }';
  t.equal(
    refusal(`subscription ($n: Int = 0) { ${deep} }`),
    'QUERY_TOO_COSTLY',
    'the variables of a subscription are not known when its cost is computed',
  );
  t.equal(refusal(`subscription ($n: Int = 0) { ${deep} }`, {}), undefined);
});

t.test('rejects a long query before it is parsed', async (t) => {
  t.doesNotThrow(() => checkQueryText(' '.repeat(16_384)));
  t.throws(() => checkQueryText(' '.repeat(16_385)), { message: /maximum is 16384/ });
});
