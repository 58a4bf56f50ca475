import { Registry } from 'prom-client';
import t from 'tap';
import { LogMetrics } from '../../../../src/node/metrics/log-metrics.js';
import { silent } from '../../../support/projections/chain.js';
import { openChain } from '../../../support/streams/genesis.js';
import { appendTransfers } from '../../../support/streams/transfer-chain.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { until } from '../../../support/until.js';

t.test('counts the entries that are added to the block log, and their transactions', async (t) => {
  const ledger = await openChain(temporaryFolder(t));
  t.teardown(() => ledger.close());
  appendTransfers(ledger, { transactions: 9 });
  await ledger.flush();
  const registry = new Registry();
  const metrics = new LogMetrics({ ledger, registry, log: silent });
  const value = async (name: string, kind?: string): Promise<number | undefined> => {
    const { values } = await registry.getSingleMetric(name)!.get();
    return values.find(({ labels }) => labels['kind'] === kind)?.value;
  };
  t.equal(await value('tronicle_log_entries_total', 'applied'), 0, 'older entries are not counted');
  appendTransfers(ledger, { transactions: 3 });
  ledger.revert();
  appendTransfers(ledger, { transactions: 5, salt: 'b', solidified: 1 });
  await ledger.flush();
  await until('the counters', async () => (await value('tronicle_log_entries_total', 'solidified')) === 1);
  t.equal(await value('tronicle_log_entries_total', 'applied'), 2);
  t.equal(await value('tronicle_log_entries_total', 'reverted'), 1);
  t.equal(await value('tronicle_log_transactions_total'), 8);
  await metrics.close();
});
