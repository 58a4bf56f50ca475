import t from 'tap';
import { createGraphqlServer } from '../../../../src/api/graphql/graphql-server.js';
import type { SinkStatus } from '../../../../src/streams/forwarding/sink-status.js';
import { api, rules } from '../../../support/graphql/served-ledger.js';
import { silent } from '../../../support/projections/chain.js';
import { openBootstrapped } from '../../../support/streams/bootstrapped-chain.js';
import { appendTransfers } from '../../../support/streams/transfer-chain.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

/** A sink that has forwarded no block. It starts after the imported state. */
const SINK: SinkStatus = { name: 'file', state: 'forwarding', number: -1, seq: -1, records: 0 };

t.test('returns the status of a node with a bootstrapped folder', async (t) => {
  const ledger = await openBootstrapped(temporaryFolder(t), { number: 80_000_000 });
  const status = { storageProblem: () => undefined, replica: () => undefined, sinks: () => [SINK] };
  const progress = { ...status, projections: () => [{ name: 'transfers', seq: 1 }] };
  const app = await createGraphqlServer({ ledger, rules: rules(), api, progress, log: silent });
  t.teardown(async () => {
    await app.close();
    await ledger.close();
  });
  const request = async (query: string): Promise<unknown> =>
    (await app.inject({ method: 'POST', url: '/graphql', payload: { query } })).json();
  const read = (): Promise<unknown> =>
    request('{ status { transactionsPerSecond projections { number behind } sinks { behind } } }');
  t.match(await read(), {
    data: {
      status: {
        transactionsPerSecond: 0,
        projections: [{ number: '80000000', behind: '0' }],
        sinks: [{ behind: '0' }],
      },
    },
  });
  t.same(
    await request('{ block(number: 79999999) { digest } head: block(number: 80000000) { digest } }'),
    { data: { block: { digest: null }, head: { digest: '01'.repeat(32) } } },
    'imported blocks have no digest, except the head of the imported state',
  );
  appendTransfers(ledger, { transactions: 18 });
  await ledger.flush();
  t.match(await read(), { data: { status: { transactionsPerSecond: 2 } } }, '18 transactions in 3 blocks of 3 s');
});
