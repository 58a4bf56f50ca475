import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { Forwarder } from '../../../../src/streams/forwarding/forwarder.js';
import type { SinkStatus } from '../../../../src/streams/forwarding/sink-status.js';
import { silent } from '../../../support/projections/chain.js';
import { openChain } from '../../../support/streams/genesis.js';
import { ndjsonSink } from '../../../support/streams/sink-options.js';
import { appendTransfers } from '../../../support/streams/transfer-chain.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { until } from '../../../support/until.js';

t.test('reports a sink whose registry of contracts cannot be opened as stopped, and starts it later', async (t) => {
  const dataDir = temporaryFolder(t);
  const ledger = await openChain(dataDir);
  appendTransfers(ledger, { solidified: 1 });
  await ledger.flush();
  const folder = join(dataDir, 'streams');
  mkdirSync(folder);
  writeFileSync(join(folder, 'contracts'), '');
  const statuses = new Map<string, SinkStatus>();
  const forwarder = new Forwarder({
    ledger,
    dataDir,
    sinks: [],
    addressPrefix: 0x41,
    blackhole: '',
    parsesContracts: true,
    laterTriggers: false,
    log: silent,
    onStatus: (status) => statuses.set(status.name, status),
  });
  t.teardown(async () => {
    await forwarder.close({ quietMs: 0, maxMs: 1000 });
    await ledger.close();
  });
  const events = ndjsonSink('events', { topics: ['contractevent'] });
  forwarder.start(events);
  forwarder.start(ndjsonSink('blocks', { topics: ['block'] }));
  await until('the other sink', () => statuses.get('blocks')?.number === 1);
  t.match(statuses.get('events'), { state: 'stopped', problem: /contracts/ });
  rmSync(join(folder, 'contracts'));
  await forwarder.stop('events');
  forwarder.start(events);
  await until('the sink', () => statuses.get('events')?.state === 'forwarding');
});
