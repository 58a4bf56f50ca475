import { join } from 'node:path';
import t from 'tap';
import { NO_FLAGS } from '../../../../src/config/flags.js';
import { loadConfig } from '../../../../src/config/load-config.js';
import { NodeMetrics } from '../../../../src/node/metrics/node-metrics.js';
import { openChain } from '../../../../src/node/open-chain.js';
import type { SinkStatus } from '../../../../src/streams/forwarding/sink-status.js';
import { silent } from '../../../support/projections/chain.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { golden } from '../../../support/tronicle.js';

t.test('removes the metrics of a removed sink', async (t) => {
  const { config } = loadConfig({ file: join(golden, 'system-modern', 'config.conf'), flags: NO_FLAGS });
  const dataDir = temporaryFolder(t);
  const chain = await openChain({ config, dataDir, log: silent });
  t.teardown(() => chain.ledger.close());
  const status: SinkStatus = { name: 'removed-sink', state: 'stopped', number: 1, seq: 2, records: 3, problem: 'lost' };
  const sinks = new Map([['removed-sink', status]]);
  const metrics = new NodeMetrics({
    chain,
    log: silent,
    dataDir,
    hasMeters: false,
    release: '4.8.2.3',
    role: 'full',
    sinks,
  });
  t.teardown(() => metrics.close());
  const shown = async (): Promise<string> => JSON.stringify(await metrics.snapshot());
  t.match(await shown(), /tronicle_sink_state.*"removed-sink"/);
  sinks.delete('removed-sink');
  t.notMatch(await shown(), /"removed-sink"/);
});
