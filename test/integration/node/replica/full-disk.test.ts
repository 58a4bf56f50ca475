import { join } from 'node:path';
import t from 'tap';
import { FollowLog } from '../../../../src/node/replica/follow-log.js';
import { TronError } from '../../../../src/primitives/errors.js';
import { verifyLedger } from '../../../../src/projections/verify/verify-ledger.js';
import { openRecorded } from '../../../conformance/replay-session.js';
import { silent } from '../../../support/projections/chain.js';
import { growRecording, logSink } from '../../../support/replica/recorded-chain.js';
import { Broker } from '../../../support/streams/broker.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { golden } from '../../../support/tronicle.js';
import { until } from '../../../support/until.js';

const RECORDING = 'stake';

t.test('a replica whose disk is full retries until its blocks are stored', async (t) => {
  const broker = await Broker.start();
  t.teardown(() => broker.close());
  const growing = await growRecording(RECORDING, temporaryFolder(t), [logSink(broker.bootstrap)]);
  await growing.grow(120);
  const dataDir = temporaryFolder(t);
  const chain = await openRecorded(join(golden, RECORDING), dataDir);
  const { ledger } = chain;
  const flush = ledger.flushNow.bind(ledger);
  let failures = 0;
  t.intercept(ledger, 'flushNow', {
    value: () => {
      if (failures++ < 3) throw new TronError('STORAGE_FULL', 'the disk is full');
      flush();
    },
  });
  const following = new FollowLog({
    chain,
    source: { bootstrap: [broker.bootstrap], prefix: 'tronicle' },
    log: silent,
  });
  let failure: unknown;
  following.ended.catch((error: unknown) => {
    failure = error;
  });
  const { seq } = growing.chain.ledger.position;
  await until('the stored blocks', () => failure !== undefined || ledger.stateSeq === seq);
  t.equal(failure, undefined);
  t.ok(failures > 3, 'the writes failed');
  await following.close();
  t.same(ledger.position, growing.chain.ledger.position);
  await ledger.close();
  const { digest } = growing.chain.ledger.position;
  await growing.close();
  t.equal(verifyLedger(dataDir).digest, Buffer.from(digest).toString('hex'));
});
