import { join } from 'node:path';
import t from 'tap';
import { loadConfig } from '../../../../src/config/load-config.js';
import { NodeMetrics } from '../../../../src/node/metrics/node-metrics.js';
import { ReplicaLag } from '../../../../src/node/metrics/replica-lag.js';
import { FollowLog } from '../../../../src/node/replica/follow-log.js';
import { stopTarget } from '../../../../src/node/stop-target.js';
import { openRecorded } from '../../../conformance/replay-session.js';
import { silent } from '../../../support/projections/chain.js';
import { growRecording, logSink } from '../../../support/replica/recorded-chain.js';
import { Broker } from '../../../support/streams/broker.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { golden } from '../../../support/tronicle.js';
import { until } from '../../../support/until.js';

const RECORDING = 'stake';
const BLOCKS = 60;
const broker = await Broker.start();
t.teardown(() => broker.close());
const growing = await growRecording(RECORDING, temporaryFolder(t), [logSink(broker.bootstrap)]);
await growing.grow(BLOCKS);
const { headNumber, seq } = growing.chain.ledger.position;
const source = { bootstrap: [broker.bootstrap], prefix: 'tronicle' };
const { config } = loadConfig({ file: join(golden, RECORDING, 'config.conf') });

t.test('stops a replica at the last block that node.shutdown selects', async (t) => {
  const dataDir = temporaryFolder(t);
  const followTo = async (shutdown: Partial<typeof config.node.shutdown>): Promise<number> => {
    const chain = await openRecorded(join(golden, RECORDING), dataDir);
    const node = { ...config.node, shutdown: { ...config.node.shutdown, ...shutdown } };
    const target = stopTarget({ ...config, node }, chain);
    const following = new FollowLog({ chain, source, target, log: silent });
    await following.ended;
    await following.close();
    const { headNumber: head } = chain.ledger.position;
    await chain.ledger.close();
    return head;
  };
  t.equal(await followTo({ blockHeight: 20 }), 20);
  t.equal(await followTo({ blockCount: 7 }), 27);
  t.equal(await followTo({ blockHeight: headNumber }), headNumber, 'the stop height is the end of the log');
});

t.test('measures the lag of a replica', async (t) => {
  const dataDir = temporaryFolder(t);
  const chain = await openRecorded(join(golden, RECORDING), dataDir);
  const lag = new ReplicaLag(Date.now);
  const metrics = new NodeMetrics({
    chain,
    log: silent,
    dataDir,
    hasMeters: false,
    sinks: undefined,
    release: '4.7.2',
    role: 'full',
    lag,
  });
  const shown = async (name: string): Promise<number | undefined> => {
    const family = (await metrics.snapshot()).find((one) => one.name === name);
    return Number(family?.values[0]?.value);
  };
  t.equal(await shown('tronicle_replica_connected'), 0);
  const following = new FollowLog({ chain, source, lag, log: silent });
  await until('all entries of the log', async () => chain.ledger.position.seq === seq);
  await until('the end of the fetch', async () => lag.records === 0);
  t.equal(await shown('tronicle_replica_connected'), 1);
  t.equal(await shown('tronicle_replica_lag_records'), 0);
  t.equal(await shown('tronicle_replica_lag_seconds'), 0);
  await following.close();
  await metrics.close();
  await chain.ledger.close();
  lag.update({ lagRecords: 3, writtenMs: Date.now() - 5000 });
  t.ok(lag.seconds >= 5, 'the lag is the age of the newest applied record');
});

t.teardown(() => growing.close());
