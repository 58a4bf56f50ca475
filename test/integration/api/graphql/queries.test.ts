import { getIntrospectionQuery } from 'graphql';
import t from 'tap';
import {
  Account,
  DelegatedResource,
  SmartContract,
  type TransactionInfo,
  TransactionRet,
} from '../../../../src/codec/generated/messages.js';
import { addressText } from '../../../../src/encoding/address-text.js';
import { toAddress } from '../../../../src/primitives/address.js';
import { fromHex, toHex } from '../../../../src/primitives/bytes.js';
import { rowKey, storageHashOf } from '../../../../src/state-transition/state/storage-key.js';
import { type RecordedBlock, serveRecording } from '../../../support/graphql/served-chain.js';

/** Returns the rows of a store after the block at a height, from the recording. */
function rowsAt(recorded: readonly RecordedBlock[], store: string, height: number): Map<string, string> {
  const rows = new Map<string, string>();
  for (const { num, diff } of recorded) {
    if (num > height) break;
    for (const [key, value] of Object.entries(diff[store] ?? {})) {
      if (value === null) rows.delete(key);
      else rows.set(key, value);
    }
  }
  return rows;
}

t.test('returns accounts at two heights as recorded', async (t) => {
  const { query, recorded, chain } = await serveRecording(t, 'stake');
  const head = chain.ledger.position.headNumber;
  let changed = 0;
  const before = new Map<string, string>();
  for (const height of [120, head]) {
    for (const [key, value] of [...rowsAt(recorded, 'account', height)].slice(0, 40)) {
      const address = addressText(fromHex(key));
      const row = Account.decode(fromHex(value));
      const { data } = await query(
        'query ($address: Address!, $at: Long) { account(address: $address, at: $at) { height balance allowance votes { witnessAddress count witness { address } } stakeV2 { bandwidth energy unstaking { amount } } } }',
        { address, at: height },
      );
      const staked = (type: number): string =>
        String(row.frozenV2.reduce((sum, item) => (item.type === type ? sum + item.amount : sum), 0n));
      t.same(
        data['account'],
        {
          height: String(height),
          balance: String(row.balance),
          allowance: String(row.allowance),
          votes: row.votes.map(({ voteAddress, voteCount }) => ({
            witnessAddress: addressText(voteAddress),
            count: String(voteCount),
            witness: { address: addressText(voteAddress) },
          })),
          stakeV2: {
            bandwidth: staked(0),
            energy: staked(1),
            unstaking: row.unfrozenV2.map(({ unfreezeAmount }) => ({ amount: String(unfreezeAmount) })),
          },
        },
        `${address} at ${height}`,
      );
      const balance = String(row.balance);
      if (before.has(key) && before.get(key) !== balance) changed++;
      before.set(key, balance);
    }
  }
  t.ok(changed > 0, 'the balance of some account differs between the two heights');

  const delegated = [...rowsAt(recorded, 'DelegatedResource', head)].filter(([key]) => key.startsWith('01'));
  t.ok(delegated.length > 0, 'the recording contains delegated stake');
  for (const [, value] of delegated) {
    const row = DelegatedResource.decode(fromHex(value));
    const { data } = await query(
      'query ($from: Address!) { account(address: $from) { delegationsTo(first: 100) { nodes { to bandwidth energy } } } }',
      { from: addressText(row.from) },
    );
    const { nodes } = (data['account'] as { delegationsTo: { nodes: object[] } }).delegationsTo;
    const expected = {
      to: addressText(row.to),
      bandwidth: String(row.frozenBalanceForBandwidth),
      energy: String(row.frozenBalanceForEnergy),
    };
    t.ok(
      nodes.some((node) => JSON.stringify(node) === JSON.stringify(expected)),
      JSON.stringify(expected),
    );
  }

  await t.test('returns an error with a code for a height above the head', async (t) => {
    const { errors } = await query(`{ witnesses(at: ${head + 1}) { nodes { url } } }`);
    t.equal(errors?.[0]?.extensions['code'], 'HEIGHT_UNKNOWN');
  });
});

t.test('returns an error with a code for a height without stored state', async (t) => {
  const { query, chain } = await serveRecording(t, 'stake', { until: 150, retention: 'unsolidified' });
  t.ok(chain.ledger.keptHeight > 10);
  const { errors } = await query('{ witnesses(at: 10) { nodes { url } } }');
  t.equal(errors?.[0]?.extensions['code'], 'HISTORY_NOT_KEPT');
});

t.test('returns receipts, logs and contract storage as recorded', async (t) => {
  const { query, recorded, chain } = await serveRecording(t, 'tvm-forks-14-shanghai', { until: 60 });
  const infos = recorded
    .slice(0, 61)
    .flatMap((block) => (block.infos ? TransactionRet.decode(fromHex(block.infos)).transactioninfo : []));
  t.ok(infos.length > 20);
  for (const info of infos.slice(0, 150)) {
    const { data } = await query(
      'query ($id: Bytes!) { transaction(id: $id) { blockNumber block { number } receipt { fee energyUsageTotal netUsage netFee contractResult logs { address topics data index transactionId } internalTransactions { hash rejected } } } }',
      { id: toHex(info.id) },
    );
    t.same(data['transaction'], shown(info), toHex(info.id));
  }

  const logs = infos.flatMap((info) => info.log.map(({ data }) => toHex(data)));
  t.ok(logs.length > 0, 'the recording has logs');
  const paged: string[] = [];
  for (let after: string | null = null; ; ) {
    const reply: { data: Record<string, unknown> } = await query(
      'query ($after: Cursor) { logs(first: 7, after: $after) { nodes { data } pageInfo { hasNextPage endCursor } } }',
      { after },
    );
    const { nodes, pageInfo } = reply.data['logs'] as {
      nodes: { data: string }[];
      pageInfo: { hasNextPage: boolean; endCursor: string };
    };
    paged.push(...nodes.map(({ data }) => data));
    if (!pageInfo.hasNextPage) break;
    after = pageInfo.endCursor;
  }
  t.same(paged, logs, 'the pages of logs, one after the other, contain all logs in order');

  const head = chain.ledger.position.headNumber;
  const words = rowsAt(recorded, 'storage-row', head);
  let found = 0;
  for (const [key, value] of [...rowsAt(recorded, 'contract', head)].slice(0, 40)) {
    const contract = SmartContract.decode(fromHex(value));
    for (const slot of [0, 1]) {
      const word = fromHex(slot.toString(16).padStart(64, '0'));
      const stored = words.get(rowKey(storageHashOf(toAddress(fromHex(key)), contract), contract.version, word));
      if (stored !== undefined) found++;
      const { data } = await query('query ($a: Address!, $slot: Bytes!) { storage(address: $a, slot: $slot) }', {
        a: key,
        slot: `0x0${slot}`,
      });
      t.equal(data['storage'] as unknown, stored ?? '0'.repeat(64), `${key} ${slot}`);
    }
  }
  t.ok(found > 0, 'some slots were written');
});

t.test('returns the chain as consecutive pages of blocks', async (t) => {
  const { query, recorded } = await serveRecording(t, 'stake', { until: 120 });
  for (const order of ['NEWEST_FIRST', 'OLDEST_FIRST']) {
    const ids: string[] = [];
    for (let after: string | null = null; ; ) {
      const reply: { data: Record<string, unknown> } = await query(
        'query ($after: Cursor, $order: Order!) { blocks(first: 50, after: $after, order: $order) { nodes { id } pageInfo { hasNextPage endCursor } } }',
        { after, order },
      );
      const { nodes, pageInfo } = reply.data['blocks'] as {
        nodes: { id: string }[];
        pageInfo: { hasNextPage: boolean; endCursor: string };
      };
      ids.push(...nodes.map(({ id }) => id));
      if (!pageInfo.hasNextPage) break;
      after = pageInfo.endCursor;
    }
    if (order === 'NEWEST_FIRST') ids.reverse();
    t.same(
      ids,
      recorded.slice(0, 121).map(({ id }) => id),
    );
  }
});

t.test('rejects expensive and invalid queries', async (t) => {
  const { app, query } = await serveRecording(t, 'stake', { until: 20 });
  const types = 'types { fields { type { fields { name } } } }';
  const schemas = Array.from({ length: 40 }, (_, at) => `a${at}: __schema { ${types} }`).join(' ');
  const deep = `{ block { transactions { ${'block { transactions { '.repeat(6)} id ${'} }'.repeat(6)} } } }`;
  const cases: readonly (readonly [query: string, code: string])[] = [
    [deep, 'QUERY_TOO_DEEP'],
    ['{ blocks(first: 100) { nodes { transactions(first: 100) { id type owner } } } }', 'QUERY_TOO_COSTLY'],
    [`{ ${schemas} }`, 'QUERY_TOO_COSTLY'],
    ['{ blocks(first: 101) { nodes { id } } }', 'PAGE_TOO_LARGE'],
    ['{ blocks(first: null) { nodes { id } } }', 'PAGE_TOO_LARGE'],
    ['{ logs(first: null) { nodes { index } } }', 'PAGE_TOO_LARGE'],
    ['{ blocks(first: 1, after: "bm8") { nodes { id } } }', 'BAD_CURSOR'],
    [`{ block(number: 1, id: "${'00'.repeat(32)}") { number } }`, 'BAD_VALUE'],
    ['{ block(number: 0, id: "00") { number } }', 'BAD_VALUE'],
  ];
  for (const [text, code] of cases) {
    const { errors } = await query(text);
    t.equal(errors?.[0]?.extensions['code'], code, text);
  }
  for (const address of ['T', '0x12', 'TJfmyR55zYqC9xUzuCuPA4hHc8TBnoUG7Q']) {
    const { errors } = await query('query ($a: Address!) { account(address: $a) { balance } }', { a: address });
    t.ok(errors?.[0], address);
  }
  for (const id of ['', '00', '00'.repeat(31), '00'.repeat(32), '00'.repeat(33)])
    t.same(await query(`{ block(id: "${id}") { number } transaction(id: "${id}") { id } }`), {
      data: { block: null, transaction: null },
    });
  const { errors } = await query('{ nothing }');
  t.match(errors?.[0]?.message, /Cannot query field/);
  const { errors: none } = await query(getIntrospectionQuery({ inputValueDeprecation: true, schemaDescription: true }));
  t.equal(none, undefined, 'the introspection query of tools has a result');
  const wrong = await query('query ($n: Int!) { blocks(first: $n) { nodes { id } } }', { n: { a: 1 } });
  t.match(wrong.errors?.[0]?.message, /Variable "\$n" got invalid value/);
  const viaVariable = await query(
    'query ($n: Int!) { blocks(first: $n) { nodes { transactions(first: $n) { id type owner } } } }',
    { n: 100 },
  );
  t.equal(viaVariable.errors?.[0]?.extensions['code'], 'QUERY_TOO_COSTLY');
  t.equal((await app.inject('/graphiql')).statusCode, 200);
  for (const file of ['react.js', 'react-dom.js', 'graphiql.js', 'graphiql.css']) {
    t.equal((await app.inject(`/graphiql/${file}`)).statusCode, 200, file);
  }
});

function shown(info: TransactionInfo) {
  const { receipt } = info;
  const id = toHex(info.id);
  return {
    blockNumber: String(info.blockNumber),
    block: { number: String(info.blockNumber) },
    receipt: {
      fee: String(info.fee),
      energyUsageTotal: String(receipt?.energyUsageTotal ?? 0n),
      netUsage: String(receipt?.netUsage ?? 0n),
      netFee: String(receipt?.netFee ?? 0n),
      contractResult: info.contractResult.map(toHex),
      logs: info.log.map(({ address, topics, data }, index) => ({
        address: addressText(Buffer.concat([Uint8Array.of(0x41), address])),
        topics: topics.map(toHex),
        data: toHex(data),
        index,
        transactionId: id,
      })),
      internalTransactions: info.internalTransactions.map(({ hash, rejected }) => ({ hash: toHex(hash), rejected })),
    },
  };
}

t.test('accepts null for each optional member of a request', async (t) => {
  const { app } = await serveRecording(t, 'stake', { until: 3 });
  const payload = { query: '{ __typename }', operationName: null, variables: null, extensions: null };
  const reply = await app.inject({ method: 'POST', url: '/graphql', payload });
  t.same(reply.json(), { data: { __typename: 'Query' } });
  const wrong = await app.inject({ method: 'POST', url: '/graphql', payload: { ...payload, extensions: 1 } });
  t.match(wrong.json(), { data: null, errors: [{ message: 'body/extensions must be object' }] });
});

t.test('refuses a subscription over HTTP with the reason', async (t) => {
  const { app } = await serveRecording(t, 'stake', { until: 3 });
  const query = 'query Name { __typename } subscription Blocks { blocks { cursor } }';
  const refusal = {
    data: null,
    errors: [
      {
        message: 'send subscriptions over WebSocket to /graphql (graphql-transport-ws)',
        extensions: { code: 'NOT_A_QUERY' },
      },
    ],
  };
  const get = (parameters: Readonly<Record<string, string>>) => ({
    url: `/graphql?${new URLSearchParams(parameters)}`,
  });
  const post = (payload: object) => ({ method: 'POST', url: '/graphql', payload }) as const;
  for (const request of [
    post({ query: 'subscription { blocks { cursor } }' }),
    post({ query: 'subscription { status { release } }' }),
    post({ query, operationName: 'Blocks' }),
    get({ query: 'subscription { blocks { cursor } }' }),
    get({ query, operationName: 'Blocks' }),
    { ...post({}), payload: 'subscription { blocks { cursor } }', headers: { 'content-type': 'application/graphql' } },
  ])
    t.same((await app.inject(request)).json(), refusal);
  for (const request of [post({ query, operationName: 'Name' }), get({ query, operationName: 'Name' })])
    t.same((await app.inject(request)).json(), { data: { __typename: 'Query' } });
  for (const request of [post({ query }), get({ query }), get({ query, operationName: 'None' })])
    t.match((await app.inject(request)).json(), { data: null, errors: [{ extensions: { code: 'BAD_VALUE' } }] });
  t.match((await app.inject(get({ query: 'mutation { none }' }))).json(), {
    errors: [{ message: 'this node has no mutations; send a query', extensions: { code: 'NOT_A_QUERY' } }],
  });
});
