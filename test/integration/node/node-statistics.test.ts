import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { statistics } from '../../../src/api/operations/statistics.js';
import { NO_FLAGS } from '../../../src/config/flags.js';
import { loadConfig } from '../../../src/config/load-config.js';
import type { PlainObject } from '../../../src/encoding/json/print-plain.js';
import { NodeMetrics } from '../../../src/node/metrics/node-metrics.js';
import { openChain } from '../../../src/node/open-chain.js';
import { createMiddleware } from '../../../src/node/serving/create-gate.js';
import { servedLocally } from '../../../src/node/serving/served-node.js';
import { silent } from '../../support/projections/chain.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { golden } from '../../support/tronicle.js';

t.test('shows the role in the backup group in the statistics of the node', async (t) => {
  const dataDir = temporaryFolder(t);
  const { config } = loadConfig({ file: join(golden, 'off/config.conf'), flags: NO_FLAGS });
  const chain = await openChain({ config, dataDir, log: silent });
  let isMaster = false;
  const metrics = new NodeMetrics({
    ...{ chain, log: silent, dataDir, hasMeters: false, sinks: undefined, release: '4.7.2', role: 'witness' },
    isMaster: () => isMaster,
  });
  t.teardown(async () => {
    await metrics.close();
    await chain.ledger.close();
  });
  const served = servedLocally({ chain, config, log: silent, now: Date.now, metrics });
  const { api } = served;
  const gate = createMiddleware(served);
  const shown = (): unknown => (statistics(api, api.view('head'), 0, gate)['node'] as PlainObject)['backupStatus'];
  t.equal(shown(), 0n, 'another member produces the blocks');
  isMaster = true;
  t.equal(shown(), 1n);
});

t.test('shows the announced address in the statistics of the node', async (t) => {
  const { config } = loadConfig({ file: join(golden, 'off/config.conf'), flags: NO_FLAGS });
  const chain = await openChain({ config, dataDir: temporaryFolder(t), log: silent });
  t.teardown(() => chain.ledger.close());
  const shown = (external: { readonly ip: string | undefined }): string | undefined => {
    const { node } = config;
    const own = { ...config, node: { ...node, discovery: { ...node.discovery, external } } };
    return createMiddleware(servedLocally({ chain, config: own, log: silent, now: Date.now })).node.ip;
  };
  t.equal(shown({ ip: ' 203.0.113.7 ' }), '203.0.113.7', 'the configured address without blanks');
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  const isReachable = addresses.some(
    ({ internal, family, address }) => !internal && family === 'IPv4' && !address.startsWith('169.254.'),
  );
  if (isReachable) t.not(shown({ ip: undefined }), '127.0.0.1', 'an address of this machine in its network');
});
