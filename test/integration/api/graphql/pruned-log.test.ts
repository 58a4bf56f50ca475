import t, { type Test } from 'tap';
import { createGraphqlServer } from '../../../../src/api/graphql/graphql-server.js';
import { encodeListCursor } from '../../../../src/api/graphql/page.js';
import type { WriterLedger } from '../../../../src/projections/ledger/writer-ledger.js';
import { api, rules } from '../../../support/graphql/served-ledger.js';
import { silent } from '../../../support/projections/chain.js';
import { openChain } from '../../../support/streams/genesis.js';
import { appendTransfers } from '../../../support/streams/transfer-chain.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

interface Page {
  readonly nodes: readonly { readonly number: string }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}
interface Answer {
  readonly data: Readonly<Record<string, Page>> | null;
  readonly errors?: readonly { readonly extensions: { readonly code: string } }[];
}

/** Serves a ledger that has genesis and the blocks 31 to 40. `heights` collects the heights that were read. */
async function servePruned(t: Test) {
  const ledger = await openChain(temporaryFolder(t), { retention: 'unsolidified', logRetention: 10 });
  for (let number = 1; number <= 40; number++) {
    appendTransfers(ledger, { solidified: number });
    await ledger.flush();
  }
  t.equal(ledger.startNumber, 30);
  const heights: number[] = [];
  const counted = Object.create(ledger, {
    blockIdAt: { value: (number: number) => heights.push(number) && ledger.blockIdAt(number) },
  }) as WriterLedger;
  const app = await createGraphqlServer({ ledger: counted, rules: rules(), api, log: silent });
  t.teardown(async () => {
    await app.close();
    await ledger.close();
  });
  const query = async (text: string): Promise<Answer> => {
    const { payload } = await app.inject({ method: 'POST', url: '/graphql', payload: { query: text } });
    return JSON.parse(payload) as Answer;
  };
  return { query, heights };
}

for (const [order, expected] of [
  ['NEWEST_FIRST', [40, 39, 38, 37, 36, 35, 34, 33, 32, 31, 0]],
  ['OLDEST_FIRST', [0, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40]],
] as const)
  t.test(`${order}: lists the stored blocks and reads no pruned heights`, async (t) => {
    const { query, heights } = await servePruned(t);
    const found: number[] = [];
    let after = '';
    for (;;) {
      const { data } = await query(
        `{ blocks(first: 4, order: ${order}${after}) { nodes { number } pageInfo { hasNextPage endCursor } } }`,
      );
      const { nodes, pageInfo } = data!['blocks']!;
      found.push(...nodes.map(({ number }) => Number(number)));
      if (!pageInfo.hasNextPage) break;
      after = `, after: "${pageInfo.endCursor}"`;
    }
    t.same(found, expected);
    t.same(heights, expected);
  });

t.test('searches logs from the lowest stored block on, and rejects a pruned start', async (t) => {
  const { query, heights } = await servePruned(t);
  const logs = (args: string): Promise<Answer> =>
    query(`{ logs(${args}) { nodes { index } pageInfo { hasNextPage endCursor } } }`);
  const all = await logs('first: 5');
  t.same(all.data?.['logs'], {
    nodes: [],
    pageInfo: { hasNextPage: false, endCursor: encodeListCursor('logs', 41, 0) },
  });
  t.same(heights, [31, 32, 33, 34, 35, 36, 37, 38, 39, 40]);
  t.equal((await logs('filter: { fromBlock: 30 }')).errors?.[0]?.extensions.code, 'HISTORY_NOT_KEPT');
  const cursor = encodeListCursor('logs', 12, 1);
  t.equal((await logs(`after: "${cursor}"`)).errors?.[0]?.extensions.code, 'HISTORY_NOT_KEPT');
  t.equal((await logs('filter: { fromBlock: 31, toBlock: 33 }')).errors, undefined);
});
