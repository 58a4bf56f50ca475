import t from 'tap';
import { QueuedBlocks } from '../../../../src/p2p/sync/queued-blocks.js';
import type { DecodedBlock } from '../../../../src/state-transition/block/decoded-block.js';
import { fakePeer } from '../../../support/p2p/fake-peer.js';
import { idAt } from '../../../support/p2p/made-chain.js';

const blockAt = (number: number) =>
  ({
    idHex: idAt(number).hex,
    number,
    bytes: new Uint8Array(10),
    transactionCount: number,
  }) as unknown as DecodedBlock;

t.test('queues a block once and counts it for its peer', async (t) => {
  const queued = new QueuedBlocks();
  const [{ peer }, { peer: other }] = [fakePeer(), fakePeer({ host: '2' })];
  t.ok(queued.add({ block: blockAt(5), peer }));
  t.notOk(queued.add({ block: blockAt(5), peer: other }));
  queued.add({ block: blockAt(7), peer: other });
  t.same([queued.size, queued.bytes, queued.transactions, peer.inProcess.size], [2, 20, 12, 1]);
  t.same([[...queued.of(peer)].length, [...queued.upTo(5)].length, [...queued.upTo(7)].length], [1, 1, 2]);
  queued.remove(idAt(5).hex);
  queued.remove(idAt(5).hex);
  t.same([queued.size, queued.bytes, queued.transactions, peer.inProcess.size], [1, 10, 7, 0]);
  t.notOk(queued.has(idAt(5).hex));
});

t.test("selects the next block of any peer's chain, regardless of the sender", async (t) => {
  const queued = new QueuedBlocks();
  const [{ peer }, { peer: other }] = [fakePeer(), fakePeer({ host: '2' })];
  queued.add({ block: blockAt(6), peer });
  peer.toFetch = [idAt(5), idAt(6)];
  t.equal(queued.nextOf([peer, other]), undefined);
  other.toFetch = [idAt(6)];
  t.equal(queued.nextOf([peer, other])?.block.number, 6);
  t.equal(new QueuedBlocks().nextOf([peer]), undefined);
});

t.test('measures the size of the newest blocks, and the largest sender', async (t) => {
  const queued = new QueuedBlocks();
  const [{ peer }, { peer: other }] = [fakePeer(), fakePeer({ host: '2' })];
  t.equal(queued.largestSender(), undefined);
  for (let number = 1; number <= 200; number++) queued.add({ block: blockAt(number), peer });
  for (let number = 201; number <= 300; number++) queued.add({ block: blockAt(number), peer: other });
  t.ok(Math.abs(queued.meanBytes - 10) < 1, `${queued.meanBytes} bytes`);
  t.equal(queued.largestSender(), peer);
});
