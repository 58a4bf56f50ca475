import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { equalBytes } from '../../../../src/primitives/bytes.js';
import type { Ledger } from '../../../../src/projections/ledger/ledger.js';
import { openLedger } from '../../../../src/projections/ledger/open-ledger.js';
import { verifyLedger } from '../../../../src/projections/verify/verify-ledger.js';
import { seeded, silent } from '../../../support/projections/chain.js';
import { growRecording, logSink } from '../../../support/replica/recorded-chain.js';
import { positionOf, run, untilPosition, writeConfig } from '../../../support/replica/replica-process.js';
import { Broker, KILLED } from '../../../support/streams/broker.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

/** Number of kills. The environment can set a larger number, such as 30. */
const KILLS = Number(process.env['TRONICLE_REPLICA_KILLS'] ?? 2);
/** Number of blocks per kill. The recording has 766 blocks. Some of them remain for the replica that is not killed. */
const STEP = Math.floor(600 / (KILLS + 1));
const SEED = Number(process.env['TRONICLE_SEED'] ?? 7);

function openRead(dataDir: string): Promise<Ledger> {
  return openLedger({ dataDir, retention: 'all', checkpointVersion: 2, log: silent, readOnly: true });
}

t.test(`reaches the log and state of the node after ${KILLS} kills of the replica and one of its broker`, async (t) => {
  t.comment(`TRONICLE_SEED=${SEED}`);
  const random = seeded(SEED);
  const broker = await Broker.start(KILLED);
  t.teardown(() => broker.close());
  const [nodeDir, folder] = [temporaryFolder(t), temporaryFolder(t)];
  const dataDir = join(folder, 'data');
  const config = writeConfig(folder, 'forks/forks7', undefined);
  const args = ['-c', config, '-d', dataDir, '--source', `kafka://${broker.bootstrap}/tronicle`];
  const growing = await growRecording('forks/forks7', nodeDir, [logSink(broker.bootstrap)]);
  for (let round = 0; round < KILLS; round++) {
    const before = (await positionOf(dataDir))?.seq ?? 0;
    const replica = run(args);
    t.teardown(() => replica.child.kill('SIGKILL'));
    await growing.grow(STEP);
    await untilPosition(replica, { what: 'progress of the replica', dataDir, satisfies: ({ seq }) => seq > before });
    if (round === 1) {
      broker.crash();
      await growing.grow(STEP);
      broker.start();
      const { seq } = growing.chain.ledger.position;
      await untilPosition(replica, {
        what: 'the entries written while the broker was down',
        dataDir,
        satisfies: (position) => position.seq === seq,
      });
    }
    await sleep(random(300));
    replica.child.kill('SIGKILL');
    await replica.ended;
  }
  while (await growing.grow(100));
  const { seq } = growing.chain.ledger.position;
  await growing.close();
  t.ok(((await positionOf(dataDir))?.seq ?? 0) < seq, 'the last replica has entries to read');
  const last = run(args);
  t.teardown(() => last.child.kill('SIGKILL'));
  await untilPosition(last, { what: 'the last entry', dataDir, satisfies: (position) => position.seq === seq });
  last.child.kill('SIGTERM');
  t.match(await last.ended, { code: 0 });

  const [theirs, ours] = await Promise.all([openRead(nodeDir), openRead(dataDir)]);
  const kinds = new Map<string, number>();
  let mismatched = 0;
  for (let at = 0; at <= seq; at++) {
    const { kind } = theirs.entry(at);
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    const [a, b] = [theirs.record(at), ours.record(at)];
    // An `applied` entry contains the state digest. So equal bytes mean an equal state at every height.
    if (!equalBytes(a.entry, b.entry) || !equalBytes(a.changes ?? a.entry, b.changes ?? b.entry)) mismatched++;
  }
  t.equal(mismatched, 0, 'both logs have the same bytes at each position');
  t.ok((kinds.get('reverted') ?? 0) > 50, `${kinds.get('reverted')} blocks were reverted`);
  t.same(ours.position, theirs.position);
  await Promise.all([theirs.close(), ours.close()]);
  t.equal(verifyLedger(dataDir).digest, verifyLedger(nodeDir).digest, 'the digest matches the rows');
});
