import { pino } from 'pino';
import t from 'tap';
import { Producer } from '../../../src/chain/production/producer.js';
import { SignedBlocks } from '../../../src/chain/production/signed-blocks.js';
import { slotTime } from '../../../src/state-transition/consensus/schedule.js';
import { decodeTransaction } from '../../../src/state-transition/transactions/decode-transaction.js';
import { PeerNode } from '../../support/peers/peer-node.js';
import { transfer } from '../../support/peers/transfer.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

t.test('keeps the effects of pending transactions in the slots of other witnesses', async (t) => {
  const peer = await PeerNode.open(t);
  await peer.produce(2);
  const { chain } = peer.node;
  chain.mempool.add(decodeTransaction(transfer(peer, 1n)));
  const rows = chain.mempool.effects().length;
  t.ok(rows > 0);
  const now = (): number => slotTime(chain.state, 1);
  const producer = new Producer({
    chain,
    keys: { get: () => undefined } as never,
    clock: { now, monotonicMs: () => performance.now(), untilMs: () => 0 },
    log: pino({ level: 'silent' }),
    isSorted: false,
    timeoutPercent: 50,
    minParticipationRate: 0,
    isMaster: () => true,
    signedBlocks: SignedBlocks.open(temporaryFolder(t)),
  });
  t.equal(await producer.produceNow(), false);
  t.equal(chain.mempool.effects().length, rows);
  t.throws(() => chain.mempool.add(chain.mempool.pending.values()[0]!.transaction), {
    message: 'dup trans',
  });
});
