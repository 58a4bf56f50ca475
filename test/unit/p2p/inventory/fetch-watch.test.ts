import { mock } from 'node:test';
import t from 'tap';
import { FetchWatch } from '../../../../src/p2p/inventory/fetch-watch.js';
import { itemKey } from '../../../../src/p2p/peers/peer.js';
import { WireMessageType } from '../../../../src/p2p/wire/message-types.js';
import { fakePeer, setOf } from '../../../support/p2p/fake-peer.js';
import { idAt, madeChain } from '../../../support/p2p/made-chain.js';

const NEXT = idAt(101).hex;
const KEY = itemKey({ kind: 'block', id: NEXT });

/** Returns a watch for a block that two peers have announced. The node has requested it from the first peer. */
function watched(t: { teardown(run: () => void): void }, { latency = 100 } = {}) {
  mock.timers.enable({ apis: ['setInterval', 'Date'] });
  const [first, second] = [fakePeer(), fakePeer({ host: '2' })];
  first.peer.noteBlockLatency(latency);
  second.peer.received.add(KEY);
  second.peer.noteBlockLatency(10);
  const watch = new FetchWatch({ chain: madeChain(100), peers: setOf([first, second]), timeoutMs: 500, now: Date.now });
  t.teardown(() => {
    watch.close();
    mock.timers.reset();
  });
  watch.fetching([idAt(100).hex, NEXT], first.peer);
  return { watch, second };
}

t.test('requests a slow block from a second peer', async (t) => {
  const { second } = watched(t);
  mock.timers.tick(50);
  t.equal(second.sent.at(-1)?.[0], WireMessageType.FETCH_INV_DATA);
  t.ok(second.peer.itemRequests.has(KEY));
  mock.timers.tick(500);
  t.equal(second.sent.length, 1, 'requested once');
});

t.test('sends no request for a block that has arrived', async (t) => {
  const { watch, second } = watched(t);
  watch.received(NEXT);
  mock.timers.tick(1000);
  t.same(second.sent, []);
});
