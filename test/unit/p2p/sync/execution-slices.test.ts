import t, { type Test } from 'tap';
import { IdleClock } from '../../../../src/p2p/peers/idle-clock.js';
import { ExecutionSlices } from '../../../../src/p2p/sync/execution-slices.js';
import { QueuedBlocks } from '../../../../src/p2p/sync/queued-blocks.js';
import type { DecodedBlock } from '../../../../src/state-transition/block/decoded-block.js';
import { fakePeer, setOf } from '../../../support/p2p/fake-peer.js';
import { idAt } from '../../../support/p2p/made-chain.js';
import { until } from '../../../support/until.js';

const blockAt = (number: number) =>
  ({
    idHex: idAt(number).hex,
    number,
    bytes: new Uint8Array(10),
    transactions: [],
    transactionCount: 0,
  }) as unknown as DecodedBlock;
const immediate = () => new Promise((resolve) => setImmediate(resolve));

function turns(t: Test) {
  const fake = fakePeer();
  const { peer } = fake;
  const queued = new QueuedBlocks();
  const counts = { slices: 0, nowMs: 0 };
  const made = new ExecutionSlices({
    queued,
    peers: setOf([fake]),
    waitClock: new IdleClock(Date.now),
    clock: () => counts.nowMs,
    slice: () => {
      counts.slices++;
    },
  });
  t.teardown(() => made.close());
  const come = (number: number): void => {
    queued.add({ block: blockAt(number), peer });
    made.blockReceived();
  };
  return { made, peer, counts, come };
}

t.test('executes all requests of a turn once in the next turn', async (t) => {
  const { made, counts, come } = turns(t);
  made.schedule();
  await immediate();
  t.equal(counts.slices, 0, 'no block is queued');
  come(1);
  come(2);
  t.equal(counts.slices, 0, 'not executed in the turn of arrival');
  await immediate();
  t.equal(counts.slices, 1);
});

t.test('gathers arriving blocks before it executes them', async (t) => {
  const { made, peer, counts, come } = turns(t);
  peer.syncRequests.set(idAt(9).hex, 0);
  come(1);
  await immediate();
  t.equal(counts.slices, 0);
  t.ok(made.gathers);
  counts.nowMs += 50;
  t.notOk(made.gathers);
  await until('no block arrived for some time', () => counts.slices === 1);
});

t.test('executes nothing after close', async (t) => {
  const { made, counts, come } = turns(t);
  come(1);
  made.close();
  await immediate();
  t.equal(counts.slices, 0);
});
