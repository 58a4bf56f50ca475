import { join } from 'node:path';
import { Registry } from 'prom-client';
import t from 'tap';
import { addressText } from '../../../../src/encoding/address-text.js';
import { NodeMetrics } from '../../../../src/node/metrics/node-metrics.js';
import { addOperatorMetrics } from '../../../../src/node/metrics/operator-metrics.js';
import { announcedHeight } from '../../../../src/node/peers/announced-height.js';
import { NodePeers } from '../../../../src/node/peers/node-peers.js';
import { PeerMetrics } from '../../../../src/node/peers/peer-metrics.js';
import { addressBytes } from '../../../../src/primitives/address.js';
import { present } from '../../../../src/primitives/assert.js';
import { stateProjections } from '../../../../src/projections/state-projections.js';
import { activeWitnesses } from '../../../../src/state-transition/consensus/schedule.js';
import { openRecorded } from '../../../conformance/replay-session.js';
import { silent } from '../../../support/projections/chain.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { golden } from '../../../support/tronicle.js';

t.test('exports rows and position of each projection of the state', async (t) => {
  const dataDir = temporaryFolder(t);
  const chain = await openRecorded(join(golden, 'stake'), dataDir);
  const metrics = new NodeMetrics({
    chain,
    log: silent,
    dataDir,
    hasMeters: false,
    sinks: undefined,
    release: '4.7.2',
    role: 'full',
  });
  t.teardown(async () => {
    await metrics.close();
    await chain.ledger.close();
  });
  const snapshot = await metrics.snapshot();
  const series = (wanted: string): Record<string, number> => {
    const { values } = present(
      snapshot.find(({ name }) => name === wanted),
      `${wanted} is exported`,
    );
    return Object.fromEntries(values.map(({ labels, value }) => [String(labels['projection']), value]));
  };
  const { seq, projections } = chain.ledger.stateSums();
  t.same(series('tronicle_projection_rows'), Object.fromEntries(projections.map(({ name, rows }) => [name, rows])));
  t.same(series('tronicle_projection_position'), Object.fromEntries(stateProjections.map(({ name }) => [name, seq])));
  t.ok((series('tronicle_projection_rows')['accounts'] ?? 0) > 0, 'genesis contains accounts');
});

t.test('exports the metrics of operators', async (t) => {
  const dataDir = temporaryFolder(t);
  const chain = await openRecorded(join(golden, 'stake'), dataDir);
  const sinks = new Map([['a', { name: 'a', state: 'forwarding', number: 7, seq: 7, records: 12 } as const]]);
  let dropped = 3;
  const peers = new NodePeers(new PeerMetrics({ hasMeters: false, now: Date.now }));
  const own = addressBytes(present(activeWitnesses(chain.state)[0], 'the chain has a witness'));
  const metrics = new NodeMetrics({
    ...{ chain, log: silent, dataDir, peers, sinks, hasMeters: false, release: '4.7.2', role: 'witness' },
    droppedLines: () => dropped,
    producers: [own],
  });
  t.teardown(async () => {
    await metrics.close();
    await chain.ledger.close();
  });
  const family = async (wanted: string) => (await metrics.snapshot()).find(({ name }) => name === wanted);
  const value = async (name: string): Promise<number | undefined> => (await family(name))?.values[0]?.value;

  t.match(await family('tronicle_build_info'), {
    values: [{ value: 1, labels: { release: '4.7.2', node: process.versions.node, version: /^\d/, commit: /./ } }],
  });
  t.match(await family('tronicle_node_role'), { values: [{ value: 1, labels: { role: 'witness' } }] });
  t.ok(((await value('tronicle_data_disk_free_bytes')) ?? 0) > 0);
  t.ok(Math.abs(((await value('tronicle_clock_seconds')) ?? 0) - Date.now() / 1000) < 60);
  t.equal(await value('tronicle_mempool_transactions'), 0);
  t.equal(await value('tronicle_log_head_durable'), 1);
  t.same((await family('tronicle_peer_best_height'))?.values, [], 'no value without a network');
  peers.joined = { network: { peers: { active: () => [], inSync: () => [] } } } as unknown as NonNullable<
    typeof peers.joined
  >;
  t.equal(await value('tronicle_peer_best_height'), 0);
  t.equal(await value('tronicle_log_lines_dropped_total'), 3);
  dropped = 4;
  t.equal(await value('tronicle_log_lines_dropped_total'), 4);
  t.match(await family('tronicle_sink_records_total'), { type: 'counter', values: [{ value: 12 }] });
  t.equal(await value('tronicle_sink_records'), 12, 'the deprecated name of the metric');

  const witness = addressText(own);
  const missed = async (): Promise<unknown> => (await family('tronicle_witness_missed_slots_total'))?.values;
  t.match(await missed(), [{ value: 0, labels: { witness } }], 'exported as 0 before the first missed slot');
});

t.test('exports the highest height that a peer announced', async (t) => {
  const genesis = { hex: '', number: 0 };
  const idle = { hello: undefined, commonBlock: genesis, toFetch: [], remaining: 0, needsSyncFromPeer: false };
  t.equal(announcedHeight(idle), 0);
  t.equal(
    announcedHeight({ ...idle, commonBlock: { hex: '', number: 9 }, remaining: 5 }),
    9,
    'the common block plus the remaining blocks of a syncing peer',
  );
  t.equal(announcedHeight({ ...idle, toFetch: [{ hex: '', number: 7 }], remaining: 5, needsSyncFromPeer: true }), 12);
});

t.test('counts missed slots of own witnesses only', async (t) => {
  const dataDir = temporaryFolder(t);
  const chain = await openRecorded(join(golden, 'stake'), dataDir);
  t.teardown(() => chain.ledger.close());
  const registry = new Registry();
  const count = addOperatorMetrics(registry, {
    ...{ chain, dataDir, sinks: undefined, release: '4.7.2', role: 'witness', producers: ['T1'] },
  });
  count('T1', 2);
  count('T2', 5);
  const { values } = await present(
    registry.getSingleMetric('tronicle_witness_missed_slots_total'),
    'the counter exists',
  ).get();
  t.match(values, [{ labels: { witness: 'T1' }, value: 2 }]);
  t.equal(values.length, 1);
  t.equal(
    registry.getSingleMetric('tronicle_log_lines_dropped_total'),
    undefined,
    'no metric if the log is not a file',
  );
});
