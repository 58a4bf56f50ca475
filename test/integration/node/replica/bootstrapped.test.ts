import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { loadConfig } from '../../../../src/config/load-config.js';
import { backupFolder } from '../../../../src/node/backup-folder.js';
import { bootstrap } from '../../../../src/node/bootstrap/bootstrap.js';
import { chainRules, genesisOf } from '../../../../src/node/chain-config.js';
import { FollowLog } from '../../../../src/node/replica/follow-log.js';
import { serveSinks } from '../../../../src/node/sinks/serve-sinks.js';
import { verifyLedger } from '../../../../src/projections/verify/verify-ledger.js';
import { decodeBlock } from '../../../../src/state-transition/block/decoded-block.js';
import { openRecorded } from '../../../conformance/replay-session.js';
import { EVENT_TIME_LIMITS } from '../../../support/event-timeout.js';
import { silent } from '../../../support/projections/chain.js';
import { logSink } from '../../../support/replica/recorded-chain.js';
import { Broker } from '../../../support/streams/broker.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { golden } from '../../../support/tronicle.js';
import { until } from '../../../support/until.js';

const SOURCE = join(golden, 'java-data', 'lite-tour');
const BLOCKS = 10;

/** Returns the recorded blocks above a height, which is the head of the source. */
function blocksAbove(number: number): Buffer[] {
  const lines = gunzipSync(readFileSync(join(golden, 'system-tour', 'blocks.ndjson.gz')))
    .toString()
    .trim()
    .split('\n');
  return lines
    .map((line) => JSON.parse(line) as { readonly num: number; readonly block?: string })
    .filter(({ num }) => num > number)
    .slice(0, BLOCKS)
    .map(({ block = '' }) => Buffer.from(block, 'hex'));
}

async function follow(dataDir: string, broker: Broker) {
  const chain = await openRecorded(SOURCE, dataDir);
  const source = { bootstrap: [broker.bootstrap], prefix: 'tronicle' };
  return { chain, following: new FollowLog({ chain, source, log: silent }) };
}

t.test('starts a replica of a bootstrapped node from a copy of its folder', async (t: Test) => {
  const broker = await Broker.start();
  t.teardown(() => broker.close());
  const folder = temporaryFolder(t);
  const [nodeDir, replicaDir, newDir] = [join(folder, 'node'), join(folder, 'replica'), join(folder, 'new')];
  const { config } = loadConfig({ file: join(SOURCE, 'config.conf') });
  const genesisId = genesisOf(config, chainRules(config)).id;
  const source = join(SOURCE, 'output-directory.tgz');
  await bootstrap({ source, dataDir: nodeDir, genesisId, history: 'none' });
  const { head } = await backupFolder({
    dataDir: nodeDir,
    target: replicaDir,
    bytesPerSecond: undefined,
    report: () => {},
  });

  const node = await openRecorded(SOURCE, nodeDir);
  const withSink = { ...config, tronicle: { ...config.tronicle, sinks: [logSink(broker.bootstrap)] } };
  const sinks = serveSinks({
    config: withSink,
    dataDir: nodeDir,
    chain: node,
    log: silent,
    closeLimits: EVENT_TIME_LIMITS,
  });
  for (const block of blocksAbove(head)) node.importBlock(decodeBlock(block));
  const { headNumber, digest } = node.ledger.position;
  t.equal(headNumber, head + BLOCKS);
  await node.ledger.flush();
  await sinks.close();
  await node.ledger.close();

  const { chain, following } = await follow(replicaDir, broker);
  await until('all blocks at the replica', async () => chain.ledger.position.headNumber === headNumber);
  t.same(chain.ledger.position.digest, digest);
  await following.close();
  await chain.ledger.close();
  t.equal(verifyLedger(replicaDir).headNumber, headNumber);

  const fresh = await follow(newDir, broker);
  await t.rejects(fresh.following.ended, {
    code: 'GENESIS_DIFFERS',
    message: new RegExp(`starts at block ${head} .*start this replica from a copy of the node's data folder`),
  });
  await fresh.following.close();
  await fresh.chain.ledger.close();
});
