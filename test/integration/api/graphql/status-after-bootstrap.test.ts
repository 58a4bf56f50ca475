import t from 'tap';
import { createGraphqlServer } from '../../../../src/api/graphql/graphql-server.js';
import { api, rules } from '../../../support/graphql/served-ledger.js';
import { silent } from '../../../support/projections/chain.js';
import { openBootstrapped } from '../../../support/streams/bootstrapped-chain.js';
import { appendTransfers } from '../../../support/streams/transfer-chain.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

t.test('returns the status of a node with a bootstrapped folder', async (t) => {
  const ledger = await openBootstrapped(temporaryFolder(t), { number: 80_000_000 });
  const status = { storageProblem: () => undefined, replica: () => undefined, sinks: () => [] };
  const progress = { ...status, projections: () => [{ name: 'transfers', seq: 1 }] };
  const app = await createGraphqlServer({ ledger, rules: rules(), api, progress, log: silent });
  t.teardown(async () => {
    await app.close();
    await ledger.close();
  });
  const query = '{ status { transactionsPerSecond projections { number behind } } }';
  const read = async (): Promise<unknown> =>
    (await app.inject({ method: 'POST', url: '/graphql', payload: { query } })).json();
  t.match(await read(), {
    data: { status: { transactionsPerSecond: 0, projections: [{ number: '80000000', behind: '0' }] } },
  });
  appendTransfers(ledger, { transactions: 18 });
  await ledger.flush();
  t.match(await read(), { data: { status: { transactionsPerSecond: 2 } } }, '18 transactions in 3 blocks of 3 s');
});
